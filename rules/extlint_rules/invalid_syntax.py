"""Finds scripts that do not parse.

## What it does

Reports a script that is no JavaScript or TypeScript, at the first place that cannot be read. Only
scripts that may use an extension API are parsed at all.

## Why is this bad

A browser runs no part of a script that it cannot parse.

## Example

```js background.js
browser.management.getSelf(
```

## Use instead

```js background.js
browser.management.getSelf();
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.rule import Rule

RULE = Rule("invalid-syntax", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script that does not parse."""
    for script in extension.scripts:
        problem = script.facts.problem
        if problem is not None:
            yield RULE.at(script.path, script.span(problem.span), problem.message)
