"""Suggests replacements for a global that is missing in a context."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind
from extlint.analysis.facts.platform_globals import DOCUMENT_PARTS

_OFFSCREEN = "an offscreen document has one (`chrome.offscreen.createDocument`)"
_STORAGE = "keep data in `chrome.storage`"
_ASK = "show it with `chrome.notifications`, or ask in a page of the extension"
_SOUND = "play sounds in an offscreen document (`chrome.offscreen.createDocument`)"
_PARSE = "parse in an offscreen document (`chrome.offscreen.createDocument`)"
_IN_PAGE = "send a message to the page, and use it there"
_TABS = "open pages with `chrome.tabs.create` or `chrome.windows.create`"
_TIMER = "use `setTimeout`"
_DISPLAY = "ask `chrome.system.display`, or `chrome.windows`"
_MEDIA = "use an offscreen document (`chrome.offscreen.createDocument`)"

_AT_END = 'run it at `"document_end"`, or wait for the event `DOMContentLoaded`'
_LATER = "add `defer` to the script, or move it to the end of the page"

_COPY = (
    'use `document.execCommand("copy")` in an offscreen document (`chrome.offscreen.createDocument`); '
    "`navigator.clipboard` fails there, because it requires a focused document"
)

_IN_SERVICE_WORKERS: Mapping[str, str] = {
    "Audio": _SOUND,
    "AudioContext": _SOUND,
    "DOMParser": _PARSE,
    "FileReaderSync": "use `FileReader`, or the methods of `Blob`",
    "Image": "load it with `fetch`, and decode it with `createImageBitmap`",
    "URL.createObjectURL": "create it in an offscreen document, or use a `data:` address",
    "URL.revokeObjectURL": "addresses of objects are created and revoked in documents",
    "Worker": "start workers in an offscreen document (`chrome.offscreen.createDocument`)",
    "XMLHttpRequest": "use `fetch`",
    "XMLSerializer": _PARSE,
    "alert": _ASK,
    "cancelAnimationFrame": "use `clearTimeout`",
    "confirm": _ASK,
    "document": f"{_OFFSCREEN}, and `OffscreenCanvas` can draw",
    "innerHeight": _DISPLAY,
    "innerWidth": _DISPLAY,
    "localStorage": _STORAGE,
    "matchMedia": "ask in a page or an offscreen document, and send the answer in a message",
    "navigator.clipboard": _COPY,
    "navigator.geolocation": _MEDIA,
    "navigator.mediaDevices": _MEDIA,
    "open": _TABS,
    "outerHeight": _DISPLAY,
    "outerWidth": _DISPLAY,
    "prompt": _ASK,
    "requestAnimationFrame": _TIMER,
    "requestIdleCallback": _TIMER,
    "screen": _DISPLAY,
    "sessionStorage": "keep data in `chrome.storage.session`",
    "speechSynthesis": "speak with `chrome.tts`",
    **dict.fromkeys(
        ("blur", "close", "focus", "frameElement", "frames", "moveBy", "moveTo", "opener", "parent", "print"),
        _IN_PAGE,
    ),
    **dict.fromkeys(("resizeBy", "resizeTo", "scroll", "scrollBy", "scrollTo", "stop", "top"), _IN_PAGE),
}

_ELSEWHERE: Mapping[str, str] = {
    "clients": "it is a part of service workers",
    "customElements": "define elements in a script with `world: MAIN`",
    "importScripts": 'load scripts with `<script src>`, or with `import` in `<script type="module">`',
    "navigator.clipboard": 'use `document.execCommand("copy")`: the document never has the focus',
    "navigator.serviceWorker": "let the background do this, and send messages to it",
}


def replacement_help(name: str, member: str | None, missing: frozenset[str], kind: ContextKind) -> str:
    """Returns the advice for a global that is missing in a context.

    `member` is the member read from it, if that is also missing.
    """
    if kind is ContextKind.SERVICE_WORKER or kind is ContextKind.WORKER:
        if name == "window" and member is not None and member in missing:
            return f"`{member}` is missing too: {replacement_help(member, None, missing, kind)}"
        if name == "window":
            return "use `self`, or `globalThis`"
        if kind is ContextKind.WORKER:
            return "send a message to the page that started the worker, and use it there"
        return _IN_SERVICE_WORKERS.get(name, _OFFSCREEN.replace("one", "it"))
    if name == "importScripts" and kind is ContextKind.CONTENT_SCRIPT:
        return "name the script in `content_scripts` before this one"
    if name in DOCUMENT_PARTS:
        return _LATER if kind in EXTENSION_PAGES or kind is ContextKind.SANDBOX else _AT_END
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    if kind in EXTENSION_PAGES:
        return "it is a part of other contexts, such as workers"
    return "it is a part of other contexts"
