r"""Works around a bug in possessive repeats of groups in the first releases of Python 3.11.

Up to Python 3.11.4, which Debian 12 has, `(?:X)*+` continues from the end of the last attempt at `X`,
although that one failed (https://github.com/python/cpython/issues/106052): `/\*(?:[^*]|\*(?!/))*+\*/` matches
no comment. An atomic group backtracks to its start. Where repeats are correct it changes only the time, which
increases by a quarter.
"""

from __future__ import annotations

import re
from typing import AnyStr

_REPEATED = r"\)(?:[*+?]|\{[0-9,]+\})\+"
_TOKEN = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(|\)(?:(?:[*+?]|\{[0-9,]+\})(\+))?"


def with_atomic_groups(pattern: AnyStr) -> AnyStr:
    """Returns the same pattern with an atomic group in each group that is repeated possessively.

    The pattern must compile; if it is verbose, its comments must not contain brackets.
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
