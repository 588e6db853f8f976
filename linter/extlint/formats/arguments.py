"""The formats of strings in arguments of calls, by the names that Firefox's schemas have for them.

Most are the formats of manifests; where one is another, its row says why. Firefox 153 and Chromium 156,
which looks at no format, were asked: `python -m extlint_judge formats --browser firefox`.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint.formats.host import MAX_LENGTH
from extlint.formats.problem import Problem
from extlint.formats.registry import FORMATS, Format
from extlint.text.patterns import lazy

_MESSAGE = lazy(r"__MSG_[A-Za-z0-9_@]+?__")

_ANY = Format(recognizes="glob.is_glob")

ARGUMENTS: Mapping[str, Format] = {
    "canonicalDomain": FORMATS["canonical-domain"],
    "date": FORMATS["date"],
    "hostname": FORMATS["hostname"],
    "origin": FORMATS["origin"],
    # Firefox refuses what an extension may not load (`javascript:`) here too, as in manifests, where it is
    # a mistake (`url`). In calls extlint says nothing of that.
    "url": FORMATS["absolute-url"],
    # No argument that Firefox has is of it; in manifests, what an extension may not load is a mistake.
    "relativeUrl": Format(recognizes="address.is_path"),
    # Firefox refuses `file:///a` and `https://bücher.example` here too, as in manifests, and also what it
    # cannot parse (`http://`), which is a path in manifests. In calls extlint says nothing of either.
    "strictRelativeUrl": Format("package_path.file_argument", "address.is_file"),
    "unresolvedRelativeUrl": Format("package_path.file_argument", "address.is_file"),
    "imageDataOrStrictRelativeUrl": Format("package_path.image_argument", "package_path.is_image_or_file"),
    # What is wrong is only logged, and the value is taken all the same; in manifests that is a mistake.
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
"""What strings of a format are, in words that follow "must be"."""


def argument_verdict(name: str, text: str) -> Problem | bool | None:
    """Why a string is not of the format with this name; True if it certainly is; None if neither can be told.

    A string that names a message of a locale file (`__MSG_title__`) may be replaced first.
    """
    format = ARGUMENTS.get(name)
    if format is None or len(text) > MAX_LENGTH or _MESSAGE.search(text):
        return None
    return format.verdict(text)
