"""Finds methods of the API that are called without their object.

## What it does

Under `--target chrome`, looks for methods of storage areas and events that are taken from their object and
then called by a name of their own. Nothing is reported for `browser`, which may be a polyfill, for methods
that are bound to their object, and where the failure is handled.

## Why is this bad

The call fails with "Illegal invocation: Function must be called on an object of type StorageArea". The
functions of namespaces, such as `tabs.query`, require no object, and Firefox requires none at all.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
const { get } = chrome.storage.local;
get("theme").then(({ theme }) => console.log(theme));
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
const { local } = chrome.storage;
local.get("theme").then(({ theme }) => console.log(theme));
```

## References

* What Chromium 156 and Firefox 153 do without the object (`extlint_judge detached-methods`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import NO_GUARDS, CallSite
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.model import Event, Function
from extlint.text.wording import quoted

RULE = RULES["detached-method"]

_AREA_DEPTH = 3
"""The number of names in the path of a method of a storage area: `storage.local.get`."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call, at the name that is called."""
    if extension.target.engine is Engine.CHROMIUM:
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    references = script.facts.references_of_calls
    for call in script.facts.calls:
        if not call.is_detached or call.root == "browser" or not _requires_object(extension, call):
            continue
        reference = references.get(call.callee)
        guards = NO_GUARDS if reference is None else reference.guards
        if guards.failure or is_unreachable(extension, script, guards):
            continue
        if not unavailabilities_of(extension, call.path, script.contexts):
            api, owner = ".".join(call.path), ".".join(call.path[:-1])
            yield RULE.at(
                *script.place(call.callee),
                f"{quoted(api)} is called without its object, which Chrome refuses",
                api=api,
                help=f"call it as a method, or bind it to {quoted(owner)}",
            )


def _requires_object(extension: Extension, call: CallSite) -> bool:
    """Whether a member belongs to a storage area or an event, rather than a namespace."""
    found = schema_path_of(extension, call.path)
    if found is None:
        return False
    if isinstance(found.member, Event):
        return len(found.rest) == 1
    is_in_area = call.path[0] == "storage" and len(call.path) == _AREA_DEPTH
    return is_in_area and isinstance(found.member, Function)
