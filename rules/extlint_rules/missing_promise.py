"""Finds promises that are expected of `chrome` in Manifest V2, where its functions return nothing.

## What it does

Under `--target firefox` and `--target chrome`, for extensions of Manifest V2, checks calls of functions of
`chrome`, such as `chrome.tabs.query` and `chrome.storage.local.get`. It reports those that are followed by
`then`, `catch` or `finally`, and those whose result is awaited and used. Nothing is reported where the script
asks for the browser, and where a script of the extension may replace `chrome` or its functions.

## Why is this bad

In Manifest V2 the functions of `chrome` take callbacks and return undefined, in Firefox as in Chrome. Then
`then` fails with "can't access property "then", chrome.tabs.query(...) is undefined" in Firefox and "Cannot
read properties of undefined (reading 'then')" in Chrome. `await` gives undefined, so that a property of it
or `const [tab] = await chrome.tabs.query({})` fails. In Manifest V3 these functions return promises, if they
get no callback.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "Tab counter",
  "version": "1.0",
  "browser_action": {},
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "counter@example.org"}}
}
```

```js background.js
chrome.tabs.onCreated.addListener(async () => {
  const tabs = await chrome.tabs.query({});
  chrome.browserAction.setBadgeText({ text: String(tabs.length) });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "Tab counter",
  "version": "1.0",
  "browser_action": {},
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "counter@example.org"}}
}
```

```js background.js
browser.tabs.onCreated.addListener(async () => {
  const tabs = await browser.tabs.query({});
  browser.browserAction.setBadgeText({ text: String(tabs.length) });
});
```

For Chrome, pass a callback, use the polyfill `webextension-polyfill`, or move to Manifest V3.

## References

* What functions of `browser` and `chrome` return in Firefox 153, in both manifest versions
  (`extlint_judge promises`).
* [Promises in Chrome's API](https://developer.chrome.com/docs/extensions/develop/api-reference), which are of
  Manifest V3.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.availability.unguarded_references import (
    is_guarded_by_callers,
    is_never_called,
    unguarded_calls,
)
from extlint.checks.portability.added_members import may_be_replaced
from extlint.checks.portability.other_browsers import is_browser_specific
from extlint.checks.portability.sibling_manifests import is_for_sibling_manifest
from extlint.checks.portability.source_searches import assigns_global, tests_for_browser
from extlint.checks.reachability.closed_world import is_unused_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.script.facts.script_facts import CallSite, FailureHandling, Guards, PromiseUse, Reference
from extlint.script.facts.values import FunctionValue, Kind, Typed
from extlint.text.wording import quoted

RULE = RULES["missing-promise"]

_ROOT = "chrome"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call, at the function."""
    engine = extension.target.engine
    if engine not in (Engine.CHROMIUM, Engine.GECKO):
        return
    for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED):
        if not _needs_promise(extension, call) or _is_excused(extension, script, reference):
            continue
        api = ".".join(call.path)
        name = quoted(f"{_ROOT}.{api}")
        message = f"{name} returns undefined in Manifest V2, and no promise"
        if call.promise_use is PromiseUse.AWAITED:
            message = f"`await` of {name} gives undefined, as it returns no promise in Manifest V2"
        yield RULE.at(
            script.path,
            script.span(reference.span),
            message,
            api=api,
            help=f"use {quoted(f'browser.{api}')}, or a callback"
            if engine is Engine.GECKO
            else "use a callback, or Manifest V3",
        )


def _needs_promise(extension: Extension, call: CallSite) -> bool:
    """Whether something is done with the result of a call that only a promise allows."""
    if call.root != _ROOT or call.promise_use not in (PromiseUse.AWAITED, PromiseUse.CHAINED):
        return False
    function = function_at(extension, call.path)
    last = call.arguments[-1] if call.arguments else None
    has_callback = isinstance(last, FunctionValue) or (isinstance(last, Typed) and last.kind is Kind.FUNCTION)
    if function is None or function.async_ is None or has_callback:
        return False
    return call.promise_use is PromiseUse.CHAINED or bool(function.result)


def _is_excused(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the call is never made, is for another browser, or may be of something else than the API."""
    return (
        _asks_for_browser(extension, reference.guards)
        or assigns_global(extension)(_ROOT)
        or may_be_replaced(extension, reference.path)
        or bool(unavailabilities_of(extension, reference.path, script.contexts))
        or is_unused_script(extension, script)
        or is_for_sibling_manifest(extension, script, reference, _has_promises)
        or is_guarded_by_callers(
            extension,
            script,
            reference,
            lambda guards: _asks_for_browser(extension, guards),
            FailureHandling.RECOVERED,
        )
        or is_never_called(extension, script, reference)
    )


def _asks_for_browser(extension: Extension, guards: Guards) -> bool:
    """Whether a condition asks for a browser, or may in an extension that does somewhere."""
    return is_browser_specific(extension, guards) or (guards.conditional and tests_for_browser(extension))


def _has_promises(extension: Extension, script: Script) -> bool:  # noqa: ARG001
    return extension.manifest.version != RULE.needs_version
