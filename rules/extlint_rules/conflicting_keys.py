"""Finds keys of which only one can be there, in the manifest and in rules.

## What it does

Reports pairs of keys that exclude each other for the target's browser. For Firefox's pairs run extlint
with `--target firefox`. The same is done for each rule in the files of declarativeNetRequest rules that
the manifest names.

## Why is this bad

The browser refuses to load the extension, or ignores one of the two.

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
from extlint.finding import Finding, Severity
from extlint.json_findings import told
from extlint.rule import Rule

RULE = Rule("conflicting-keys", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each pair, at the second of the two keys."""
    yield from told(extension, RULE)
