"""Finds values in the manifest and in rules that browsers do not accept.

## What it does

Checks every value of the manifest against what the target's browser takes at its place: its type, the
values it can have, its range, and the form of match patterns, versions, content security policies,
extension ids, shortcuts, colors, addresses and paths. One wrong value is one finding, at the value.
Without a target, a value is reported if no browser accepts it. Texts that a locale file gives
(`__MSG_name__`) are left alone.

Rules of declarativeNetRequest are checked likewise in every file that the manifest names: each value by
itself, and what the parts of a rule must have to do with each other. A regular expression is read by the
browser's own engine: for Chrome that needs the extra `extlint[re2]`, and one that exceeds Chrome's memory
limit is a warning, because only its rule is skipped. Of a file in which very many rules are wrong the first
hundred are told, and how many more there are.

So are the messages of locales (`_locales/*/messages.json`): their texts, placeholders and names.

## Why is this bad

A browser refuses to load the extension, or passes over the value: a content script whose match
pattern is wrong never runs. Where it passes over the value, the finding is a warning. Chrome refuses every
manifest of version 2 since version 139. Firefox leaves a wrong rule out; Chrome does that, or refuses the
extension.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "content_scripts": [{"matches": ["*.example.org/*"], "js": ["list.js"]}]
}
```

```js list.js
document.title = "List";
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "content_scripts": [{"matches": ["*://*.example.org/*"], "js": ["list.js"]}]
}
```

```js list.js
document.title = "List";
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.json_findings import told
from extlint.manifest.json_values import Node
from extlint.rule import Rule
from extlint.text import Span
from extlint.wording import with_article

RULE = Rule("invalid-value", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each wrong value, and one at its start for a manifest that is no object."""
    manifest = extension.manifest
    root = manifest.get()
    if root is not None and not manifest.is_object:
        start = manifest.span(root.span).start
        message = f"a manifest must be an object; this one is {_kind(root)}"
        yield RULE.at(manifest.path, Span(start, start), message)
    yield from told(extension, RULE)


def _kind(node: Node) -> str:
    value = node.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return with_article("boolean")
    if isinstance(value, str):
        return with_article("string")
    if isinstance(value, Sequence):
        return with_article("array")
    return with_article("object") if isinstance(value, Mapping) else with_article("number")
