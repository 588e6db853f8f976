"""Finds inline code and remote scripts of a page, which its content security policy allows or blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from extlint.analysis.facts.context import CodeKind, PageCode
from extlint.package.suffixes import is_page
from extlint.project.contexts.html import Tag, attribute_text, read_tags
from extlint.text.patterns import lazy

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
