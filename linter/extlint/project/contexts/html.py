"""The tags of an HTML page, found by the tokenizer rules of the WHATWG HTML standard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct, field

from extlint.package.suffixes import is_xhtml
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan


class Tag(Struct, frozen=True):
    """A start or end tag. `name` and the names of attributes are in lower case.

    `attributes` of a start tag are the byte ranges of the values, without quotes; of duplicate names only the
    first counts. `body` is the byte range of the text of a script or an empty element.
    """

    name: bytes
    is_end: bool
    attributes: Mapping[bytes, ByteSpan] = field(default_factory=dict)
    body: ByteSpan | None = None
    is_self_closing: bool = False


_OPENING = lazy(rb"<(?:!--|/?[A-Za-z]|[!?/])")
_TAG_NAME = lazy(rb"</?([^\t\n\f\r />]++)")
_EMPTY_COMMENT = lazy(rb"<!---?>")
_COMMENT_END = lazy(rb"--!?>")
_BETWEEN_ATTRIBUTES = lazy(rb"[\t\n\f\r /]*+")
_ATTRIBUTE_NAME = lazy(rb"[^\t\n\f\r />][^\t\n\f\r />=]*+")
_VALUE = lazy(rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:([\"'])|([^\t\n\f\r >]*+))")
_SCRIPT_MARK = lazy(rb"<!(?=--)|-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE)
_TEXT_ELEMENTS = (b"iframe", b"noembed", b"noframes", b"noscript", b"style", b"textarea", b"title", b"xmp")
"""The elements whose content is text up to their end tag, where scripts may run."""


def read_tags(data: bytes, path: str = "", *, comments: list[ByteSpan] | None = None) -> Iterator[Tag]:
    """Yields the tags of a page in order, skipping the content of comments and text elements.

    A script without an end tag is skipped, because it never runs. In XHTML, by the path, `<script src="x"/>`
    closes itself. The byte ranges of comments are appended to `comments`. Runs in linear time and never
    raises.
    """
    at, xml = 0, is_xhtml(path)
    while opening := _OPENING.search(data, at):
        start = opening.start()
        if not opening[0][-1:].isalpha():
            at = _comment_end(data, start, xml)
            if comments is not None and data.startswith(b"<!--", start):
                comments.append((start, at))
            continue
        name = _name(data, start)
        found = _attributes(data, start + len(opening[0]) - 1 + len(name))
        if found is None:
            return
        attributes, at = found
        if opening[0].startswith(b"</"):
            yield Tag(name, True)
        elif xml and data[at - 2 : at - 1] == b"/":
            yield Tag(name, False, attributes, (at, at), is_self_closing=True)
        elif name == b"script":
            end = _script_end(data, at)
            if end is None or _attributes(data, end + len(b"</script")) is None:
                return
            yield Tag(name, False, attributes, (at, end))
            at = end
        elif name in _TEXT_ELEMENTS:
            yield Tag(name, False, attributes)
            text_end = _end_tag(name).search(data, at)
            if text_end is None:
                return
            at = text_end.start()
        elif name == b"plaintext":
            return
        else:
            yield Tag(name, False, attributes)


def attribute_text(data: bytes, tag: Tag, attribute: bytes) -> str | None:
    """Returns the text of an attribute of a start tag, or None without the attribute."""
    span = tag.attributes.get(attribute)
    if span is None:
        return None
    text = data[span[0] : span[1]].decode("utf-8", "replace")
    if "&" not in text:
        return text
    from html import unescape

    try:
        return unescape(text)
    except ValueError:  # a character reference with more digits than Python converts
        return text


@cache
def _end_tag(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE)


def _name(data: bytes, start: int) -> bytes:
    found = _TAG_NAME.match(data, start)
    return found[1].lower() if found else b""


def _comment_end(data: bytes, start: int, xml: bool) -> int:
    """Returns the end of a comment, a doctype or a bogus comment."""
    if xml and data.startswith(b"<![CDATA[", start):
        return _after(data, b"]]>", start)
    if not data.startswith(b"<!--", start):
        return _after(data, b">", start)
    found = _EMPTY_COMMENT.match(data, start) or _COMMENT_END.search(data, start + 4)
    return found.end() if found else len(data)


def _after(data: bytes, mark: bytes, start: int) -> int:
    found = data.find(mark, start)
    return len(data) if found < 0 else found + len(mark)


def _attributes(data: bytes, at: int) -> tuple[dict[bytes, ByteSpan], int] | None:
    """Returns the attributes from an offset inside a tag, and the tag's end, or None if it has no end."""
    attributes: dict[bytes, ByteSpan] = {}
    while True:
        if data[at : at + 1] == b">":
            return attributes, at + 1
        between = _BETWEEN_ATTRIBUTES.match(data, at)
        at = between.end() if between else at
        name = _ATTRIBUTE_NAME.match(data, at)
        if name is None:
            return (attributes, at + 1) if data[at : at + 1] == b">" else None
        at = name.end()
        span = (at, at)
        if value := _VALUE.match(data, at):
            span = value.span(2)
            at = value.end()
            if quote := value[1]:
                end = data.find(quote, at)
                if end < 0:
                    return None
                span = (at, end)
                at = end + 1
        attributes.setdefault(name[0].lower(), span)


def _script_end(data: bytes, at: int) -> int | None:
    """Returns the end of a script's text, or None if the script has no end.

    After `<!--`, a script may contain another pair of script tags as text.
    """
    in_comment = in_inner_script = False
    for mark in _SCRIPT_MARK.finditer(data, at):
        if mark[0] == b"-->":
            in_comment = in_inner_script = False
        elif mark[0] == b"<!":
            in_comment = True
        elif not mark[1]:
            in_inner_script = in_comment
        elif in_inner_script:
            in_inner_script = False
        else:
            return mark.start()
    return None
