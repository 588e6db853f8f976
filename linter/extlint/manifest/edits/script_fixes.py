"""Fixes of scripts: edits of the code, most of them of a misspelled name that it contains literally."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extlint.finding import Edit, Fix
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Span, TextEdit, TextIndex

_IDENTIFIER = lazy(rb"[A-Za-z_$][\w$]*")
_QUOTED = lazy(rb"""(["'`])([^"'`\\$\r\n]*)\1""")
_AFTER_KEY = lazy(rb"\s*+([:,}=(]?)")
_LAST_MEMBER = rb"""\s*(?:\??\.\s*[\w$]+|(?:\?\.\s*)?\[\s*(?:"[\w$]+"|'[\w$]+'|`[\w$]+`)\s*\])"""
_MAX_MEMBER_BYTES = 1_000
"""The maximum length of an expression that is treated as a member."""


def rename_member(
    path: str, index: TextIndex, span: Span, names: Sequence[str], at: int, name: str, *, safe: bool
) -> Fix | None:
    """Returns a fix that renames one of the names in an expression such as `browser.tabs.query`.

    `names` are the last ones of the expression, and `at` is the index of the wrong one. Returns None for any
    other code at the span, for example if a variable holds the object before.
    """
    start, end = (index.offset(each) for each in span)
    if end - start > _MAX_MEMBER_BYTES:
        return None
    wrong = names[at].encode()
    if index.text[start:end] == wrong and at == len(names) - 1:
        return rename_key(path, index, (start, end), name, safe=safe)
    found = re.search(
        rb"(?:\.\s*|\[\s*[\"'`])(%s)(?:[\"'`]\s*\])?(?:%s){%d}$"
        % (re.escape(wrong), _LAST_MEMBER, len(names) - 1 - at),
        index.text[start:end],
    )
    if found is None or not _IDENTIFIER.fullmatch(name.encode()):
        return None
    return _replacement(path, index, (start + found.start(1), start + found.end(1)), name, safe=safe)


def rename_key(path: str, index: TextIndex, where: ByteSpan, name: str, *, safe: bool) -> Fix | None:
    """Returns a fix that renames a key of an object: in an object literal, or in a destructuring pattern.

    `where` is the byte range of the key. If the key also names a variable, the variable keeps its name.
    """
    written = index.text[where[0] : where[1]]
    if _QUOTED.fullmatch(written):
        return replace_value(path, index, where, name, safe=safe)
    after = _AFTER_KEY.match(index.text, where[1])
    before = index.text[max(0, where[0] - _MAX_MEMBER_BYTES) : where[0]].rstrip()[-1:]
    if not after or not _IDENTIFIER.fullmatch(written) or not _IDENTIFIER.fullmatch(name.encode()):
        return None
    if after[1] in (b":", b"(") and before in (b"{", b","):
        return _replacement(path, index, where, name, safe=safe)
    if after[1] in (b",", b"}", b"=") and before in (b"{", b","):
        return _replacement(path, index, where, f"{name}: {written.decode()}", safe=safe, shown=name)
    return None


def rename_field(path: str, index: TextIndex, where: ByteSpan, name: str, *, safe: bool) -> Fix | None:
    """Returns a fix that renames a field that is read; `where` is the byte range of the name only."""
    before = index.text[max(0, where[0] - _MAX_MEMBER_BYTES) : where[0]].rstrip()[-1:]
    if before == b"." and _IDENTIFIER.fullmatch(index.text, *where):
        return _replacement(path, index, where, name, safe=safe)
    return rename_key(path, index, where, name, safe=safe)


def replace_value(path: str, index: TextIndex, where: ByteSpan, text: str, *, safe: bool) -> Fix | None:
    """Returns a fix that replaces the text of a string literal, or None for any other byte range."""
    found = _QUOTED.fullmatch(index.text, *where)
    if found is None or re.search(r"[\"'`\\$]|[^ -~]", text):
        return None
    return _replacement(path, index, found.span(2), text, safe=safe)


def fix_by_edits(
    path: str, index: TextIndex, base: int, edits: Sequence[TextEdit] | None, message: str
) -> Fix | None:
    """Returns an unsafe fix that makes edits of the script that begins at an offset of a file.

    Returns None without edits, and if the script in the file is not the code that was analyzed.
    """
    if not edits:
        return None
    start, end = edits[0].start + base, edits[-1].end + base
    if not index.is_as_written(min(start, end), max(start, end)):
        return None
    return Fix(
        False,
        tuple(Edit(path, index.span(each.start + base, each.end + base), each.text) for each in edits),
        message,
    )


def text_at(index: TextIndex, where: ByteSpan) -> str:
    """Returns the name, or the text of the literal, at a byte range."""
    found = _QUOTED.fullmatch(index.text, *where)
    return (found[2] if found else index.text[where[0] : where[1]]).decode("utf-8", "replace")


def _replacement(
    path: str, index: TextIndex, where: ByteSpan, text: str, *, safe: bool, shown: str | None = None
) -> Fix | None:
    if not index.is_as_written(*where):
        return None
    was = index.text[where[0] : where[1]].decode("utf-8", "replace")
    edit = Edit(path, index.span(*where), text)
    return Fix(safe, (edit,), f"Replace `{was}` with `{text if shown is None else shown}`")
