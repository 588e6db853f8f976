"""Finds globals of the Web platform that do not exist where a script runs.

## What it does

Under `--target chrome` and `--target firefox`, looks in each script for globals that are missing in its
context: in workers `window`, `document`, `localStorage`, `alert`, `DOMParser`, `Image` and all others of
pages, in service workers also `XMLHttpRequest` and `URL.createObjectURL`, in pages `importScripts`, in pages
of Firefox `navigator.serviceWorker`. A use is reported if it is seen to run: when the script loads, in a
listener of an event, or in what these call, also in other scripts. `document.body` is null in content scripts
at `document_start` and in scripts in the head of a page, and `document.head` at `document_start`: uses that
run as soon as the script loads are reported. Nothing is reported behind a test such as
`typeof window !== "undefined"`, instead of another global (`typeof OffscreenCanvas === "undefined"`), in a
`try` that does something else instead or swallows the error, in functions that are injected into pages, and
in scripts that run elsewhere too, unless these use the global as soon as they load. A `catch` that logs the
error does not count in a script that runs only in workers.

## Why is this bad

The code fails with "ReferenceError: window is not defined" or "TypeError: URL.createObjectURL is not a
function". If that happens while a service worker loads, Chrome says "Service worker registration failed.
Status code: 15", and no listener runs.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => {
  const count = Number(localStorage.getItem("count")) + 1;
  localStorage.setItem("count", count);
  chrome.action.setBadgeText({ text: String(count) });
});
```

## Use instead

Data is kept in `chrome.storage`, requests are made with `fetch`, and a canvas is an `OffscreenCanvas`. Work
that requires a document, such as parsing HTML, is done in an offscreen document, in answer to messages:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const { count = 0 } = await chrome.storage.local.get("count");
  await chrome.storage.local.set({ count: count + 1 });
  await chrome.action.setBadgeText({ text: String(count + 1) });
});
```

## References

* What Firefox 153 and Chromium 156 have in each kind of context (`extlint_judge globals`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.context import EXTENSION_PAGES, WEB_PAGE_CONTEXTS, ContextKind
from extlint.analysis.facts.platform_globals import DOCUMENT_PARTS
from extlint.checks.api.absent_globals import moment_of
from extlint.checks.availability.missing_globals import missing_globals, uses_in
from extlint.checks.load_paths import contexts_to_show, load_paths
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.builds import loads_content_scripts_later
from extlint.registry import RULES
from extlint.text.wording import listed, quoted, with_article

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


RULE = RULES["missing-global"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each use."""
    for each in missing_globals(extension):
        is_part = each.use.name in DOCUMENT_PARTS
        if is_part and each.contexts[0].kind in WEB_PAGE_CONTEXTS and loads_content_scripts_later(extension):
            continue
        kinds = dict.fromkeys(
            with_article((moment_of(extension, context) if is_part else None) or context.kind.value)
            for context in each.contexts
        )
        state = "is null" if each.is_empty else "fails" if each.is_failing else "does not exist"
        what = f"{quoted(each.use.name)} {state}"
        missing = each.absent.missing
        yield RULE.at(
            *each.script.place(each.use.span),
            f"{what} in {listed(list(kinds), 'or')}",
            help=replacement_help(each.use.name, each.use.member, missing, each.contexts[0].kind),
            related=load_paths(extension, contexts_to_show(each.contexts)),
            general=f"{what} where this script runs",
        )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the globals of a script that may be missing."""
    uses_in(extension, script)
