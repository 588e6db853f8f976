"""A long text in blocks, and which words stand in each of them.

Reading all words of a text once costs as much as searching it for a dozen of them. Afterwards a word is
searched for only in the blocks that have it: a name that stands at two places costs two blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.text.patterns import lazy

WORD = frozenset((*b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$", *range(0x80, 0x100)))
"""The bytes of names."""

BLOCK_BYTES = 32 * 1024
"""Bytes of a block, without the rest of the word at its end."""

_BETWEEN = lazy(rb"[^\w$\x80-\xff]")
_SPACED = bytes(each if each in WORD else ord(" ") for each in range(256))


class WordBlocks:
    """The blocks of a text that have each word, as the bits of a number."""

    def __init__(self, text: bytes) -> None:
        self._ends: list[int] = []
        self._blocks: dict[bytes, int] = {}
        known = self._blocks.get
        start, bit = 0, 1
        while start < len(text):
            gap = _BETWEEN.search(text, start + BLOCK_BYTES)
            end = len(text) if gap is None else gap.start()
            for word in set(text[start:end].translate(_SPACED).split()):
                self._blocks[word] = known(word, 0) | bit
            self._ends.append(end)
            start, bit = end, bit << 1

    def with_word(self, word: bytes) -> Iterator[tuple[int, int]]:
        """The byte ranges of the blocks that may have a word, in order."""
        if not WORD.issuperset(word):
            yield from zip([0, *self._ends], self._ends, strict=False)
            return
        left = self._blocks.get(word, 0)
        while left:
            lowest = left & -left
            index = lowest.bit_length() - 1
            yield self._ends[index - 1] if index else 0, self._ends[index]
            left ^= lowest
