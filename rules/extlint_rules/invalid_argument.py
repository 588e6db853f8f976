"""Finds arguments that an API does not accept.

## What it does

Checks each argument against the type of its parameter, as browsers do: optional arguments may be left out,
`null` or `undefined`; objects must have every required property and no unknown one; strings must be among
the listed values. Nothing is reported about values that are not known.

## Why is this bad

The call throws an exception before it does anything.

## Example

```js background.js
browser.management.uninstallSelf({ showConfirmDialog: "yes" });
```

## Use instead

```js background.js
browser.management.uninstallSelf({ showConfirmDialog: true });
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.calls.calls import argument_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["invalid-argument"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each wrong value, at the argument or at the value inside of it."""
    yield from argument_findings(extension, RULE)
