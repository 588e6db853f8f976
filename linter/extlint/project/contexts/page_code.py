"""The tags of an HTML page, by the tokenizer rules of the WHATWG HTML standard, and the code in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypeAlias

from msgspec import Struct, field

from extlint.analysis.facts.context import CodeKind, PageCode
from extlint.package.suffixes import is_page, is_xhtml
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


ScriptKind: TypeAlias = Literal["classic", "module", "other"]
"""The kind of a script element for browsers; `other` does not run."""

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


def script_kind(data: bytes, tag: Tag) -> ScriptKind:
    """Returns the kind of a `<script>`, by its `type` or, without one, by its `language`."""
    language = attribute_text(data, tag, b"language")
    kind = attribute_text(data, tag, b"type")
    if kind is None and language:
        kind = f"text/{language}"
    kind = kind.strip("\t\n\f\r ").lower() if kind else "text/javascript"
    if kind == "module":
        return "module"
    return "classic" if kind in _JAVASCRIPT_TYPES and b"nomodule" not in tag.attributes else "other"


EVENT_HANDLERS = frozenset(
    b"""
    onabort onafterprint onanimationcancel onanimationend onanimationiteration onanimationstart
    onauxclick onbeforeinput onbeforematch onbeforeprint onbeforetoggle onbeforeunload onbegin onblur
    oncancel oncanplay oncanplaythrough onchange onclick onclose oncommand
    oncontentvisibilityautostatechange oncontextlost oncontextmenu oncontextrestored oncopy oncuechange
    oncut ondblclick ondrag ondragend ondragenter ondragleave ondragover ondragstart ondrop
    ondurationchange onemptied onencrypted onend onended onenterpictureinpicture onerror onfocus
    onformdata onfullscreenchange onfullscreenerror ongamepadconnected ongamepaddisconnected
    ongotpointercapture onhashchange oninput oninvalid onkeydown onkeypress onkeyup onlanguagechange
    onleavepictureinpicture onload onloadeddata onloadedmetadata onloadstart onlostpointercapture
    onmessage onmessageerror onmousedown onmouseenter onmouseleave onmousemove onmouseout onmouseover
    onmouseup onoffline ononline onpagehide onpageshow onpaste onpause onplay onplaying onpointercancel
    onpointerdown onpointerenter onpointerleave onpointermove onpointerout onpointerover
    onpointerrawupdate onpointerup onpopstate onprogress onratechange onrejectionhandled onrepeat
    onreset onresize onscroll onscrollend onsecuritypolicyviolation onseeked onseeking onselect
    onselectionchange onselectstart onslotchange onstalled onstorage onsubmit onsuspend ontimeupdate
    ontoggle ontransitioncancel ontransitionend ontransitionrun ontransitionstart onunhandledrejection
    onunload onvolumechange onwaiting onwaitingforkey onwebkitanimationend onwebkitanimationiteration
    onwebkitanimationstart onwebkittransitionend onwheel
    """.split()
)
"""The attributes of elements that are event handlers in both Firefox 153 and Chromium 156."""

_LOADING = frozenset(
    b"""
    audio body embed feimage frame frameset iframe image img input link object script source style svg track
    use video
    """.split()
)
"""The elements at which browsers fire `load` or `error`.

At others, only frameworks read the attributes of these events, such as AngularJS at `<ng-include onload>`.
"""

_LOADING_HANDLERS = frozenset({b"onerror", b"onload"})
_ADDRESSES = (b"href", b"src", b"action", b"formaction", b"xlink:href", b"data")
_JAVASCRIPT = lazy(r"(?i)[\x00-\x20]*+javascript:([\s\S]*+)")
_NO_OP = lazy(r"\s*+(?:void\s*+(?:\(\s*+\w*+\s*+\)|0)|undefined|false|null|\{\s*+\}|\(\s*+\))?+\s*+;*+\s*+")
_REMOTE = lazy(r"(?i)[\x00-\x20]*+(?:https?:)?//[\w\[]", needs=("//",))
_LOCALHOST = lazy(r"(?i)[\x00-\x20]*+(?:https?:)?//(?:localhost|127\.0\.0\.1)[:/]")
_PROSE = frozenset(b"alt class content href id lang name placeholder rel src title type value".split())
"""Attributes whose values are not code, except those of addresses that are."""

_PLACEHOLDER = lazy(rb"\{[^{}]*+|<%[^%]*+")


def is_remote_url(address: str) -> bool:
    """Whether a URL is on another host, and not on the author's own machine."""
    return _REMOTE.match(address) is not None and not is_localhost_url(address)


def is_localhost_url(address: str) -> bool:
    """Whether a URL is that of a server on the author's own machine."""
    return _LOCALHOST.match(address) is not None


def code_of_tag(data: bytes, tag: Tag) -> Iterator[PageCode]:
    """Yields the code of a start tag of a page, and of the element if it is a script.

    Skips code without an effect: an empty script, `javascript:void(0)`.
    """
    if tag.name == b"script":
        yield from _code_of_script(data, tag)
    for name, span in tag.attributes.items():
        if name in EVENT_HANDLERS:
            if name in _LOADING_HANDLERS and tag.name not in _LOADING:
                continue
            text = attribute_text(data, tag, name)
            if text is not None and text.strip():
                yield PageCode(CodeKind.HANDLER, text, span, name.decode())
        elif name in _ADDRESSES:
            text = attribute_text(data, tag, name)
            found = None if text is None or ":" not in text else _JAVASCRIPT.fullmatch(text)
            if found is not None and _NO_OP.fullmatch(found[1]) is None:
                yield PageCode(CodeKind.ADDRESS, found[1], span, name.decode())


def code_text(path: str, data: bytes) -> bytes:
    """Returns a file's text; of a page only what may be code: scripts, attributes, and placeholders."""
    if not is_page(path):
        return data
    found = [each[0] for each in _PLACEHOLDER.finditer(data)]
    for tag in read_tags(data, path):
        found += [data[slice(*span)] for name, span in tag.attributes.items() if name not in _PROSE]
        found += [] if tag.body is None else [data[slice(*tag.body)]]
        found += [code.text.encode() for code in code_of_tag(data, tag) if code.kind is CodeKind.ADDRESS]
    return b"\n".join(found)


def _code_of_script(data: bytes, tag: Tag) -> Iterator[PageCode]:
    kind = script_kind(data, tag)
    is_map = (attribute_text(data, tag, b"type") or "").strip().lower() == "importmap"
    if kind == "other" and not is_map:
        return
    source = tag.attributes.get(b"src")
    address = attribute_text(data, tag, b"src")
    if source is not None and address is not None:
        if not is_map and _REMOTE.match(address) is not None:
            yield PageCode(CodeKind.SOURCE, address.strip(), source, "src")
    elif tag.body is not None and (text := data[slice(*tag.body)]).strip():
        what = CodeKind.IMPORT_MAP if is_map else CodeKind.SCRIPT
        yield PageCode(what, text.decode("utf-8", "replace"), tag.body)
