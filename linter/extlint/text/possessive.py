r"""Possessive repeats of groups, as the first releases of Python 3.11 run them rightly.

Up to Python 3.11.4, which Debian 12 has, `(?:X)*+` goes on from where the last attempt at `X` came to, though
that one failed (https://github.com/python/cpython/issues/106052): `/\*(?:[^*]|\*(?!/))*+\*/` matches no
comment. An atomic group goes back to where it began. Where repeats are right it changes nothing but the time,
which is a quarter more.
"""

from __future__ import annotations

import re
from typing import AnyStr

_REPEATED = r"\)(?:[*+?]|\{[0-9,]+\})\+"
_TOKEN = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(|\)(?:(?:[*+?]|\{[0-9,]+\})(\+))?"


def with_atomic_groups(pattern: AnyStr) -> AnyStr:
    """The same pattern with an atomic group in each group that is repeated possessively.

    The pattern compiles; if it is a verbose one, no comment in it has brackets.
    """
    if isinstance(pattern, bytes):
        return with_atomic_groups(pattern.decode("latin-1")).encode("latin-1")
    if re.search(_REPEATED, pattern) is None:
        return pattern
    characters = list(pattern)
    opened: list[int] = []
    for found in re.finditer(_TOKEN, pattern, re.DOTALL):
        at = found.start()
        if found[0] == "(":
            opened.append(at)
        elif found[0][0] == ")":
            start = opened.pop()
            if found[1]:
                characters[start] = "(?>("
                characters[at] = "))"
    return "".join(characters)
