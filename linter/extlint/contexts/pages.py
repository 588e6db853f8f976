"""Which scripts an HTML page runs, which pages it leads to, and where they are named."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from extlint.contexts.html import Tag, read_tags
from extlint.values import ByteSpan

_JAVASCRIPT_TYPES = frozenset(
    [
        "application/ecmascript",
        "application/javascript",
        "application/x-ecmascript",
        "application/x-javascript",
        "text/ecmascript",
        "text/javascript",
        "text/javascript1.0",
        "text/javascript1.1",
        "text/javascript1.2",
        "text/javascript1.3",
        "text/javascript1.4",
        "text/javascript1.5",
        "text/jscript",
        "text/livescript",
        "text/x-ecmascript",
        "text/x-javascript",
    ]
)
"""The JavaScript MIME type essences of the WHATWG MIME Sniffing standard."""


class PageScript(Struct, frozen=True):
    """A `<script>` of a page; one of the kind `other` does not run.

    `src` is the attribute's text and `src_span` its byte range, without quotes. An inline script has
    neither, but `body`, the byte range of its text. `base` is the `href` of the page's `<base>`, if
    it comes before the script.
    """

    src: str | None
    src_span: ByteSpan | None
    body: ByteSpan | None
    kind: Literal["classic", "module", "other"]
    base: str | None = None


class PageLink(Struct, frozen=True):
    """A page that another one names: in a frame, or for people to go to.

    `name` is the attribute's text, `span` its byte range without quotes, and `base` as in a
    `PageScript`. `is_sandboxed` is true in a frame with the attribute `sandbox`.
    """

    name: str
    span: ByteSpan
    in_frame: bool
    is_sandboxed: bool
    base: str | None = None


class Page(Struct, frozen=True):
    """The scripts and links of a page, in order."""

    scripts: list[PageScript]
    links: list[PageLink]


_LINKS = {b"iframe": b"src", b"frame": b"src", b"a": b"href", b"area": b"href"}
"""The elements that name other pages, and their attribute that does."""


def script_of_component(page: Page) -> ByteSpan | None:
    """The byte range of the scripts of a component, which bundlers make one module of; None without any."""
    bodies = _bodies(page)
    return (bodies[0][0], bodies[-1][1]) if bodies else None


def text_of_component(data: bytes) -> bytes:
    """The text of the range that `script_of_component` gives, byte for byte as long, without the markup."""
    parts: list[bytes] = []
    end: int | None = None
    for start, stop in _bodies(scan_page(data)):
        if end is not None:
            parts.append(b"\n;".ljust(start - end))
        parts.append(data[start:stop])
        end = stop
    return b"".join(parts)


def _bodies(page: Page) -> list[ByteSpan]:
    return [each.body for each in page.scripts if each.kind != "other" and each.body is not None]


def scan_page(data: bytes, *, xml: bool = False) -> Page:
    """The scripts and links of a page in UTF-8, in order. Never raises; time is linear.

    Left out are those in comments, templates and text elements, and one that the page does not
    close. `xml` is for XHTML.
    """
    scripts: list[PageScript] = []
    links: list[PageLink] = []
    templates: list[bool] = []
    inert = 0
    base: str | None = None
    for tag in read_tags(data, xml=xml):
        if tag.name == b"template":
            if tag.is_end:
                inert -= templates.pop() if templates else False
            elif not tag.closes_itself:
                templates.append(b"shadowrootmode" not in tag.attributes)
                inert += templates[-1]
        elif inert or tag.is_end:
            continue
        elif tag.name == b"base" and base is None:
            base = _text(data, tag, b"href")
        elif tag.name == b"script":
            src = _text(data, tag, b"src")
            span = tag.attributes.get(b"src")
            scripts.append(PageScript(src, span, tag.body if span is None else None, _kind(data, tag), base))
        elif (attribute := _LINKS.get(tag.name)) and (name := _text(data, tag, attribute)):
            in_frame = attribute == b"src"
            is_sandboxed = in_frame and b"sandbox" in tag.attributes
            links.append(PageLink(name, tag.attributes[attribute], in_frame, is_sandboxed, base))
    return Page(scripts, links)


def _kind(data: bytes, tag: Tag) -> Literal["classic", "module", "other"]:
    language = _text(data, tag, b"language")
    kind = _text(data, tag, b"type")
    if kind is None and language:
        kind = f"text/{language}"
    kind = kind.strip("\t\n\f\r ").lower() if kind else "text/javascript"
    if kind == "module":
        return "module"
    return "classic" if kind in _JAVASCRIPT_TYPES and b"nomodule" not in tag.attributes else "other"


def _text(data: bytes, tag: Tag, attribute: bytes) -> str | None:
    span = tag.attributes.get(attribute)
    if span is None:
        return None
    text = data[span[0] : span[1]].decode("utf-8", "replace")
    if "&" not in text:
        return text
    from html import unescape

    try:
        return unescape(text)
    except ValueError:  # a character number with more digits than Python converts
        return text
