"""Finds calls of an API with too few or too many arguments.

## What it does

Compares the number of arguments of each call with the parameters of the function, of which some may
be optional. Calls with a spread, such as `f(...list)`, count as what they have at least. Functions
that check their arguments themselves are left alone.

## Why is this bad

The call fails with an exception before it does anything. A surplus argument is an error, too.

## Example

```js content.js
browser.test.log();
```

## Use instead

```js content.js
browser.test.log("done");
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.judgment.calls import argument_findings
from extlint.rule import Rule

RULE = Rule("wrong-argument-count", Severity.ERROR, about_uses=True)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the list of arguments, for each call with a wrong number of them."""
    yield from argument_findings(extension, RULE)
