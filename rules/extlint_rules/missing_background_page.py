"""Finds uses of the background page in an extension that has none.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls of `runtime.getBackgroundPage` and
`extension.getBackgroundPage` in pages, if the extension has no background page: in Chrome if it is in
Manifest V3, where the background is a service worker, and in Firefox if `background` has neither `scripts`
nor `page`. Where a call gives null and fails only later, the first property that is read without a test is
reported.

## Why is this bad

In Chrome `runtime.getBackgroundPage` fails with "You do not have a background page.", and
`extension.getBackgroundPage` returns nothing, so that the next property is a TypeError. Pages cannot share
the variables of a service worker: they send messages to it, or keep shared data in `storage`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Counter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
let count = 0;
chrome.tabs.onCreated.addListener(() => { count += 1; });
```

```html popup.html
<script src="popup.js" defer></script>
```

```js popup.js
document.body.textContent = chrome.extension.getBackgroundPage().count;
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Counter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
let count = 0;
chrome.tabs.onCreated.addListener(() => { count += 1; });
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => sendResponse(count));
```

```html popup.html
<script src="popup.js" defer></script>
```

```js popup.js
chrome.runtime.sendMessage("count").then((count) => { document.body.textContent = count; });
```

## References

* What Firefox 153 and Chromium 156 answer pages of extensions with and without a background.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import FailureHandling, FieldRead
from extlint.analysis.facts.values import Delivery
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import is_guarded, unguarded_calls
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.manifest import Manifest
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted

RULE = RULES["missing-background-page"]

FAILING = ("runtime", "getBackgroundPage")
EMPTY = ("extension", "getBackgroundPage")
"""Chromium returns an error for the first and nothing for the second; Firefox returns null for both."""

_HELP = "send a message to the background with `runtime.sendMessage`, or keep shared data in `storage`"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that fails, and for each read from one that returns nothing."""
    engine = engine_of(extension.target.name)
    if engine is None or has_background_page(extension.manifest, engine):
        return
    if engine is Engine.CHROMIUM:
        for script, reference, call in unguarded_calls(extension):
            if call.path == FAILING and not unavailabilities_of(extension, FAILING, script.contexts):
                message = f"{quoted('.'.join(FAILING))} fails: the extension has no background page"
                span = script.span(reference.span)
                yield RULE.at(script.path, span, message, api=".".join(FAILING), help=_HELP)
    for script in checked_scripts(extension):
        for read in script.facts.field_reads:
            path = read.of.path
            is_awaited = read.of.delivery is not Delivery.RETURN
            is_empty = path == EMPTY or (path == FAILING and engine is Engine.GECKO and is_awaited)
            if is_empty and not read.of.steps and _fails(extension, script, read):
                api = ".".join(path)
                yield RULE.at(
                    *script.place(read.span),
                    f"{quoted(api)} returns nothing, so that reading {quoted(read.name)} fails: "
                    "the extension has no background page",
                    api=api,
                    help=_HELP,
                )


def has_background_page(manifest: Manifest, engine: Engine) -> bool:
    """Whether an extension or an app has a background page in a browser; true if unknown.

    Manifest V1, which a manifest without a version is, names the page in `background_page`.
    """
    if not manifest.is_clear and manifest.get("background_page") is not None:
        return True
    if engine is Engine.CHROMIUM and manifest.get("app", "background") is not None:
        return True
    if engine is Engine.CHROMIUM and manifest.version == 3:
        return False
    if engine not in (Engine.CHROMIUM, Engine.GECKO):
        return True
    return any(manifest.get("background", key) is not None for key in ("page", "scripts"))


def _fails(extension: Extension, script: Script, read: FieldRead) -> bool:
    """Whether a read from null is reached, with no earlier test for null and no handler for the error."""
    before = script.index.text[: read.span[0] + script.base].rstrip()
    return not (
        read.tested
        or read.replaced
        or read.guards.conditional
        or before.endswith((b"?.", b"?.["))
        or is_guarded(extension, read.guards, FailureHandling.REPORTED)
        or is_unreachable(extension, script, read.guards)
        or unavailabilities_of(extension, read.of.path, script.contexts)
    )
