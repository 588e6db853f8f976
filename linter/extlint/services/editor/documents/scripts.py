"""The scripts in a document that is being edited, and their syntax trees."""

from __future__ import annotations

import re
from collections import OrderedDict
from threading import Lock

from msgspec import Struct
from tree_sitter import Point, Tree

from extlint.analysis.syntax.nesting import nests_too_deeply
from extlint.analysis.syntax.parse import Grammar, grammar_of, parse_again, with_marks
from extlint.analysis.syntax.source import parsable
from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, has_suffix, is_component
from extlint.project.contexts.pages import scan_page, script_of_component, text_of_component
from extlint.text.patterns import lazy

MAX_BYTES = 2 * 1024 * 1024
"""The size of the largest script that is examined: larger ones are not written by hand."""

_WORD = lazy(rb"[\w$\x80-\xff]*+")
_WORD_BEFORE = lazy(rb"[\w$\x80-\xff]*\Z")
_OPEN_SCRIPT = lazy(rb"<script(?=[\s>])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>", re.IGNORECASE)
_MAX_WORD = 200


class ScriptPart(Struct, frozen=True):
    """A script in UTF-8, the byte offset in its document where it begins, and an offset in the script."""

    path: str
    text: bytes
    base: int
    offset: int

    @property
    def word(self) -> tuple[int, int]:
        """The byte range of the word at the offset, which may be empty."""
        before = _WORD_BEFORE.search(self.text, max(0, self.offset - _MAX_WORD), self.offset)
        after = _WORD.match(self.text, self.offset)
        start = self.offset if before is None else before.start()
        return start, self.offset if after is None else after.end()


def script_part_at(path: str, data: bytes, offset: int) -> ScriptPart | None:
    """Returns the script at a byte offset of a document in UTF-8, or None elsewhere."""
    if has_suffix(path, SCRIPTS):
        return _part(path, data, 0, offset)
    if not has_suffix(path, (*PAGES, *COMPONENTS)):
        return None
    page = scan_page(data, path)
    bodies = [each.body for each in page.scripts if each.body is not None and each.kind != "other"]
    found = next((each for each in bodies if each[0] <= offset <= each[1]), None)
    if found is None:
        start = data.rfind(b"<script", 0, offset)
        opening = None if start < 0 else _OPEN_SCRIPT.match(data, start, offset)
        if opening is None or b"src=" in opening[0] or b"</script" in data[start:offset].lower():
            return None
        return _part(path, data[opening.end() :], opening.end(), offset)
    if is_component(path) and (whole := script_of_component(page)) is not None:
        return _part(path, text_of_component(data), whole[0], offset)
    return _part(path, data[found[0] : found[1]], found[0], offset)


def _part(path: str, text: bytes, base: int, offset: int) -> ScriptPart | None:
    return ScriptPart(path, text, base, offset - base) if len(text) <= MAX_BYTES else None


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
