"""Checks numbers and strings against the constraints of a schema."""

from __future__ import annotations

from math import isfinite

from msgspec import Struct

from extlint.schema.matching.environment import MAYBE, YES, Answer, Environment
from extlint.schema.types import NumberType, StringType
from extlint.text.formats.registry import Problem
from extlint.text.wording import counted

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
        from extlint.schema.words.values import number_text

        most = number_text(MAX_SAFE_INTEGER)
        return Refusal(f"an integer from -{most} to {most}")
    too_small = kind.minimum is not None and number < kind.minimum
    too_big = kind.maximum is not None and number > kind.maximum
    if not too_small and not too_big:
        return YES
    from extlint.schema.words.types import described_type

    return Refusal(described_type(kind, env))


def judge_string(text: str, kind: StringType, env: Environment) -> Answer | Refusal:
    """Checks a string against an enum, lengths (in UTF-16 units), a pattern and a format.

    Firefox checks nothing else if an enum matches; Chromium never checks patterns and formats.
    """
    text = text.lower() if kind.lower_case else text
    if kind.enum is not None and text not in kind.enum:
        from extlint.schema.words.values import enum_text

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
        from extlint.text.javascript_regex import is_match

        found = is_match(kind.pattern, text)
        if found is False:
            from extlint.schema.words.formats import expected_text

            return Refusal(expected_text(kind.pattern))
        certain = bool(found)
    if kind.format is not None:
        from extlint.text.formats.arguments import EXPECTED, argument_verdict

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
