"""Where a word stands in the text of a script."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from extlint.script.tree import SyntaxTree

_WORD = frozenset((*b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$", *range(0x80, 0x100)))
_DOT, _SPACE = b". "
_STEPS_PER_PLACE = 3
_MOST_INDEXED = 100_000
"""Places of one word that are kept."""


class Words:
    """The words of one script, searched for one at a time."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._searched: dict[str, int] = {}
        self._indexed: dict[str, list[int]] = {}

    def places(self, name: str, start: int, end: int) -> Iterator[int]:
        """The byte offsets in a range where the word stands and is not a plain `.word`.

        A word that was searched for in as many bytes as the whole text has is searched for once in all.
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
        """Searches the whole text for a word; whether it stands in few enough places to be kept."""
        places = list(islice(self._search(name, 0, len(self._tree.text), 0), _MOST_INDEXED + 1))
        if len(places) > _MOST_INDEXED:
            self._searched[name] = -sys.maxsize
            return False
        self._indexed[name] = places
        return True

    def _search(self, name: str, start: int, end: int, steps: int) -> Iterator[int]:
        text = self._tree.text
        self._tree.spend_search(end - start)
        for found in _word(name).finditer(text, start, end):
            at = found.start()
            self._tree.spend(steps)
            before = text[at - 1] if at else _SPACE
            if before not in _WORD and (before != _DOT or text[max(0, at - 3) : at] == b"..."):
                yield at


@lru_cache(maxsize=256)
def _word(name: str) -> re.Pattern[bytes]:
    return re.compile(re.escape(name.encode()) + rb"(?![\w$\x80-\xff])")
