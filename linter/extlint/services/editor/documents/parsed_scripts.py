"""The syntax trees of the scripts that are being edited: each is parsed again only where it has changed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from msgspec import Struct
from tree_sitter import Point, Tree

from extlint.analysis.syntax.nesting import nests_too_deeply
from extlint.analysis.syntax.parse import Grammar, grammar_of, parse_again, with_marks
from extlint.analysis.syntax.source import parsable

MAX_KEPT = 8
"""The maximum number of scripts whose trees are kept."""


class _Parsed(Struct, frozen=True):
    text: bytes
    grammar: Grammar
    tree: Tree


_kept: OrderedDict[str, _Parsed] = OrderedDict()
_lock = Lock()


def parse_edited(name: str, text: bytes, path: str) -> Tree | None:
    """Returns the syntax tree of a script, or None if it cannot be parsed.

    `name` identifies the script, whose last tree is used for the parts that are still the same. The suffix of
    `path` determines the language.
    """
    grammar = grammar_of(path)
    text = with_marks(parsable(text))
    with _lock:
        last = _kept.get(name)
    if last is not None and last.text == text and last.grammar == grammar:
        return last.tree
    if nests_too_deeply(text, has_types=grammar != "javascript"):
        return None
    old = None if last is None or last.grammar != grammar else _edited(last, text)
    tree = parse_again(text, grammar, old)
    if tree is not None:
        with _lock:
            _kept[name] = _Parsed(text, grammar, tree)
            _kept.move_to_end(name)
            while len(_kept) > MAX_KEPT:
                _kept.popitem(last=False)
    return tree


def _edited(last: _Parsed, text: bytes) -> Tree:
    """Returns a copy of the last tree with marks on the part that differs in a text."""
    tree = last.tree.copy()
    start = common_length(last.text, text)
    limit = min(len(last.text), len(text)) - start
    same = common_length(last.text[::-1][:limit], text[::-1][:limit])
    old_end, new_end = len(last.text) - same, len(text) - same
    tree.edit(
        start,
        old_end,
        new_end,
        _point(text, start),
        _point(last.text, old_end),
        _point(text, new_end),
    )
    return tree


def _point(text: bytes, offset: int) -> Point:
    return Point(text.count(b"\n", 0, offset), offset - text.rfind(b"\n", 0, offset) - 1)


def common_length(one: bytes, other: bytes) -> int:
    """Returns the length of the longest common beginning of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
