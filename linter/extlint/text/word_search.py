"""Searches for words, one at a time and perhaps very many: in a long text, or in many texts.

Reading all words of a text once costs as much as searching it for a dozen of them. Afterwards a word is
searched for only in the blocks that contain it: a name that occurs twice costs at most two blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from extlint.text.patterns import isolated_word, isolated_word_offsets, lazy

if TYPE_CHECKING:
    from array import array

WORD = frozenset((*b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$", *range(0x80, 0x100)))
"""The bytes of names."""

MAX_STORED_OFFSETS = 100_000
"""The maximum number of stored offsets of one word."""

PASSES = 12
"""The number of passes through the text before it is divided into blocks, which costs as much."""

MIN_BYTES_IN_BLOCKS = 256 * 1024
"""The minimum size in bytes of a text that is divided at once: the analysis of so much code searches for
dozens of words.
"""

BLOCK_BYTES = 16 * 1024
"""The minimum size of a block in bytes, not counting the rest of the word at its end."""

_MAX_BLOCKS = 128
"""The number of blocks from which on they are larger instead: each search looks at the words of all."""

MIN_BYTES_AS_HASHES = 4 * 1024 * 1024
"""The minimum size in bytes of a text whose words are stored as hashes. Sets of the words take up to twenty
times the bytes of the text.
"""

_MAX_SHORT_NAME_BYTES = 2
"""The maximum size in bytes of a name that is part of so many others that a regular expression is faster."""

_MIN_BYTES_FOR_PATTERN = 16 * 1024
"""The minimum size in bytes of a text for which compiling a regular expression pays off."""

_BETWEEN = lazy(rb"[^\w$\x80-\xff]")
_SPACED = bytes(each if each in WORD else ord(" ") for each in range(256))
_QUOTED = bytes(each if each in WORD or each in b"\"'`" else ord(" ") for each in range(256))
_QUOTES = frozenset({b'"', b"'", b"`"})


_MIN_BYTES_PACKED = 16 * 1024
"""The minimum size in bytes of a text for which loading `array` pays off: it stores offsets in a seventh
of the memory.
"""


def empty_offsets(text: bytes) -> list[int] | array[int]:
    """Returns an empty container for the offsets of a word in a text."""
    if len(text) < _MIN_BYTES_PACKED:
        return []
    from array import array

    return array("I")


class WordOffsets:
    """The offsets of words in one text. Those of a word are stored once all of them were requested."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._searched = 0
        self._blocks: _Blocks | None = None
        self._offsets: dict[bytes, Sequence[int] | None] = {}

    def spans_of(self, patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[tuple[int, int]]:
        """Returns the byte ranges that patterns match at their words. Each pattern starts with its word."""
        return sorted(
            found.span()
            for word, pattern in patterns.items()
            for at in self.iter_offsets(word)
            if (found := pattern.match(self._text, at)) is not None
        )

    def iter_offsets(self, word: bytes) -> Iterable[int]:
        """Returns the byte offsets of a word in the whole text, in order, however many there are."""
        found = self.stored_offsets(word)
        return self.offsets_within(word, 0, len(self._text)) if found is None else found

    def occurs_more_than(self, word: bytes, count: int) -> bool:
        """Whether a word occurs in the text more often than `count` times; the search stops once it does."""
        known = self._offsets.get(word)
        if known is not None:
            return len(known) > count
        ranges = [(0, len(self._text))] if self._blocks is None else self._blocks.blocks_with(word)
        found = (at for start, end in ranges for at in word_occurrences(self._text, word, start, end))
        return next(islice(found, count, None), None) is not None

    def may_occur_within(self, word: bytes, start: int, end: int) -> bool:
        """Whether a word may occur in a range of bytes; the whole text is searched at once."""
        found = self.stored_offsets(word)
        if found is None:
            return self._text.find(word, start, end) >= 0
        at = bisect_left(found, start)
        return at < len(found) and found[at] < end

    def contains(self, word: bytes) -> bool | None:
        """Whether a word occurs in the text, or None if answering requires reading the text again."""
        return None if self._blocks is None else word in self._blocks.words_among([word])

    def find_unquoted(self, words: Iterable[bytes]) -> frozenset[bytes] | None:
        """Returns the result of `unquoted_words`, or None if that requires reading the text again."""
        if self._blocks is None:
            return None
        return frozenset(filter(self._occurs_unquoted, self._blocks.words_among(words)))

    def _occurs_unquoted(self, word: bytes) -> bool:
        text, length = self._text, len(word)
        return any(
            text[at - 1 : at] not in _QUOTES and text[at + length : at + length + 1] not in _QUOTES
            for start, end in self._ensure_blocks().blocks_with(word)
            for at in word_occurrences(text, word, start, end)
        )

    def offsets_within(self, word: bytes, start: int, end: int) -> Iterator[int]:
        """Returns the byte offsets of a word in a range, in order."""
        self._searched += end - start
        return word_occurrences(self._text, word, start, end)

    def stored_offsets(self, word: bytes) -> Sequence[int] | None:
        """Returns the byte offsets of a word in the whole text, in order, or None if there are too many."""
        if word not in self._offsets:
            self._offsets[word] = self._find(word)
        return self._offsets[word]

    def size_of_blocks_with(self, word: bytes) -> int:
        """Returns the size in bytes of the blocks that may contain a word."""
        return sum(end - start for start, end in self._ensure_blocks().blocks_with(word))

    def _find(self, word: bytes) -> Sequence[int] | None:
        text = self._text
        is_divided = (
            self._blocks is not None
            or len(text) >= MIN_BYTES_IN_BLOCKS
            or self._searched > PASSES * len(text)
        )
        found = empty_offsets(text)
        for start, end in self._ensure_blocks().blocks_with(word) if is_divided else [(0, len(text))]:
            self._searched += end - start
            found.extend(word_occurrences(text, word, start, end))
            if len(found) > MAX_STORED_OFFSETS:
                return None
        return found

    def _ensure_blocks(self) -> _Blocks:
        if self._blocks is None:
            self._blocks = _Blocks(self._text)
        return self._blocks


class _Blocks:
    """The blocks of a text, and the words of each."""

    def __init__(self, text: bytes) -> None:
        self._ends: list[int] = []
        self._words: list[set[bytes] | _Hashes] = []
        store = set[bytes] if len(text) < MIN_BYTES_AS_HASHES else _Hashes
        for start, end in _blocks_of(text):
            self._ends.append(end)
            self._words.append(store(_words(text[start:end])))

    def words_among(self, words: Iterable[bytes]) -> frozenset[bytes]:
        """Returns those of some words of ASCII letters, digits, `_` and `$` that occur in any block."""
        requested = frozenset(words)
        return frozenset[bytes]().union(*(requested & each for each in self._words))

    def blocks_with(self, word: bytes) -> Iterator[tuple[int, int]]:
        """Yields the byte ranges of the blocks that may contain a word, in order."""
        is_one = WORD.issuperset(word)
        start = 0
        for words, end in zip(self._words, self._ends, strict=True):
            if word in words or not is_one:
                yield start, end
            start = end


class _Hashes:
    """The words of a block as sorted hashes, of eight bytes each."""

    def __init__(self, words: Iterable[bytes]) -> None:
        from array import array

        self._hashes = array("q", sorted(set(map(hash, words))))

    def __contains__(self, word: bytes) -> bool:
        sought = hash(word)
        at = bisect_left(self._hashes, sought)
        return at < len(self._hashes) and self._hashes[at] == sought

    def __rand__(self, words: frozenset[bytes]) -> frozenset[bytes]:
        return frozenset(filter(self.__contains__, words))


def words_in(text: bytes) -> frozenset[bytes]:
    """Returns the words of a text.

    A list of all occurrences in a long text would take eight times its bytes.
    """
    found = set[bytes]()
    for start, end in _blocks_of(text):
        found.update(_words(text[start:end]))
    return frozenset(found)


def _words(block: bytes) -> list[bytes]:
    return block.translate(_SPACED).split()


def unquoted_words(text: bytes, words: Iterable[bytes]) -> frozenset[bytes]:
    """Returns those of some words that occur in a text other than directly next to a quote, as in strings."""
    sought, found = frozenset(words), set[bytes]()
    for start, end in _blocks_of(text):
        found |= sought.intersection(text[start:end].translate(_QUOTED).split())
    return frozenset(found)


def word_occurrences(text: bytes, name: bytes, start: int, end: int) -> Iterator[int]:
    """Yields the byte offsets in a range at which a name occurs that is not part of a longer word."""
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


def _blocks_of(text: bytes) -> Iterator[tuple[int, int]]:
    """Yields the byte ranges of the blocks of a text, which end between words."""
    start, size = 0, max(BLOCK_BYTES, len(text) // _MAX_BLOCKS)
    while start < len(text):
        is_last = len(text) - start <= size
        gap = None if is_last else _BETWEEN.search(text, start + size)
        end = len(text) if gap is None else gap.start()
        yield start, end
        start = end


@lru_cache(maxsize=4096)
def _short_word(name: bytes) -> re.Pattern[bytes]:
    return re.compile(isolated_word(name, rb"\w$\x80-\xff"))


MAX_SEARCHES = 40
"""The maximum number of words searched for in the texts; after that, listing all of their words costs
less.
"""

MAX_LISTED_BYTES = 8_000_000
"""The maximum total size in bytes of texts whose words are listed, the shortest first."""

_WORD = lazy(rb"[\w$]++")


class WordSearch:
    """The words of some texts: runs of ASCII letters, digits, `_` and `$`. Equal texts are searched once."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._indexes: dict[bytes, list[int]] = {}
        for at, text in enumerate(texts):
            self._indexes.setdefault(text, []).append(at)
        self._searches = 0
        self._unlisted = [*self._indexes]
        self._listed: dict[bytes, list[int]] = {}

    def texts_with(self, word: bytes) -> Sequence[int]:
        """Returns the indexes of the texts that contain a word that is not part of a longer one."""
        if self._searches == MAX_SEARCHES:
            self._list_words()
        self._searches += 1
        is_listed = _WORD.fullmatch(word) is not None
        found = [*self._listed.get(word, ())] if is_listed else []
        for text in self._unlisted if is_listed else self._indexes:
            if word in text and any(True for _ in isolated_word_offsets(word, text)):
                found += self._indexes[text]
        return sorted(found)

    def _list_words(self) -> None:
        """Lists the words of the texts that are short enough together."""
        self._unlisted.sort(key=len, reverse=True)
        size = 0
        while self._unlisted and size + len(self._unlisted[-1]) <= MAX_LISTED_BYTES:
            text = self._unlisted.pop()
            size += len(text)
            for each in frozenset(_WORD.findall(text)):
                self._listed.setdefault(each, []).extend(self._indexes[text])
