"""Checks numbers and strings against a schema, with the formats of strings in arguments.

Most are the formats of manifests; comments explain the exceptions. Verified in Firefox 153 and Chromium 156,
which does not check formats: `python -m extlint_judge formats --browser firefox`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from msgspec import Struct

from extlint.schema.matching.environment import MAYBE, YES, Answer, Environment
from extlint.schema.types import NumberType, StringType
from extlint.schema.words.types import described_type
from extlint.schema.words.values import enum_text, number_text
from extlint.text.formats.host import MAX_LENGTH
from extlint.text.formats.registry import FORMATS, Format, Problem
from extlint.text.javascript_regex import is_match
from extlint.text.patterns import lazy
from extlint.text.wording import counted

_MESSAGE = lazy(r"__MSG_[A-Za-z0-9_@]+?__")

_ANY = Format(recognizer="match_pattern.is_glob")

ARGUMENTS: Mapping[str, Format] = {
    "canonicalDomain": FORMATS["canonical-domain"],
    "date": FORMATS["date"],
    "hostname": FORMATS["hostname"],
    "origin": FORMATS["origin"],
    # As in manifests, Firefox also rejects URLs that an extension may not load (`javascript:`); there, they
    # are mistakes (`url`). In calls extlint does not report them.
    "url": FORMATS["absolute-url"],
    # Firefox has no argument of this format; in manifests, URLs that may not be loaded are mistakes.
    "relativeUrl": Format(recognizer="host.is_path"),
    # As in manifests, Firefox also rejects `file:///a` and `https://bücher.example`, and URLs that it cannot
    # parse (`http://`), which are paths in manifests. In calls extlint reports neither.
    "strictRelativeUrl": Format("package_path.file_argument", "host.is_file"),
    "unresolvedRelativeUrl": Format("package_path.file_argument", "host.is_file"),
    "imageDataOrStrictRelativeUrl": Format("package_path.image_argument", "package_path.is_image_or_file"),
    # Firefox only logs invalid values and uses them all the same; in manifests they are mistakes.
    "contentSecurityPolicy": _ANY,
    "versionString": _ANY,
}

EXPECTED: Mapping[str, str] = {
    "hostname": "a host name such as example.org",
    "canonicalDomain": "a host name in its canonical form, such as example.org",
    "url": "an absolute URL such as https://example.org/",
    "origin": "the origin of a website, without a path, such as https://example.org",
    "relativeUrl": "a URL",
    "strictRelativeUrl": "a relative URL such as images/icon.png",
    "unresolvedRelativeUrl": "a relative URL such as images/icon.png",
    "imageDataOrStrictRelativeUrl": "a relative URL such as images/icon.png, or a data: URL of a PNG or JPEG",
    "date": "a date such as 2016-03-04T08:00:00Z",
}
"""Descriptions of the strings of a format, as wording that follows "must be"."""


def argument_verdict(name: str, text: str) -> Problem | bool | None:
    """Returns why a string does not match a format, True if it certainly matches, or None if unknown.

    A string that names a message of a locale file (`__MSG_title__`) may be replaced first.
    """
    format = ARGUMENTS.get(name)
    if format is None or len(text) > MAX_LENGTH or _MESSAGE.search(text):
        return None
    return format.verdict(text)


MAX_SAFE_INTEGER = 2**53 - 1


class Refusal(Struct, frozen=True):
    """The reason why an exact value is rejected: the expected value, as a phrase."""

    expected: str


def judge_number(number: float, kind: NumberType, env: Environment) -> Answer | Refusal:
    """Checks a number of the right base type against a range.

    Firefox has ranges for integers only, and only accepts integers that a double represents exactly.
    """
    if not isfinite(number):
        return Refusal("a finite number")
    if env.is_gecko and not kind.integer:
        return YES
    if env.is_gecko and abs(number) > MAX_SAFE_INTEGER:
        most = number_text(MAX_SAFE_INTEGER)
        return Refusal(f"an integer from -{most} to {most}")
    too_small = kind.minimum is not None and number < kind.minimum
    too_big = kind.maximum is not None and number > kind.maximum
    if not too_small and not too_big:
        return YES
    return Refusal(described_type(kind, env))


def judge_string(text: str, kind: StringType, env: Environment) -> Answer | Refusal:
    """Checks a string against an enum, lengths (in UTF-16 units), a pattern and a format.

    Firefox checks nothing else if an enum matches; Chromium never checks patterns and formats.
    """
    text = text.lower() if kind.lower_case else text
    if kind.enum is not None and text not in kind.enum:
        return Refusal(enum_text(kind.enum))
    if kind.enum is not None and env.is_gecko:
        return YES
    length = sum(2 if letter > "\uffff" else 1 for letter in text)
    if kind.min_length is not None and length < kind.min_length:
        return _wrong_length("at least", kind.min_length)
    if kind.max_length is not None and length > kind.max_length:
        return _wrong_length("at most", kind.max_length)
    return _judge_pattern_and_format(text, kind) if env.is_gecko else YES


def _wrong_length(relation: str, length: int) -> Refusal:
    return Refusal(f"a string of {relation} {counted(length, 'character')}")


def _judge_pattern_and_format(text: str, kind: StringType) -> Answer | Refusal:
    certain = True
    if kind.pattern is not None:
        found = is_match(kind.pattern, text)
        if found is False:
            from extlint.schema.words.formats import expected_text

            return Refusal(expected_text(kind.pattern))
        certain = bool(found)
    if kind.format is not None:
        verdict = argument_verdict(kind.format, text)
        if isinstance(verdict, Problem):
            return Refusal(EXPECTED[kind.format])
        certain = certain and verdict is True
    return YES if certain else MAYBE


def accepts_every_string(kind: StringType, env: Environment) -> bool:
    """Whether every string is accepted."""
    bounded = kind.enum is not None or kind.max_length is not None or bool(kind.min_length)
    formed = kind.pattern is not None or kind.format is not None
    return not bounded and not (formed and env.is_gecko)
