"""Finds calls with a callback whose promise is used as well, and callbacks that are called too early.

## What it does

Under `--target firefox` and `--target chrome`, checks calls of functions that take a callback or return a
promise. It reports those that are given a callback and whose result is awaited and used, or followed by
`then`, and the first property that is read from what they return. It also reports callbacks that are not
passed but called, and return nothing: `tabs.query({}, f())`.

## Why is this bad

With a callback a function returns nothing, so `await` gives undefined, and reading `then` or any other
property fails with "Cannot read properties of undefined (reading 'then')". A callback that is called where it
should be passed runs at once and without the result.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js", "scripts": ["background.js"]}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(async () => {
  const items = await chrome.storage.local.get("theme", (found) => console.log(found));
  console.log(items.theme);
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js", "scripts": ["background.js"]}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(async () => {
  const items = await chrome.storage.local.get("theme");
  console.log(items.theme);
});
```

## References

* What calls with a callback return in Firefox 153 and Chromium 156.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CHAINED_USES, ApiPath, CallSite, PromiseUse
from extlint.analysis.facts.values import ApiResult, Delivery
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.model import Function
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["ignored-callback"]

_ROOT = "chrome"
"""The root whose functions accept a callback in each browser."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call, at the callback."""
    yield from _findings(extension)
    yield from _findings_about_reads(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    references = script.facts.references_of_calls
    for call in script.facts.calls:
        is_suspect = call.ends_with_call or call.promise_use not in (PromiseUse.NONE, PromiseUse.WAITED)
        function = function_at(extension, call.path) if is_suspect and not call.open else None
        found = None if function is None else _mistake(call, function)
        reference = references.get(call.callee)
        if found is None or (reference is not None and is_unreachable(extension, script, reference.guards)):
            continue
        if not unavailabilities_of(extension, call.path, script.contexts):
            span, message, help = found
            yield RULE.at(*script.place(span), message, api=".".join(call.path), help=help)


def _mistake(call: CallSite, function: Function) -> tuple[ByteSpan, str, str] | None:
    """Returns the location of a call's mistake, its message and the advice, or None without a mistake."""
    last = call.arguments[-1] if call.arguments else None
    if last is None or last.span is None or function.callback is None:
        return None
    name = quoted(".".join(call.path))
    if call.ends_with_call:
        if len(call.arguments) != len(function.parameters):
            return None
        message = f"the callback of {name} is called here, and not passed"
        return last.span, message, "pass the function itself, without `()`, or a function that calls it"
    if not call.has_callback:
        return None
    use = "`await` gives undefined"
    if call.promise_use in CHAINED_USES:
        use = "it has no promise"
    message = f"{name} returns nothing if it is given a callback, so that {use}"
    return last.span, message, "use either the callback or the promise"


@in_each_script
def _findings_about_reads(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields the first property read from what a function returns, if each call of it has a callback."""
    reported: set[ApiPath] = set()
    for read in script.facts.field_reads:
        of = read.of
        is_tested = read.tested or read.replaced or read.of_tested or read.guards.open_test
        if of.path in reported or is_tested or of.delivery is not Delivery.RETURN or of.steps:
            continue
        if is_unreachable(extension, script, read.guards) or not _always_has_callback(extension, of):
            continue
        if not unavailabilities_of(extension, of.path, script.contexts):
            reported.add(of.path)
            api = ".".join(of.path)
            yield RULE.at(
                *script.place(read.span),
                f"{quoted(api)} returns nothing if it is given a callback, so that reading "
                f"{quoted(read.name)} fails",
                api=api,
                help="use the result in the callback, or `await` the call without one",
            )


def _always_has_callback(extension: Extension, result: ApiResult) -> bool:
    """Whether each call that may have returned a result is given a callback in place of a promise."""
    function = function_at(extension, result.path)
    if result.root != _ROOT or function is None or function.callback is None or function.async_ is None:
        return False
    calls = [call for script in extension.scripts for call in script.facts.calls if call.path == result.path]
    return bool(calls) and all(not call.open and call.has_callback for call in calls)
