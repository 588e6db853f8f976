"""Parses the scripts of one package and caches the trees of the most recent ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from extlint.text.word_search import WordOffsets

if TYPE_CHECKING:
    from tree_sitter import Tree

    from extlint.analysis.syntax.parse import Grammar

MAX_KEPT_BYTES = 2 * 1024 * 1024
"""The bytes of text whose trees are cached; a tree takes about thirty times as much. A longer text is
cached by itself.
"""

_SHARE_NEXT_TO_LONGER = 1 / 16
"""The total size of the texts that may be cached along with a longer one, as a fraction of its size."""

MIN_KEPT_BYTES = 100_000
"""The least bytes of a text whose tree is cached along with others. Of the shorter texts, only the last tree
is cached.
"""


class ParsedText:
    """A syntax tree, and the word positions in its text that were requested.

    It `is_pinned` if it is cached for as long as it may be requested.
    """

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.tree = tree
        self.is_pinned = False
        self.places = WordOffsets(text)


Parse: TypeAlias = "Callable[[bytes, Grammar], ParsedText | None]"
"""A function that parses a text into a syntax tree; see `parse`."""


def parse_uncached(text: bytes, grammar: Grammar) -> ParsedText | None:
    """Returns the syntax tree of a text, uncached. Imports the parser on first use."""
    from extlint.analysis.syntax.parse import parse

    tree = parse(text, grammar)
    return None if tree is None else ParsedText(text, tree)


class TreeCache:
    """Parses scripts and caches the trees of the last large ones, because rules query bundles repeatedly.

    A tree is freed with this object, or before parsing another one if the two do not fit together. If there
    is at most one large script, its tree stays.
    """

    def __init__(self, large: int = 2) -> None:
        """`large` is the number of scripts of `MIN_KEPT_BYTES` or more."""
        self._has_one_large_script = large < 2
        self._kept: list[tuple[bytes, Grammar, ParsedText]] = []
        self._last_small: tuple[bytes, Grammar, ParsedText | None] | None = None
        self._unparsable: set[tuple[bytes, Grammar]] = set()

    def places_in(self, text: bytes) -> WordOffsets | None:
        """Returns the word positions in a text, or None if its tree is not cached."""
        return next((found.places for own, _, found in self._kept if own == text), None)

    def parse(self, text: bytes, grammar: Grammar) -> ParsedText | None:
        """Returns the syntax tree of a text; see `parse`."""
        if len(text) < MIN_KEPT_BYTES:
            if self._last_small is None or self._last_small[:2] != (text, grammar):
                self._last_small = text, grammar, parse_uncached(text, grammar)
            return self._last_small[2]
        if (text, grammar) in self._unparsable:
            return None
        known = next((each for each in self._kept if each[:2] == (text, grammar)), None)
        if known is not None:
            self._kept.remove(known)
            self._kept.append(known)
            return known[2]
        self._make_room(len(text))
        found = parse_uncached(text, grammar)
        if found is None:
            self._unparsable.add((text, grammar))
        else:
            found.is_pinned = self._has_one_large_script
            self._kept.append((text, grammar, found))
        return found

    def _make_room(self, size: int) -> None:
        """Frees the trees that do not fit next to that of a text of `size` bytes."""
        while self._kept:
            sizes = [len(own) for own, *_ in self._kept]
            if size + sum(sizes) <= max(MAX_KEPT_BYTES, max(sizes) * (1 + _SHARE_NEXT_TO_LONGER)):
                return
            del self._kept[0]
