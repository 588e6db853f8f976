"""Finds calls of an API with too few or too many arguments.

## What it does

Compares the number of arguments of each call with the parameters of the function, which may be optional in
part. A call with a spread, such as `f(...list)`, counts with the arguments that it has at least. Functions
that check their arguments themselves are ignored.

## Why is this bad

The call throws an exception before it does anything: "Error in invocation of tabs.sendMessage(...): No
matching signature." in Chrome, "Incorrect argument types for tabs.sendMessage." in Firefox. This is also true
of a surplus argument.

## Example

```js background.js
chrome.tabs.sendMessage("hello");
```

## Use instead

```js background.js
chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => {
  chrome.tabs.sendMessage(tab.id, "hello").catch(console.error);
});
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.calls.calls import argument_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["wrong-argument-count"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the list of arguments, for each call with a wrong number of arguments."""
    yield from argument_findings(extension, RULE)
