"""Finds promises that are expected of `chrome` in Manifest V2, where its functions return nothing.

## What it does

Under `--target firefox` and `--target chrome`, for extensions of Manifest V2, checks calls of functions of
`chrome`, such as `chrome.tabs.query` and `chrome.storage.local.get`. It reports those that are followed by
`then`, `catch` or `finally`, and those whose result is awaited and used. Their results are followed through
variables, `Promise.all` and functions that return them, also those of modules; the first use that fails is
reported then. Nothing is reported where the script asks for the browser, and where a script of the extension
may replace `chrome` or its functions.

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

from collections.abc import Callable, Iterator

from extlint.analysis.facts.script_facts import (
    CHAINED_USES,
    ApiPath,
    CallSite,
    FailureHandling,
    FieldRead,
    PromiseUse,
    Reference,
)
from extlint.analysis.facts.values import Delivery
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.availability.missing_scripts import may_import_shim
from extlint.checks.availability.unguarded_references import (
    is_guarded,
    is_guarded_by_callers,
    unguarded_calls,
)
from extlint.checks.other_browsers import assigns_global, is_browser_specific
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.checks.possible_members import may_be_replaced
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.wording import quoted

RULE = RULES["missing-promise"]

_ROOT = "chrome"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call, at the function."""
    reported: set[tuple[str, int, ApiPath]] = set()
    for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED):
        if not _requires_promise(extension, call) or _is_excused(extension, script, reference):
            continue
        reported.add((script.path, script.base, call.path))
        api = ".".join(call.path)
        name = quoted(f"{_ROOT}.{api}")
        message = f"{name} returns undefined in Manifest V2, and no promise"
        if call.promise_use is PromiseUse.AWAITED:
            message = f"`await` of {name} gives undefined, as it returns no promise in Manifest V2"
        yield RULE.at(
            *script.place(reference.span),
            message,
            api=api,
            help=_help(extension, api),
        )

    for script in checked_scripts(extension):
        for read in (*script.facts.chained, *script.facts.field_reads):
            place = (script.path, script.base, read.of.path)
            if place not in reported and _fails(extension, script, read):
                reported.add(place)
                api = ".".join(read.of.path)
                yield RULE.at(
                    *script.place(read.span),
                    f"{quoted(f'{_ROOT}.{api}')} returns undefined in Manifest V2, and no promise, "
                    f"so that reading {quoted(read.name)} fails",
                    api=api,
                    help=_help(extension, api),
                )


def _help(extension: Extension, api: str) -> str:
    if extension.target.engine is Engine.GECKO:
        return f"use {quoted(f'browser.{api}')}, or a callback"
    return "use a callback, or Manifest V3"


def _fails(extension: Extension, script: Script, read: FieldRead) -> bool:
    """Whether a read accesses the resolved value of a promise of `chrome`, or a method of the promise."""
    of = read.of
    is_value = of.delivery is Delivery.PROMISE or (
        of.delivery is Delivery.RETURN and read.name in PROMISE_METHODS
    )
    before = script.index.text[: read.span[0] + script.base].rstrip()
    is_tested = read.tested or read.replaced or read.guards.open_test or before.endswith((b"?.", b"?.["))
    if of.root != _ROOT or of.steps or not is_value or is_tested:
        return False
    if is_guarded(extension, read.guards, FailureHandling.RECOVERED) or is_unreachable(
        extension, script, read.guards
    ):
        return False
    reference = Reference(of.path, of.root, read.span, read.guards, is_called=True)
    return _called_here_predicate(extension)(of.path) and not _is_excused(extension, script, reference)


@query
def _called_here_predicate(extension: Extension) -> Callable[[ApiPath], bool]:
    """Returns a predicate for functions: whether each call that may return a promise is in this browser."""
    known: dict[ApiPath, bool] = {}

    def holds(path: ApiPath) -> bool:
        if path not in known:
            known[path] = _is_called_here(extension, path)
        return known[path]

    return holds


def _is_called_here(extension: Extension, path: ApiPath) -> bool:
    function = function_at(extension, path)
    if function is None or function.async_ is None:
        return False
    uses = [
        (script, references.get(call.callee))
        for script in extension.scripts
        for references in [script.facts.references_of_calls]
        for call in script.facts.calls
        if call.path == path and call.root == _ROOT and not call.has_callback
    ]
    return bool(uses) and all(
        reference is not None
        and not is_guarded(extension, reference.guards, FailureHandling.RECOVERED)
        and not is_unreachable(extension, script, reference.guards)
        and not _is_excused(extension, script, reference)
        for script, reference in uses
    )


def _requires_promise(extension: Extension, call: CallSite) -> bool:
    """Whether the use of a call's result requires a promise."""
    if call.root != _ROOT or call.promise_use not in {PromiseUse.AWAITED, *CHAINED_USES}:
        return False
    function = function_at(extension, call.path)
    if function is None or function.async_ is None or call.has_callback:
        return False
    return call.promise_use in CHAINED_USES or bool(function.result)


def _is_excused(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether the call is never made, is for another browser, or may use something other than the API."""
    return (
        is_browser_specific(extension, reference.guards)
        or assigns_global(extension)(_ROOT)
        or may_be_replaced(extension, reference.path)
        or may_import_shim(extension, script)
        or bool(unavailabilities_of(extension, reference.path, script.contexts))
        or is_for_sibling_manifest(extension, script, reference, _has_promises)
        or is_guarded_by_callers(
            extension,
            script,
            reference,
            lambda guards: is_browser_specific(extension, guards),
            FailureHandling.RECOVERED,
        )
    )


def _has_promises(extension: Extension, script: Script) -> bool:  # noqa: ARG001
    return extension.manifest_version != 2
