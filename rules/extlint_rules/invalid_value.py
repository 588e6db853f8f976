"""Finds values in the manifest that no browser accepts.

## What it does

Reports a manifest that is no object: a list, a string, a number, `true`, `false` or `null`.

## Why is this bad

A browser refuses to load such an extension.

## Example

```json manifest.json
[{"manifest_version": 3, "name": "List", "version": "1.0"}]
```

## Use instead

```json manifest.json
{"manifest_version": 3, "name": "List", "version": "1.0"}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.manifest.json_values import Node
from extlint.rule import Rule
from extlint.text import Span
from extlint.wording import with_article

RULE = Rule("invalid-value", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at its start, for a manifest that is no object."""
    manifest = extension.manifest
    root = manifest.get()
    if root is None or manifest.is_object:
        return
    start = manifest.span(root.span).start
    yield RULE.at(
        manifest.path,
        Span(start, start),
        f"a manifest must be an object; this one is {_kind(root)}",
    )


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
