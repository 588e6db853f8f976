"""Parsing for the scripts of one package: the tree of the last large script is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from extlint.text.word_places import WordPlaces

if TYPE_CHECKING:
    from tree_sitter import Tree

    from extlint.script.syntax.parse import Grammar

_MIN_KEPT_BYTES = 100_000


class ParsedText:
    """A syntax tree, and where the words stand in its text, as far as that was asked for."""

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.tree = tree
        self.places = WordPlaces(text)


Parsing: TypeAlias = "Callable[[bytes, Grammar], ParsedText | None]"
"""How a text becomes a syntax tree; see `parse`."""


def parsed(text: bytes, grammar: Grammar) -> ParsedText | None:
    """The syntax tree of a text, which is not kept. The parser is imported when it is first needed."""
    from extlint.script.syntax.parse import parse

    tree = parse(text, grammar)
    return None if tree is None else ParsedText(text, tree)


class KeptTree:
    """Parses scripts, and keeps the tree of the last large one, as rules ask for that of a bundle again.

    The tree is freed with this object, or before another large text is parsed.
    """

    def __init__(self) -> None:
        self._kept: tuple[bytes, Grammar, ParsedText] | None = None

    def places_in(self, text: bytes) -> WordPlaces | None:
        """Where words stand in a text, if its tree is kept."""
        return self._kept[2].places if self._kept is not None and self._kept[0] == text else None

    def parsed(self, text: bytes, grammar: Grammar) -> ParsedText | None:
        """The syntax tree of a text; see `parse`."""
        if len(text) < _MIN_KEPT_BYTES:
            return parsed(text, grammar)
        if self._kept is None or self._kept[:2] != (text, grammar):
            self._kept = None  # its memory is free before the next is made
            found = parsed(text, grammar)
            if found is None:
                return None
            self._kept = (text, grammar, found)
        return self._kept[2]
