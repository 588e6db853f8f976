"""Regular expressions that are compiled when they are first used.

Compiling is a good part of what a short run costs, and a run uses few of all patterns.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Lazy:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        for each in ("findall", "finditer", "fullmatch", "match", "pattern", "search", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` gives it, of which the first use compiles it."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
