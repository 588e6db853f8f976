"""Regular expressions that are compiled when they are first used.

Compiling is a good part of what a short run costs, and a run uses few of all patterns.

In a long text a pattern that begins with a literal is found ten times as fast as one that begins with a test
of what stands before. So words are searched for one by one, and what stands before is tested afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, AnyStr, cast


class _Lazy:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        for each in ("findall", "finditer", "fullmatch", "match", "pattern", "search", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def apart(word: bytes, before: bytes = rb"\w$", after: bytes | None = None) -> bytes:
    """The source of a pattern of a word with no such characters right before and right after it.

    `before` and `after` are what may stand in a class of characters; `after` is like `before` by default.
    """
    quoted = re.escape(word)
    return rb"%b(?<![%b]%b)(?![%b])" % (quoted, before, quoted, before if after is None else after)


def places_of(word: bytes, text: bytes) -> Iterator[int]:
    """Where a word stands in a text with no letter, digit, `_` or `$` right before and after it.

    No pattern is made of the word, which costs more than to search for it.
    """
    at = text.find(word)
    while at >= 0:
        if not (at and _WORD.match(text, at - 1)) and not _WORD.match(text, at + len(word)):
            yield at
        rest = _WORD.match(text, at)
        at = text.find(word, rest.end() if rest else at + 1)


def spans_of(patterns: Iterable[re.Pattern[bytes]], text: bytes) -> list[tuple[int, int]]:
    """The byte ranges that any of these patterns match in a text, in order."""
    return sorted(found.span() for pattern in patterns for found in pattern.finditer(text))


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` gives it, of which the first use compiles it."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


_WORD = lazy(rb"[\w$]+")
