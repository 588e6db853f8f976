"""The files and messages that an editor offers in pages and style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from msgspec import Struct

from extlint.package.references import folder_of
from extlint.project.contexts.page_code import attribute_text, read_tags
from extlint.services.editor.documents.document import Document
from extlint.services.editor.documents.text_cursor import Completion, Name
from extlint.services.editor.files import FileKind, Place, file_items
from extlint.services.editor.messages import is_in_comment, message_items, targets_of_message
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_TAG = lazy(rb"<([A-Za-z][\w-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)\s([\w:-]+)\s*=\s*([\"']?)([^\"'<>]*)\Z")
_RELATION = lazy(rb"\brel\s*=\s*[\"']?([\w\s-]+)", re.IGNORECASE)
_URL = lazy(rb"((?<![\w-])url\(\s*|@import\s+(?:url\(\s*)?)([\"']?)([^\"'()\s;]*)\Z", re.IGNORECASE)
_URL_END = lazy(rb"[^\"'()\s;]*")
_STYLE_START = lazy(rb"<style\b[^>]*>", re.IGNORECASE)
_MAX_TAG_BYTES = 4_000
_MAX_LINE_BYTES = 1_000

_KINDS = {
    (b"script", b"src"): FileKind.SCRIPT,
    (b"img", b"src"): FileKind.IMAGE,
    (b"input", b"src"): FileKind.IMAGE,
    (b"image", b"href"): FileKind.IMAGE,
    (b"video", b"poster"): FileKind.IMAGE,
    (b"video", b"src"): FileKind.MEDIA,
    (b"audio", b"src"): FileKind.MEDIA,
    (b"source", b"src"): FileKind.MEDIA,
    (b"iframe", b"src"): FileKind.PAGE,
    (b"frame", b"src"): FileKind.PAGE,
    (b"a", b"href"): FileKind.PAGE,
    (b"area", b"href"): FileKind.PAGE,
    (b"form", b"action"): FileKind.PAGE,
    (b"embed", b"src"): FileKind.ANY,
    (b"object", b"data"): FileKind.ANY,
}
_LINKED = {
    b"icon": FileKind.IMAGE,
    b"modulepreload": FileKind.SCRIPT,
    b"preload": FileKind.ANY,
    b"stylesheet": FileKind.STYLE,
}


class Attribute(Struct, frozen=True):
    """An attribute of an element: its name, the byte range of its value, and the text of the whole tag."""

    element: bytes
    name: bytes
    span: ByteSpan
    tag: bytes


def items_in_page(document: Document, at: int) -> Iterator[Completion]:
    """Yields the files and messages that fit at a byte offset of a page: in an attribute, or in a style."""
    data = document.data
    style = None
    for each in _STYLE_START.finditer(data, 0, at):
        style = each
    if style is not None and data.lower().find(b"</style", style.end(), at) < 0:
        yield from items_in_style_sheet(document, at, style.end())
        return
    found = attribute_at(data, at)
    if found is None:
        return
    if names_messages(found.name):
        yield from message_items(document, found.span, with_predefined=False)
    kind = _kind_of(found)
    folder = folder_of(document.path, _base(document)) if kind is not None else None
    if kind is not None and folder is not None:
        yield from file_items(document, found.span, kind, Place.FOLDER, folder=folder, quote=escape)


def attribute_at(data: bytes, at: int) -> Attribute | None:
    """Returns the attribute around a byte offset of a page, whose tag and value may be yet to be closed."""
    if data.rfind(b"<!--", 0, at) > data.rfind(b"-->", 0, at):
        return None
    opening = data.rfind(b"<", max(0, at - _MAX_TAG_BYTES), at)
    found = None if opening < 0 else _TAG.match(data, opening, at)
    if found is None:
        return None
    span = found.start(5), _end_of_value(data, at, found[4])
    return Attribute(found[1].lower(), found[3].lower(), span, data[opening : _end_of_tag(data, at)])


def names_messages(attribute: bytes) -> bool:
    """Whether scripts use to replace the content of an element by the message that an attribute names."""
    return b"i18n" in attribute or b"l10n" in attribute


def message_at(document: Document, at: int) -> Iterator[Name]:
    """Yields the message that an attribute for scripts names at an offset of a page: `data-i18n="title"`."""
    found = attribute_at(document.data, at)
    if found is not None and names_messages(found.name) and found.span[1] >= at:
        name = document.data[slice(*found.span)].decode("utf-8", "replace")
        targets = targets_of_message(document, name)
        if targets:
            yield Name(found.span, targets)


def kind_of_attribute(element: str, attribute: str) -> FileKind | None:
    """Returns the kind of file that an attribute of an element names, or None."""
    return _KINDS.get((element.encode(), attribute.encode()))


def _kind_of(found: Attribute) -> FileKind | None:
    if (found.element, found.name) == (b"link", b"href"):
        relation = _RELATION.search(found.tag)
        names = b"stylesheet" if relation is None else relation[1].lower()
        return next((_LINKED[each] for each in names.split() if each in _LINKED), None)
    return _KINDS.get((found.element, found.name))


def _end_of_tag(data: bytes, at: int) -> int:
    end = data.find(b">", at, at + _MAX_TAG_BYTES)
    return at if end < 0 else end


def _end_of_value(data: bytes, at: int, quote: bytes) -> int:
    """Returns the end of the attribute around an offset, if it is complete, or else the offset."""
    found = re.compile(rb"[^\"'<>\r\n]*" if quote else rb"[^\"'<>\s]*").match(data, at)
    end = at if found is None else found.end()
    return end if not quote or data.startswith(quote, end) else at


def _base(document: Document) -> str | None:
    if b"<base" not in document.data.lower():
        return None
    bases = (
        attribute_text(document.data, tag, b"href")
        for tag in read_tags(document.data, document.path)
        if tag.name == b"base"
    )
    return next((each for each in bases if each is not None), None)


def items_in_style_sheet(document: Document, at: int, start: int = 0) -> Iterator[Completion]:
    """Yields the files that fit at a byte offset of a style sheet, which begins at `start`."""
    data = document.data
    if is_in_comment(data[start:at], at):
        return
    found = _URL.search(data, max(start, at - _MAX_LINE_BYTES), at)
    if found is None:
        return
    is_import = found[1].lower().startswith(b"@import")
    if is_import and not found[2] and not found[1].endswith(b"("):
        return
    rest = _URL_END.match(data, at)
    end = at if rest is None else rest.end()
    if found[2] and not data.startswith(found[2], end):
        end = at
    span: ByteSpan = (found.start(3), end)
    kind = FileKind.STYLE if is_import else FileKind.ASSET
    yield from file_items(document, span, kind, Place.FOLDER)
