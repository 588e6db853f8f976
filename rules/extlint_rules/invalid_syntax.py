"""Finds scripts with syntax errors.

## What it does

Reports a script that no browser can run: one with a bracket that is never closed or that closes nothing, an
operator without an expression after it (`let x = ;`), `await` in a function that is not `async`, a name that
`let`, `const` or `class` declares in a block that declares it already, `return` in no function, and one that
is not text. Only scripts that may use an extension API are checked. Syntax that extlint does not know is not
reported.

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

from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.builds import is_build_source
from extlint.registry import RULES

RULE = RULES["invalid-syntax"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script that is certainly broken."""
    for script in extension.scripts:
        problem = script.facts.problem
        if problem is not None and not script.is_for_other_targets:
            yield RULE.at(script.path, script.span(problem.span), problem.message)
        elif (
            script.facts.returns_outside is not None and _is_loaded(script) and not is_build_source(extension)
        ):
            span = script.span(script.facts.returns_outside)
            yield RULE.at(script.path, span, "`return` is only allowed in functions")


def _is_loaded(script: Script) -> bool:
    """Whether browsers load the script itself, as a classic script that no bundler wraps."""
    contexts = script.contexts
    return bool(contexts) and not script.base and all(each.is_module is False for each in contexts)
