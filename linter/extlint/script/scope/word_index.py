"""An index of the words in the text of a script."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from extlint.script.syntax.tree import SyntaxTree
from extlint.text.positions import encoded

WORD = frozenset((*b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$", *range(0x80, 0x100)))
"""The bytes of names."""

_MAX_SHORT_NAME_BYTES = 2
"""Bytes of a name that is part of so many others that a regular expression finds it sooner."""

_DOT, _SPACE = b". "
_STEPS_PER_PLACE = 3
_MAX_INDEXED = 100_000
"""Places of one word that are kept."""


class Words:
    """The words of one script, searched for one at a time."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._searched: dict[str, int] = {}
        self._indexed: dict[str, list[int]] = {}

    def places(self, name: str, start: int, end: int) -> Iterator[int]:
        """The byte offsets in a range where the word stands and is not a plain `.word`.

        Once the searches for a word have covered as many bytes as the text has, the word is indexed.
        """
        places = self._indexed.get(name)
        if places is not None:
            first, last = bisect_left(places, start), bisect_left(places, end)
            self._tree.spend((last - first) * _STEPS_PER_PLACE)
            return iter(places[first:last])
        searched = self._searched.get(name, 0) + end - start
        self._searched[name] = searched
        if searched > len(self._tree.text) > end - start and self._index(name):
            return self.places(name, start, end)
        return self._search(name, start, end, _STEPS_PER_PLACE)

    def _index(self, name: str) -> bool:
        """Indexes a word of the whole text; returns whether it has few enough places to be kept."""
        places = list(islice(self._search(name, 0, len(self._tree.text), 0), _MAX_INDEXED + 1))
        if len(places) > _MAX_INDEXED:
            self._searched[name] = -sys.maxsize
            return False
        self._indexed[name] = places
        return True

    def _search(self, name: str, start: int, end: int, steps: int) -> Iterator[int]:
        text = self._tree.text
        self._tree.spend_search(end - start)
        for at in word_ends(text, encoded(name), start, end):
            self._tree.spend(steps)
            before = text[at - 1] if at else _SPACE
            if before not in WORD and (before != _DOT or text[max(0, at - 3) : at] == b"..."):
                yield at


def word_ends(text: bytes, name: bytes, start: int, end: int) -> Iterator[int]:
    """The byte offsets in a range where a name stands and is not the beginning of a longer word."""
    if len(name) <= _MAX_SHORT_NAME_BYTES:
        yield from (found.start() for found in _short_word(name).finditer(text, start, end))
        return
    at = text.find(name, start, end)
    while at >= 0:
        after = at + len(name)
        if after >= end or text[after] not in WORD:
            yield at
        at = text.find(name, at + 1, end)


@lru_cache(maxsize=4096)
def _short_word(name: bytes) -> re.Pattern[bytes]:
    return re.compile(re.escape(name) + rb"(?![\w$\x80-\xff])")
