"""The scripts that an HTML page runs, the pages that it leads to, and where it names them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.context import PageCode
from extlint.project.contexts.page_code import (
    ScriptKind,
    Tag,
    attribute_text,
    code_of_tag,
    read_tags,
    script_kind,
)
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan


class PageScript(Struct, frozen=True):
    """A `<script>` of a page. A script of the kind `other` does not run.

    `src` is the attribute's text and `src_span` its byte range, without quotes. An inline script has
    neither, but `body`, the byte range of its text. `base` is the `href` of the page's `<base>`, if
    it comes before the script.
    """

    src: str | None
    src_span: ByteSpan | None
    body: ByteSpan | None
    kind: ScriptKind
    base: str | None = None


class PageLink(Struct, frozen=True):
    """A page that another page names: in a frame, or in a link.

    `name` is the attribute's text, `span` its byte range without quotes, and `base` as in a
    `PageScript`. `is_sandboxed` is true in a frame with the attribute `sandbox`.
    """

    name: str
    span: ByteSpan
    in_frame: bool
    is_sandboxed: bool
    base: str | None = None


class PageAsset(Struct, frozen=True):
    """A file that a page loads for its presentation: an image, a style sheet, a font, a sound.

    `name` is the name in the attribute, `span` its byte range, and `base` as in a `PageScript`.
    """

    name: str
    span: ByteSpan
    base: str | None = None


class Page(Struct, frozen=True):
    """The scripts, links and assets of a page, and the code that its policy allows or blocks, in order."""

    scripts: list[PageScript]
    links: list[PageLink]
    assets: list[PageAsset]
    code: list[PageCode]


_LINKS = {b"iframe": b"src", b"frame": b"src", b"a": b"href", b"area": b"href"}
"""The elements that name other pages, and the attributes that contain the names."""

_HREFS = (b"href", b"xlink:href")
_ASSETS = {
    b"audio": (b"src",),
    b"embed": (b"src",),
    b"image": _HREFS,
    b"img": (b"src", b"srcset"),
    b"input": (b"src",),
    b"link": (b"href",),
    b"object": (b"data",),
    b"source": (b"src", b"srcset"),
    b"track": (b"src",),
    b"use": _HREFS,
    b"video": (b"src", b"poster"),
}
_LOADED_RELATIONS = frozenset({"icon", "manifest", "modulepreload", "preload", "stylesheet"})
"""The relations of `<link>` for which a browser loads a file.

Chromium 156 loads no `apple-touch-icon`, and no page of an extension shows the one that Firefox 153 loads.
Neither loads a `mask-icon`.
"""

_CANDIDATE = lazy(rb"[\t\n\f\r ,]*+([^\t\n\f\r ]++)")
_DESCRIPTORS = lazy(rb"(?:[^,(]|\([^)]*+(?:\)|$))*+")


def script_of_component(page: Page) -> ByteSpan | None:
    """Returns the byte range of a component's scripts, which bundlers join into one module, or None."""
    bodies = _bodies(page)
    return (bodies[0][0], bodies[-1][1]) if bodies else None


def text_of_component(data: bytes) -> bytes:
    """Returns the text of the range of `script_of_component`, of the same length, without the markup."""
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


def scan_page(data: bytes, path: str = "") -> Page:
    """Returns the scripts, links and assets of a UTF-8 page, in order. Never raises; runs in linear time.

    Skips tags in comments, templates and text elements, and tags that the page does not close. By its path, a
    page may be XHTML.
    """
    scripts: list[PageScript] = []
    links: list[PageLink] = []
    assets: list[PageAsset] = []
    code: list[PageCode] = []
    templates: list[bool] = []
    inert = 0
    base: str | None = None
    for tag in read_tags(data, path):
        if tag.name == b"template":
            if tag.is_end:
                inert -= templates.pop() if templates else False
            elif not tag.is_self_closing:
                templates.append(b"shadowrootmode" not in tag.attributes)
                inert += templates[-1]
        elif inert or tag.is_end:
            continue
        code += code_of_tag(data, tag) if tag.attributes or tag.name == b"script" else ()
        if tag.name == b"base" and base is None:
            base = attribute_text(data, tag, b"href")
        elif tag.name == b"script":
            src = attribute_text(data, tag, b"src")
            span = tag.attributes.get(b"src")
            scripts.append(
                PageScript(src, span, tag.body if span is None else None, script_kind(data, tag), base)
            )
        elif (attribute := _LINKS.get(tag.name)) and (name := attribute_text(data, tag, attribute)):
            in_frame = attribute == b"src"
            is_sandboxed = in_frame and b"sandbox" in tag.attributes
            links.append(PageLink(name, tag.attributes[attribute], in_frame, is_sandboxed, base))
        elif tag.name in _ASSETS and _loads(data, tag):
            assets += [PageAsset(*each, base) for each in _assets(data, tag)]
    return Page(scripts, links, assets, code)


def _loads(data: bytes, tag: Tag) -> bool:
    if tag.name == b"link":
        return not _LOADED_RELATIONS.isdisjoint((attribute_text(data, tag, b"rel") or "").lower().split())
    return tag.name != b"input" or (attribute_text(data, tag, b"type") or "").lower() == "image"


def _assets(data: bytes, tag: Tag) -> Iterator[tuple[str, ByteSpan]]:
    """Yields the files that a tag names; `srcset` is parsed as in the HTML standard."""
    for attribute in _ASSETS[tag.name]:
        name = attribute_text(data, tag, attribute)
        if not name:
            continue
        span = tag.attributes[attribute]
        if attribute != b"srcset":
            yield name, span
        elif "&" not in name:
            yield from _candidates(data, span)


def _candidates(data: bytes, span: ByteSpan) -> Iterator[tuple[str, ByteSpan]]:
    at, end = span
    while found := _CANDIDATE.match(data, at, end):
        start, stop = found.span(1)
        name = found[1].rstrip(b",")
        if name:
            yield name.decode("utf-8", "replace"), (start, start + len(name))
        if len(name) == stop - start:
            descriptors = _DESCRIPTORS.match(data, stop, end)
            stop = stop if descriptors is None else descriptors.end()
        at = stop
