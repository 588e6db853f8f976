"""The formats of strings in call arguments, by their names in Firefox's schemas.

Most are the formats of manifests; comments explain the exceptions. Verified in Firefox 153 and Chromium 156,
which does not check formats: `python -m extlint_judge formats --browser firefox`.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint.text.formats.host import MAX_LENGTH
from extlint.text.formats.registry import FORMATS, Format, Problem
from extlint.text.patterns import lazy

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
