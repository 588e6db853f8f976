"""Where the words of a script stand."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from extlint.script.scope.word_blocks import WORD, WordBlocks
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import apart
from extlint.text.positions import encoded

MAX_PLACES_KEPT = 100_000
"""Places of one word that are kept."""

PASSES = 12
"""How often the text is searched from end to end before it is divided into blocks, which costs as much."""

_MAX_SHORT_NAME_BYTES = 2
"""Bytes of a name that is part of so many others that a regular expression finds it sooner."""

_MIN_BYTES_FOR_PATTERN = 16 * 1024
"""Bytes of a text for which it pays to compile a regular expression."""

_PART = 8
"""The whole text is searched for a word that is wanted in a part that is larger than 1 / `_PART` of it."""

_DOT = ord(".")
_STEPS_PER_PLACE = 3
_FEW_PLACES = 4


class Words:
    """The words of one script, searched for one at a time.

    The places of a word are kept once it was wanted in a large part of the text, or in many small ones.
    """

    def __init__(self, tree: SyntaxTree) -> None:
        self.bytes_searched = 0
        """The bytes that were read for all words together."""
        self._tree = tree
        self._blocks: WordBlocks | None = None
        self._bytes_of: dict[str, int] = {}
        self._standing: dict[str, Sequence[int] | None] = {}
        self._names: dict[str, Sequence[int]] = {}

    def close(self) -> None:
        """Frees the places that are kept."""
        self._blocks = None
        for each in (self._bytes_of, self._standing, self._names):
            each.clear()

    def standing(self, word: str) -> Iterable[int]:
        """The byte offsets where a word stands, in order."""
        known = self._kept(word)
        return self._search(word, 0, len(self._tree.text)) if known is None else known

    def names(self, word: str, start: int, end: int) -> Iterable[int]:
        """The byte offsets in a range where a word stands and is not a plain `.word`, in order."""
        known = self._names.get(word)
        if known is None and self._is_worth_keeping(word, end - start):
            standing = self._kept(word)
            if standing is not None:
                known = self._names[word] = array("I", self._without_members(standing))
        if known is None:
            return self._without_members(self._search(word, start, end))
        return self._counted(known, bisect_left(known, start), bisect_left(known, end))

    def keeps_names(self, word: str) -> bool:
        """Whether it costs little to ask for a word's places in another range."""
        return word in self._names

    def _counted(self, places: Sequence[int], first: int, last: int) -> Iterator[int]:
        """Places one by one, of which more and more count at once, as whoever asks may not want all."""
        length = _FEW_PLACES
        while first < last:
            part = places[first : min(first + length, last)]
            self._tree.spend(len(part) * _STEPS_PER_PLACE)
            yield from part
            first += length
            length *= 2

    def _is_worth_keeping(self, word: str, length: int) -> bool:
        searched = self._bytes_of[word] = self._bytes_of.get(word, 0) + length
        return max(length * _PART, searched) > len(self._tree.text)

    def _without_members(self, places: Iterable[int]) -> Iterator[int]:
        text = self._tree.text
        for at in places:
            if not at or text[at - 1] != _DOT or text[max(0, at - 3) : at] == b"...":
                yield at

    def _search(self, word: str, start: int, end: int) -> Iterator[int]:
        self._count(end - start)
        for at in whole_words(self._tree.text, encoded(word), start, end):
            self._tree.spend(_STEPS_PER_PLACE)
            yield at

    def _kept(self, word: str) -> Sequence[int] | None:
        """The places of a word in the whole text; None if there are too many."""
        if word not in self._standing:
            self._standing[word] = self._all_places(word)
        return self._standing[word]

    def _all_places(self, word: str) -> Sequence[int] | None:
        text, written = self._tree.text, encoded(word)
        if self._blocks is None and self.bytes_searched > PASSES * len(text):
            self._count(len(text))
            self._blocks = WordBlocks(text)
        found = array("I")
        for start, end in [(0, len(text))] if self._blocks is None else self._blocks.with_word(written):
            self._count(end - start)
            found.extend(whole_words(text, written, start, end))
            if len(found) > MAX_PLACES_KEPT:
                return None
        return found

    def _count(self, length: int) -> None:
        self.bytes_searched += length
        self._tree.spend_search(length)


def whole_words(text: bytes, name: bytes, start: int, end: int) -> Iterator[int]:
    """The byte offsets in a range where a name stands and is not part of a longer word."""
    length = len(name)
    if length <= _MAX_SHORT_NAME_BYTES and end - start >= _MIN_BYTES_FOR_PATTERN:
        yield from [found.start() for found in _short_word(name).finditer(text, start, end)]
        return
    at = text.find(name, start, end)
    while at >= 0:
        after = at + length
        if (after >= end or text[after] not in WORD) and (not at or text[at - 1] not in WORD):
            yield at
        at = text.find(name, at + 1, end)


@lru_cache(maxsize=4096)
def _short_word(name: bytes) -> re.Pattern[bytes]:
    return re.compile(apart(name, rb"\w$\x80-\xff"))
