"""The scripts in a document that is being edited: their syntax trees, and brackets that nothing closes."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

from msgspec import Struct
from tree_sitter import Point, Tree

from extlint.analysis.syntax.lexer import nests_too_deeply
from extlint.analysis.syntax.parse import Grammar, grammar_of, parse_again, with_marks
from extlint.analysis.syntax.source import parsable
from extlint.analysis.syntax.tree_cache import Parse, ParsedText
from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, has_suffix, is_component
from extlint.project.contexts.pages import scan_page, script_of_component, text_of_component
from extlint.text.patterns import lazy

_TOKEN = lazy(
    rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    rb"|\"(?:[^\"\\\r\n]++|\\(?:\r\n|[\s\S]))*+\"?|'(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*+'?"
    rb"|[`()\[\]{}/]"
)
_TEMPLATE = lazy(rb"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+(`|\$\{|\Z)")
_REGEX = lazy(rb"/(?:[^/\\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*+\])++/")
_BEFORE_REGEX = lazy(
    rb"(?:[(,=:\[!&|?{};+*%~^<>-]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|delete|new))\s*\Z"
)
_LOOK_BACK = 100
_REGEX_MARK = b"/re"
_CLOSERS = {b"(": b")", b"[": b"]", b"{": b"}", b"`": b"`", b"${": b"}"}
_OPENERS = (b"(", b"[", b"{")
_CLOSING = (b")", b"]", b"}")


def missing_closers(text: bytes, offset: int) -> bytes:
    """Returns what closes the string and the brackets that are open at an offset, and only there.

    The rest of the text may close those that were opened further out. An offset within a complete string or
    a comment has nothing to close.
    """
    opened: list[bytes] = []
    at = 0
    quote = b""
    while at < offset:
        if opened[-1:] == [b"`"] and _end_of_template_text(text, at) >= offset:
            return b""
        start, at, token = _next(text, at, opened, offset)
        if token is None or start >= offset:
            at = offset
            break
        is_string = token[:1] in (b'"', b"'")
        is_closed = is_string and len(token) > 1 and token.endswith(token[:1])
        is_open_comment = token.startswith(b"//") or (token.startswith(b"/*") and not token.endswith(b"*/"))
        if at > offset and (is_closed or token.startswith((b"/*", _REGEX_MARK))):
            return b""
        if at >= offset and is_open_comment:
            return b""
        if is_string and not is_closed and at >= offset:
            quote, at = token[:1], offset
            break
    if b"`" in opened:
        return quote
    closed = list(_unmatched_closers(text, at))
    kept = 0
    for opener, closer in zip(opened, reversed(closed), strict=False):
        if _CLOSERS[opener] != closer:
            break
        kept += 1
    return quote + b"".join(_CLOSERS[each] for each in reversed(opened[kept:]))


def _unmatched_closers(text: bytes, at: int) -> Iterator[bytes]:
    """Yields the brackets after an offset that close something opened before it."""
    inner: list[bytes] = []
    while at < len(text):
        depth = len(inner)
        _, at, token = _next(text, at, inner)
        if token is None:
            return
        if not depth and token in _CLOSING:
            yield token


def _end_of_template_text(text: bytes, at: int) -> int:
    found = _TEMPLATE.match(text, at)
    return len(text) if found is None else found.start(1)


def _next(
    text: bytes, at: int, opened: list[bytes], limit: int | None = None
) -> tuple[int, int, bytes | None]:
    """Returns the range and the text of the next token, and updates the open brackets.

    A token that begins at the limit or later changes nothing.
    """
    if opened and opened[-1] == b"`":
        found = _TEMPLATE.match(text, at)
        if found is None or not found[1]:
            return len(text), len(text), None
        if found[1] == b"`":
            opened.pop()
        else:
            opened.append(b"${")
        return found.start(1), found.end(), found[1]
    found = _TOKEN.search(text, at)
    if found is None:
        return len(text), len(text), None
    token, start, after = found[0], found.start(), found.end()
    if limit is not None and start >= limit:
        return start, after, token
    if token == b"/":
        regex = _REGEX.match(text, start)
        if regex is not None and _BEFORE_REGEX.search(text, max(0, start - _LOOK_BACK), start):
            return start, regex.end(), _REGEX_MARK
    elif token == b"`" or token in _OPENERS:
        opened.append(token)
    elif token in _CLOSING and opened and _CLOSERS[opened[-1]] == token:
        opened.pop()
    return start, after, token


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


def parsing_of(name: str, path: str) -> Parse:
    """Returns a parser of a script that is being edited; see `parse_edited`."""

    def parsing(text: bytes, _grammar: Grammar) -> ParsedText | None:
        tree = parse_edited(name, text, path)
        return None if tree is None else ParsedText(text, tree)

    return parsing


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
