"""Finds menu items that are created again each time the background starts or an event comes.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls of `contextMenus.create` and `menus.create`
with a constant `id` that a service worker, or a background page that is not persistent, makes each time it
starts, or each time with the same settings. It also reports a call in the listener of an event that comes
often, such as `tabs.onActivated`, and a second call with the same id in one run. Nothing is reported if the
package removes the items before, or if a callback reads `runtime.lastError`.

## Why is this bad

The browser ends the background when nothing happens, starts it again for the next event, and keeps the menu
meanwhile. From the second start on Chrome says "Unchecked runtime.lastError: Cannot create item with
duplicate id save", and Firefox "The menu id save already exists in menus.create."; the item stays as it was
made the first time.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["contextMenus", "storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.contextMenus.create({ id: "save", title: "Save for later", contexts: ["link"] });

chrome.contextMenus.onClicked.addListener((info) => {
  chrome.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## Use instead

Create the menu when the extension is installed or updated:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["contextMenus", "storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: "save", title: "Save for later", contexts: ["link"] });
});

chrome.contextMenus.onClicked.addListener((info) => {
  chrome.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## References

* What Chromium 156 and Firefox 153 say when a background creates its menu again.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.events import MENU_NAMESPACES
from extlint.analysis.facts.script_facts import CallSite, FailureHandling
from extlint.analysis.facts.values import Literal, ObjectValue, options_of
from extlint.checks.calls.creations import Names, Thing, duplicate_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["duplicate-menu"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the calls of each script, and one for each that repeats another."""
    yield from duplicate_findings(extension, RULE, _ITEMS)


def _ids(call: CallSite) -> Names:
    """Returns the ids of the items that a call creates, in order.

    Returns an empty tuple if they are not all known.
    """
    found: list[str] = []
    for option in options_of(call.arguments[0]) if call.arguments else ():
        field = option.fields.get("id") if isinstance(option, ObjectValue) else None
        for each in (None,) if field is None else options_of(field.value):
            if not isinstance(each, Literal) or not isinstance(each.value, str):
                return ()
            found.append(each.value)
    return tuple(dict.fromkeys(found))


_ITEMS = Thing(
    "an item with the id {}",
    frozenset((each, "create") for each in MENU_NAMESPACES),
    _ids,
    frozenset((each, name) for each in MENU_NAMESPACES for name in ("remove", "removeAll")),
    ("removeAll",),
    "create the menu in a listener of `runtime.onInstalled`",
    "give each item an id of its own",
    handling=FailureHandling.INSPECTED,
)
