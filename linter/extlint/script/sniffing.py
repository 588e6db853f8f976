"""Conditions that ask in which browser they run, told by their words.

What such a condition says of an API is not decided, for it is written in other ways than by a test of
the API: by the user agent, by a constant of the build, by a helper's name.
"""

from __future__ import annotations

import re

from extlint.patterns import lazy

SNIFFED = ("", "browser")
"""What such a condition tests, in the place of a path of the API."""

CONDITION = ("", "condition")
"""What every condition tests."""

_LONGEST = 400

_WORDS = lazy(
    rb"firefox|gecko|mozilla|moz-ext|thunderbird|chrom(?:e|ium)(?!\s*\??\.|\w*\s*\[)|safari|webkit|opera|vivaldi"
    rb"|brave|\bedge?\b|isedge|\bbrowser(?!\s*\??\.)(?!s?\s*\[)|browser_?(?:name|type|info)|vendor|user_?agent"
    rb"|platform|\b__[a-z0-9_]+__\b|(?:process|import\.meta)\.env|manifest_?version|\bmv_?[23]|is_?mv|_?mv[23]\b",
    re.IGNORECASE,
)


def sniffs(condition: bytes) -> bool:
    """Whether a condition's text has a word for a browser, a platform or a manifest version."""
    return len(condition) <= _LONGEST and _WORDS.search(condition) is not None
