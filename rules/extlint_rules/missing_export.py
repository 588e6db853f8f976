"""Finds names that a module imports and that the other module does not export.

## What it does

Checks the names in `import` and `export … from` of modules that browsers load as they are, if they import a
script of the package by its address. It reports each name that the imported module does not export, neither
itself nor by `export *` from others, and names the nearest one that it does export. An `import` without
braces takes what the other module exports as `default`.

Nothing is reported in projects with a build, which has its own say about imports, in pages with an import
map, and of modules whose code is not understood in full. `import()` and `import *` are not checked: a name
that is missing there is undefined.

## Why is this bad

Nothing of the module runs, and nothing of those that import it. Chrome says "Uncaught SyntaxError: The
requested module './badge.js' does not provide an export named 'show'", and Firefox "SyntaxError: The
requested module … doesn't provide an export named: 'show'".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js", "type": "module"}
}
```

```js background.js
import { show } from "./badge.js";
chrome.tabs.onUpdated.addListener(show);
```

```js badge.js
export function showBadge(tabId) {
  chrome.action.setBadgeText({ tabId, text: "new" });
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Visits",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js", "type": "module"}
}
```

```js background.js
import { showBadge } from "./badge.js";
chrome.tabs.onUpdated.addListener(showBadge);
```

```js badge.js
export function showBadge(tabId) {
  chrome.action.setBadgeText({ tabId, text: "new" });
}
```

## References

* What Firefox 153 and Chromium 156 answer modules that import what is not exported (`extlint_judge imports`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import LoadKind
from extlint.checks.availability.wrong_imports import missing_exports
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.nearest import suggest_name
from extlint.text.wording import did_you_mean, listed_with_count, quoted

RULE = RULES["missing-export"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each name in an import or export."""
    if not any(load.kind is LoadKind.IMPORT for script in extension.scripts for load in script.facts.loads):
        return
    for each in missing_exports(extension):
        message = f"{quoted(each.module)} does not export {quoted(each.name)}"
        names = sorted(each.exported)
        yield RULE.at(
            *each.script.place(each.span),
            message + did_you_mean(suggest_name(each.name, names)),
            help=f"it exports {listed_with_count([*map(quoted, names)])}" if names else "it exports nothing",
        )
