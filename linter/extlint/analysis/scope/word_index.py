"""Indexes the occurrences of words in a script."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import each_offset
from extlint.text.positions import encode_name
from extlint.text.word_search import MIN_BYTES_IN_BLOCKS, PASSES, empty_offsets

_PART = 8
"""If a word is searched in more than 1 / `_PART` of the text, the entire text is searched."""

_DOT = ord(".")
_QUOTES = (b"'", b'"')
_STEPS_PER_PLACE = 3
_FEW_PLACES = 4


class Words:
    """The words of one script, searched for one at a time.

    The positions of a word are cached once it has been searched in a large part of the text, or in many small
    ones.
    """

    def __init__(self, tree: SyntaxTree) -> None:
        self.bytes_searched = 0
        """The total bytes of all searches, including those of earlier readers of the same tree."""
        self._tree = tree
        self._is_divided = False
        self._bytes_of: dict[str, int] = {}
        self._occurrences: dict[str, Sequence[int] | None] = {}
        self._names: dict[str, Sequence[int]] = {}

    def close(self) -> None:
        """Frees the cached positions."""
        for each in (self._bytes_of, self._occurrences, self._names):
            each.clear()

    def occurrences(self, word: str) -> Iterable[int]:
        """Returns the byte offsets of a word, in order."""
        known = self._cached_occurrences(word)
        return self._search(word, 0, len(self._tree.text)) if known is None else known

    def quoted_occurrences(self, word: str) -> list[int]:
        """Returns the byte offsets of quoted text that begins with a word, in order."""
        text = self._tree.text
        self._count(len(text))
        return sorted(at + 1 for quote in _QUOTES for at in each_offset(quote + encode_name(word), text))

    def name_occurrences(self, word: str, start: int, end: int) -> Iterable[int]:
        """Returns the byte offsets of a word in a range, in order, except where it is a plain `.word`."""
        known = self._names.get(word)
        if known is None and self._is_worth_caching(word, end - start):
            occurrences = self._cached_occurrences(word)
            if occurrences is not None:
                places = empty_offsets(self._tree.text)
                places.extend(self._without_members(occurrences))
                known = self._names[word] = places
        if known is None:
            return self._without_members(self._search(word, start, end))
        return self._counted(known, bisect_left(known, start), bisect_left(known, end))

    def has_cached_names(self, word: str) -> bool:
        """Whether searching for a word in another range is cheap."""
        return word in self._names

    def _counted(self, places: Sequence[int], first: int, last: int) -> Iterator[int]:
        """Yields positions, counting steps for ever larger batches, as the caller may not use them all."""
        length = _FEW_PLACES
        while first < last:
            part = places[first : min(first + length, last)]
            self._tree.spend(len(part) * _STEPS_PER_PLACE)
            yield from part
            first += length
            length *= 2

    def _is_worth_caching(self, word: str, length: int) -> bool:
        searched = self._bytes_of[word] = self._bytes_of.get(word, 0) + length
        return max(length * _PART, searched) > len(self._tree.text)

    def _without_members(self, places: Iterable[int]) -> Iterator[int]:
        text = self._tree.text
        for at in places:
            if not at or text[at - 1] != _DOT or text[max(0, at - 3) : at] == b"...":
                yield at

    def _search(self, word: str, start: int, end: int) -> Iterator[int]:
        self._count(end - start)
        for at in self._tree.places.offsets_within(encode_name(word), start, end):
            self._tree.spend(_STEPS_PER_PLACE)
            yield at

    def _cached_occurrences(self, word: str) -> Sequence[int] | None:
        """Returns the positions of a word in the entire text, or None if there are too many."""
        if word not in self._occurrences:
            self._count(self._length_to_search(word))
            self._occurrences[word] = self._tree.places.stored_offsets(encode_name(word))
        return self._occurrences[word]

    def _length_to_search(self, word: str) -> int:
        """Returns the bytes read by a search for all positions of a word, were it the first such search."""
        length = len(self._tree.text)
        if not self._is_divided and (length >= MIN_BYTES_IN_BLOCKS or self.bytes_searched > PASSES * length):
            self._is_divided = True
            self._count(length)
        return self._tree.places.size_of_blocks_with(encode_name(word)) if self._is_divided else length

    def _count(self, length: int) -> None:
        self.bytes_searched += length
        self._tree.spend_search(length)
