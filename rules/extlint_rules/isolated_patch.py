"""Finds functions of a page that a content script replaces in vain.

## What it does

Under `--target chrome` and `--target firefox`, looks in content scripts for functions of the Web platform
that pages call, such as `fetch`, `XMLHttpRequest.prototype.open` and `history.pushState`, and that the script
replaces. A replacement is reported if it certainly runs and no content script of the package calls the
function itself. Scripts with `world: "MAIN"` are not checked, and neither is generated code.

## Why is this bad

Content scripts run in an isolated world: they share the document with the page, and not its JavaScript. The
page calls its own function, so that the replacement never runs.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Requests",
  "version": "1.0",
  "content_scripts": [
    {"matches": ["https://example.com/*"], "js": ["requests.js"], "run_at": "document_start"}
  ]
}
```

```js requests.js
const original = window.fetch;
window.fetch = (...args) => {
  console.log("the page requests", args[0]);
  return original(...args);
};
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Requests",
  "version": "1.0",
  "content_scripts": [
    {
      "matches": ["https://example.com/*"],
      "js": ["requests.js"],
      "run_at": "document_start",
      "world": "MAIN"
    }
  ]
}
```

```js requests.js
const original = window.fetch;
window.fetch = (...args) => {
  console.log("the page requests", args[0]);
  return original(...args);
};
```

## References

* What pages of Firefox 153 and Chromium 156 call after a content script has replaced it
  (`extlint_judge worlds`).
* Chrome: <https://developer.chrome.com/docs/extensions/develop/concepts/content-scripts#isolated_world>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/Content_scripts>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.checks.load_paths import load_paths
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.build_tools import is_generated
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.patterns import lazy_word
from extlint.text.wording import quoted

RULE = RULES["isolated-patch"]

PATCHED = frozenset(
    """
    CanvasRenderingContext2D.prototype.getImageData Element.prototype.attachShadow EventSource
    EventTarget.prototype.addEventListener FormData HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.toDataURL HTMLMediaElement.prototype.play Notification RTCPeerConnection
    Storage.prototype.setItem WebSocket WebSocket.prototype.send Worker XMLHttpRequest
    XMLHttpRequest.prototype.open XMLHttpRequest.prototype.send XMLHttpRequest.prototype.setRequestHeader
    alert confirm fetch history.pushState history.replaceState navigator.clipboard.writeText
    navigator.geolocation.getCurrentPosition navigator.mediaDevices.getUserMedia navigator.sendBeacon open
    prompt
    """.split()
)
"""The functions that are of interest because pages call them."""

_CONSTRUCTED = frozenset(
    {
        *("EventSource", "FormData", "Notification", "RTCPeerConnection"),
        *("WebSocket", "Worker", "XMLHttpRequest"),
    }
)
_ASSIGNED = tuple(
    lazy_word(word.encode(), then=rb"\s*=(?![=>])")
    for word in sorted({name.rpartition(".")[2] for name in PATCHED})
)
"""The patterns of assignments to names of these functions, one for each, which is faster than one for all."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such replacement, at the function that is replaced."""
    for script in _content_scripts(extension):
        text = script.index.text
        if is_generated(script) or not any(each.search(text) for each in _ASSIGNED):
            continue
        for name, span in extension.searches.replacements(script, PATCHED):
            if not _is_called(extension, name):
                yield RULE.at(
                    *script.place(span),
                    f"{quoted(name)} is replaced only for content scripts: the page calls its own one",
                    help=_help(extension, script),
                    related=load_paths(extension, script.contexts[:1]),
                )


def _help(extension: Extension, script: Script) -> str:
    """Returns how to run a script in the page: `tabs.executeScript` of Manifest V2 has no worlds."""
    by_manifest = any(each.step is not None and each.step.number == 1 for each in script.contexts)
    if extension.manifest_version == 2 and not by_manifest:
        return "run the script in the page, with a script element"
    return 'run the script in the page, with `"world": "MAIN"`'


def _content_scripts(extension: Extension) -> list[Script]:
    return [each for each in extension.scripts if each.is_only_content_script]


@query(is_kept=True)
def _is_called(extension: Extension, name: str) -> bool:
    """Whether a content script may call a function, or create an object with it."""
    owner, _, last = name.rpartition(".")
    constructor = owner.partition(".")[0] if owner else last
    if constructor in _CONSTRUCTED:
        pattern = rf"\bnew\s+(?:\w+\s*\.\s*)?{constructor}\b"
    else:
        pattern = rf"(?<![\w$])(?<!function ){last}\s*\("
    called, words = re.compile(pattern.encode()), words_of(extension)
    paths = {each.path for each in _content_scripts(extension)}
    return any(called.search(words.without_comments(path)) for path in sorted(paths))
