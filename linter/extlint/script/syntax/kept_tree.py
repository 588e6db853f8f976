"""Parsing for the scripts of one package: the tree of the last large script is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Tree

    from extlint.script.syntax.parse import Grammar

Parsing: TypeAlias = "Callable[[bytes, Grammar], Tree | None]"
"""How a text becomes a syntax tree; see `parse`."""

_MIN_KEPT_BYTES = 100_000


def parsed(text: bytes, grammar: Grammar) -> Tree | None:
    """The syntax tree of a text, which is not kept. The parser is imported when it is first needed."""
    from extlint.script.syntax.parse import parse

    return parse(text, grammar)


class KeptTree:
    """Parses scripts, and keeps the tree of the last large one, as rules ask for that of a bundle again.

    The tree is freed with this object, or before another large text is parsed.
    """

    def __init__(self) -> None:
        self._kept: tuple[bytes, Grammar, Tree] | None = None

    def parsed(self, text: bytes, grammar: Grammar) -> Tree | None:
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
