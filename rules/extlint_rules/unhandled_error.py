"""Finds calls that fail in ordinary use, and whose error nothing handles.

## What it does

Under `--target firefox` and `--target chrome`, checks calls that fail under conditions that every user meets:

* `tabs.sendMessage` to tabs of `tabs.query` and to those that `tabs.onUpdated`, `tabs.onActivated`,
  `webNavigation` and clicks give. Some of them have no content script: pages of the browser, those that
  `matches` leaves out, and those that were open before the extension was installed.
* `scripting.executeScript`, `scripting.insertCSS` and the functions of `tabs` with these names, in such tabs.
  Browsers refuse access to their own pages, to their stores, and to sites that no host permission covers.
* `runtime.sendMessage` from the background or a content script, if only pages such as the popup listen, which
  may be closed.

It reports those whose error nothing handles: neither `catch` nor `try` around `await`, also in the functions
that call the one with the call, or a callback that does not read `runtime.lastError`. Nothing is reported
if the code may test the address of the tab before, asks for tabs or events with certain addresses, has
injected a script, or limits its button to certain pages; nor if the extension listens to
`unhandledrejection`.

## Why is this bad

The code after the call does not run, or gets undefined. Browsers show the error to users in the list of
errors of the extension: Chrome as "Uncaught (in promise) Error: Could not establish connection. Receiving end
does not exist." or "Unchecked runtime.lastError: Cannot access a chrome:// URL". It hides errors that matter.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Highlighter",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js", "scripts": ["background.js"]},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js background.js
chrome.action.onClicked.addListener((tab) => {
  chrome.tabs.sendMessage(tab.id, "highlight");
});
```

```js content.js
chrome.runtime.onMessage.addListener((message) => {
  if (message === "highlight") document.body.style.background = "yellow";
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Highlighter",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js", "scripts": ["background.js"]},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js background.js
chrome.action.onClicked.addListener((tab) => {
  chrome.tabs.sendMessage(tab.id, "highlight").catch(() => {
    // The tab has no content script.
  });
});
```

```js content.js
chrome.runtime.onMessage.addListener((message) => {
  if (message === "highlight") document.body.style.background = "yellow";
});
```

In a callback, read `chrome.runtime.lastError`: `if (chrome.runtime.lastError) return;`.

## References

* What Firefox 153 and Chromium 156 print about the failures of calls, and the tabs in which they fail
  (`extlint_judge unhandled-failures` and `extlint_judge host-access`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.trace.lost_failures import may_have_callback
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.text.wording import quoted
from extlint_rules.helpers.ordinary_failures import occasion_of_failure

RULE = RULES["unhandled-error"]

_HANDLING = ("onunhandledrejection", "unhandledrejection")

_WITHOUT_PROMISES = frozenset({"chrome"})
"""The roots whose functions return no promises in Manifest V2."""


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each such call."""
    references = script.facts.references_of_calls
    for call in script.facts.calls:
        reference = references.get(call.callee) if call.loses_failure else None
        if reference is None or is_unreachable(extension, script, reference.guards):
            continue
        occasion = occasion_of_failure(extension, script, call, reference)
        if (
            occasion is not None
            and not any(map(words_of(extension).has, _HANDLING))
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            api = ".".join(call.path)
            yield RULE.at(
                *script.place(call.callee),
                f"{quoted(api)} fails {occasion}, and nothing handles the error",
                api=api,
                help=_help(extension, call),
            )


def _help(extension: Extension, call: CallSite) -> str:
    """Returns the advice for a call with a callback, one with a promise, or one without either."""
    if may_have_callback(call.path, call.arguments):
        return "read `runtime.lastError` in the callback"
    if call.root in _WITHOUT_PROMISES and extension.manifest_version == 2:
        return "pass a callback that reads `runtime.lastError`"
    return "add `.catch(() => {})`, or `await` it in a `try` block"
