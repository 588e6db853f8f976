"""Finds scripts with syntax errors.

## What it does

Reports a script that no browser can run: one with a bracket that is never closed or that closes nothing, and
one that is not text. Only scripts that may use an extension API are checked.

## Why is this bad

A browser does not run any part of a script that it cannot parse.

## Example

```js background.js
function start() {
  browser.management.getSelf();
```

## Use instead

```js background.js
function start() {
  browser.management.getSelf();
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["invalid-syntax"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script that is certainly broken."""
    for script in extension.scripts:
        problem = script.facts.problem
        if problem is not None and not script.is_for_other_targets:
            yield RULE.at(script.path, script.span(problem.span), problem.message)
