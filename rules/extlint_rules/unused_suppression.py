"""Finds comments of extlint that suppress nothing.

## What it does

Reports a comment if the rules that it names find nothing where it suppresses their findings, and each name
in a comment that is not the name of a rule or group. If a comment names several rules, only those are
reported that find nothing.

A rule counts only if it ran. So nothing is reported about rules that are ignored, and of a comment without
names nothing if only some rules were selected. Nothing is reported where extlint cannot see whether the
comment is of use: in code that does not run in the browsers that are checked, in scripts that nothing is
seen to load, and in files that are analyzed only in part. A comment counts as used if it suppresses a
finding for any browser, also for those that are not checked in this run.

`--fix` removes the comment, or the names.

## Why is this bad

The mistake was fixed, but the comment says that it still exists. Worse, the next mistake in the same line is
suppressed as well, without a decision. A misspelled name suppresses nothing.

## Example

```js background.js
// extlint-disable-next-line unknown-api -- the name is still wrong
chrome.tabs.query({}, (tabs) => console.log(tabs.length));
```

## Use instead

```js background.js
chrome.tabs.query({}, (tabs) => console.log(tabs.length));
```

If a comment is of use only in a build that extlint does not see, name this rule in it too:

```js popup.js
chrome.tabs.query({}); // extlint-disable-line unknown-api, unused-suppression -- another build has no tabs
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["unused-suppression"]


def check(extension: Extension) -> Iterator[Finding]:  # noqa: ARG001
    """Yields nothing: comments are evaluated once the findings of all other rules are known."""
    return iter(())
