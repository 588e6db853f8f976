"""Finds keys that cannot be used together, in the manifest and in rules.

## What it does

Reports pairs of keys that exclude each other in the target's browser. To check Firefox's pairs, run extlint
with `--target firefox`. Each rule in the files of declarativeNetRequest rules that the manifest names is
checked too.

## Why is this bad

The browser refuses to load the extension, or ignores one of the two keys.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "applications": {"gecko": {"id": "list@example.org"}},
  "browser_specific_settings": {"gecko": {"id": "list@example.org"}}
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "browser_specific_settings": {"gecko": {"id": "list@example.org"}}
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["conflicting-keys"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each pair, at the second of the two keys."""
    yield from json_findings(extension, RULE)
