"""Regular expressions that are compiled on first use, and results that are cached for the last text.

Compiling is a large part of the cost of a short run, and a run uses few of all patterns.

In a long text, a pattern that starts with a literal is found ten times as fast as one that starts with a
lookbehind. So words are searched for one by one, and the preceding text is tested afterwards.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Any, AnyStr, TypeVar, cast

_HAS_POSSESSIVE_BUG = sys.version_info < (3, 11, 5)
"""Whether this Python has the bug that `extlint.text.patterns` works around."""


class _Lazy:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = self._with_atomic_groups() if _HAS_POSSESSIVE_BUG else re.compile(*self._source)
        for each in ("findall", "finditer", "fullmatch", "match", "pattern", "search", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def _with_atomic_groups(self) -> re.Pattern[Any]:
        pattern, flags = self._source
        return re.compile(with_atomic_groups(pattern), flags)


class _Marked(_Lazy):
    """A lazy pattern that is not compiled until it is run on a text that contains one of its marks."""

    def __init__(self, pattern: Any, flags: int, marks: Sequence[Any]) -> None:
        super().__init__(pattern, flags)
        self._marks = marks

    def finditer(self, text: Any, *bounds: int) -> Iterator[re.Match[Any]]:
        return self._call("finditer", text, bounds) or iter(())

    def fullmatch(self, text: Any, *bounds: int) -> Any:
        return self._call("fullmatch", text, bounds)

    def match(self, text: Any, *bounds: int) -> Any:
        return self._call("match", text, bounds)

    def search(self, text: Any, *bounds: int) -> Any:
        return self._call("search", text, bounds)

    def _call(self, method: str, text: Any, bounds: tuple[int, ...]) -> Any:
        for mark in self._marks:
            if mark in text:
                self.__getattr__(method)
                return getattr(self, method)(text, *bounds)
        return None


def isolated_word(word: bytes, before: bytes = rb"\w$", after: bytes | None = None) -> bytes:
    """Returns the source of a pattern for a word without certain characters directly before and after it.

    `before` and `after` are the content of a character class; `after` defaults to `before`.
    """
    quoted = re.escape(word)
    return rb"%b(?<![%b]%b)(?![%b])" % (quoted, before, quoted, before if after is None else after)


def isolated_word_offsets(word: bytes, text: bytes) -> Iterator[int]:
    """Yields the offsets of a word in a text with no letter, digit, `_` or `$` directly before and after it.

    It compiles no pattern for the word, which costs more than searching for it.
    """
    at = text.find(word)
    while at >= 0:
        if not (at and _WORD.match(text, at - 1)) and not _WORD.match(text, at + len(word)):
            yield at
        rest = _WORD.match(text, at)
        at = text.find(word, rest.end() if rest else at + 1)


def each_offset(part: bytes, text: bytes) -> Iterator[int]:
    """Yields the offsets of a part of a text, in order. A regular expression takes twice the time."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def spans_of(patterns: Iterable[re.Pattern[bytes]], text: bytes, start: int = 0) -> list[tuple[int, int]]:
    """Returns the byte ranges that any of these patterns match in a text from an offset on, in order."""
    return sorted(found.span() for pattern in patterns for found in pattern.finditer(text, start))


def lazy(pattern: AnyStr, flags: int = 0, *, needs: Sequence[AnyStr] = ()) -> re.Pattern[AnyStr]:
    """Returns a pattern as `re.compile` does, but compiles it on first use.

    Every text that it matches contains one of the texts in `needs`; other texts are not searched.
    """
    lazy_pattern = _Marked(pattern, flags, needs) if needs else _Lazy(pattern, flags)
    return cast("re.Pattern[AnyStr]", lazy_pattern)


def lazy_word(
    word: bytes, before: bytes = rb"\w$", after: bytes | None = None, *, then: bytes = b""
) -> re.Pattern[bytes]:
    """Returns the lazy pattern of an isolated word, with the pattern of the text directly after it."""
    return lazy(isolated_word(word, before, after) + then, needs=(word,))


_WORD = lazy(rb"[\w$]+")


Answer = TypeVar("Answer")


def cache_last_text(function: Callable[[bytes], Answer]) -> Callable[[bytes], Answer]:
    """Decorates a function of a text so that it caches its result until it is called with another text.

    Texts are compared by identity: comparing their bytes costs as much as searching them.
    """
    last: list[tuple[bytes, Answer]] = []

    @wraps(function)
    def wrapper(text: bytes) -> Answer:
        if not last or last[0][0] is not text:
            last[:] = [(text, function(text))]
        return last[0][1]

    return wrapper


_REPEATED = r"\)(?:[*+?]|\{[0-9,]+\})\+"
_TOKEN = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(|\)(?:(?:[*+?]|\{[0-9,]+\})(\+))?"


def with_atomic_groups(pattern: AnyStr) -> AnyStr:
    r"""Returns the same pattern with an atomic group in each group that is repeated possessively.

    The pattern must compile; if it is verbose, its comments must not contain brackets.

    Up to Python 3.11.4, which Debian 12 has, `(?:X)*+` continues from the end of the last attempt at `X`,
    although that one failed (https://github.com/python/cpython/issues/106052): `/\*(?:[^*]|\*(?!/))*+\*/`
    matches no comment. An atomic group backtracks to its start. Where repeats are correct it changes only the
    time, which increases by a quarter.
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
