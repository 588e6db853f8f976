"""Regular expressions that are compiled when they are first used.

Compiling is a good part of what a short run costs, and a run uses few of all patterns.

In a long text a pattern that begins with a literal is found ten times as fast as one that begins with a test
of what stands before. So words are searched for one by one, and what stands before is tested afterwards.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, AnyStr, cast

_REPEATS_ARE_WRONG = sys.version_info < (3, 11, 5)
"""Whether this Python has the mistake that `extlint.text.possessive` works around."""


class _Lazy:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = self._with_atomic_groups() if _REPEATS_ARE_WRONG else re.compile(*self._given)
        for each in ("findall", "finditer", "fullmatch", "match", "pattern", "search", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def _with_atomic_groups(self) -> re.Pattern[Any]:
        from extlint.text.possessive import with_atomic_groups

        pattern, flags = self._given
        return re.compile(with_atomic_groups(pattern), flags)


class _Marked(_Lazy):
    """A lazy pattern that is not compiled before it is asked about a text that has one of its marks."""

    def __init__(self, pattern: Any, flags: int, marks: Sequence[Any]) -> None:
        super().__init__(pattern, flags)
        self._marks = marks

    def finditer(self, text: Any, *bounds: int) -> Iterator[re.Match[Any]]:
        return self._asked("finditer", text, bounds) or iter(())

    def fullmatch(self, text: Any, *bounds: int) -> Any:
        return self._asked("fullmatch", text, bounds)

    def match(self, text: Any, *bounds: int) -> Any:
        return self._asked("match", text, bounds)

    def search(self, text: Any, *bounds: int) -> Any:
        return self._asked("search", text, bounds)

    def _asked(self, method: str, text: Any, bounds: tuple[int, ...]) -> Any:
        if not any(mark in text for mark in self._marks):
            return None
        self.__getattr__(method)
        return getattr(self, method)(text, *bounds)


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


def each_place(part: bytes, text: bytes) -> Iterator[int]:
    """Where a part of a text stands, in order. A regular expression takes twice the time."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def spans_of(patterns: Iterable[re.Pattern[bytes]], text: bytes, start: int = 0) -> list[tuple[int, int]]:
    """The byte ranges that any of these patterns match in a text from an offset on, in order."""
    return sorted(found.span() for pattern in patterns for found in pattern.finditer(text, start))


def lazy(pattern: AnyStr, flags: int = 0, *, needs: Sequence[AnyStr] = ()) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` gives it, of which the first use compiles it.

    Every text that it matches in has one of the texts that it `needs`: about others it is asked for nothing.
    """
    made = _Marked(pattern, flags, needs) if needs else _Lazy(pattern, flags)
    return cast("re.Pattern[AnyStr]", made)


def lazy_word(
    word: bytes, before: bytes = rb"\w$", after: bytes | None = None, *, then: bytes = b""
) -> re.Pattern[bytes]:
    """The lazy pattern of a word that stands apart, with the pattern of what follows right after it."""
    return lazy(apart(word, before, after) + then, needs=(word,))


_WORD = lazy(rb"[\w$]+")
