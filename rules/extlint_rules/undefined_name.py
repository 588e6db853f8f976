"""Finds names that neither a script nor a browser defines.

## What it does

Looks for variables and functions that a script uses without declaring them, in calls (`name()`) and reads of
members (`name.member`). It reports a name if it does not occur in any other way in the scripts and pages that
may share their globals with it, and no browser has a global of this name. It reports nothing if some code of
the package is missing, and in sources that a build compiles.

## Why is this bad

The script throws a ReferenceError where it uses the name, and does not continue.

## Example

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updatBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

## Use instead

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updateBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import quoted
from extlint_rules.helpers.undefined_names import undefined_names

RULE = RULES["undefined-name"]

_NOWHERE = "no script of the package declares it"
_ELSEWHERE = "no script that runs in the same place declares it"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the first use of each name in a script."""
    for each in undefined_names(extension):
        yield RULE.at(
            each.script.path,
            each.script.span(each.use.span),
            f"{quoted(each.use.name)} is not defined: {_ELSEWHERE if each.is_elsewhere else _NOWHERE}",
        )
