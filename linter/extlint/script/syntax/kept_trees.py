"""Parsing for the scripts of one package: the trees of the last ones are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from extlint.text.word_places import WordPlaces

if TYPE_CHECKING:
    from tree_sitter import Tree

    from extlint.script.syntax.parse import Grammar

MAX_KEPT_BYTES = 2 * 1024 * 1024
"""Bytes of the texts whose trees are kept, which take about thirty times as much. A longer one is alone."""

_SHARE_BESIDE_LONGER = 1 / 16
"""How much of a longer one others may be beside which it stays."""

MIN_KEPT_BYTES = 100_000
"""Bytes of a text whose tree is kept until the next one is made."""

_LONG_BYTES = 400 * 1024
"""Bytes of a text whose tree is kept beside others: rules ask for each of the bundles of an extension."""


class ParsedText:
    """A syntax tree, and where the words stand in its text, as far as that was asked for.

    It `stays` if it is kept as long as anybody may ask for it.
    """

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.tree = tree
        self.stays = False
        self.places = WordPlaces(text)


Parsing: TypeAlias = "Callable[[bytes, Grammar], ParsedText | None]"
"""How a text becomes a syntax tree; see `parse`."""


def parsed(text: bytes, grammar: Grammar) -> ParsedText | None:
    """The syntax tree of a text, which is not kept. The parser is imported when it is first needed."""
    from extlint.script.syntax.parse import parse

    tree = parse(text, grammar)
    return None if tree is None else ParsedText(text, tree)


class KeptTrees:
    """Parses scripts, and keeps the trees of the last large ones, as rules ask for those of bundles again.

    A tree is freed with this object, or before another is made for which there is no room beside it. If there
    is one large script at most, its tree stays.
    """

    def __init__(self, large: int = 2) -> None:
        """`large` is how many scripts there are of `MIN_KEPT_BYTES` or more."""
        self._is_alone = large < 2
        self._kept: list[tuple[bytes, Grammar, ParsedText]] = []

    def places_in(self, text: bytes) -> WordPlaces | None:
        """Where words stand in a text, if its tree is kept."""
        return next((found.places for own, _, found in self._kept if own == text), None)

    def parsed(self, text: bytes, grammar: Grammar) -> ParsedText | None:
        """The syntax tree of a text; see `parse`."""
        if len(text) < MIN_KEPT_BYTES:
            return parsed(text, grammar)
        known = next((each for each in self._kept if each[:2] == (text, grammar)), None)
        if known is not None:
            self._kept.remove(known)
            self._kept.append(known)
            return known[2]
        self._make_room(len(text))
        found = parsed(text, grammar)
        if found is not None:
            found.stays = self._is_alone
            self._kept.append((text, grammar, found))
        return found

    def _make_room(self, size: int) -> None:
        """Frees the trees that are not kept beside that of a text of `size` bytes."""
        self._kept = [each for each in self._kept if len(each[0]) >= _LONG_BYTES]
        while self._kept:
            sizes = [len(own) for own, *_ in self._kept]
            if size + sum(sizes) <= max(MAX_KEPT_BYTES, max(sizes) * (1 + _SHARE_BESIDE_LONGER)):
                return
            del self._kept[0]
