"""Finds permissions in the manifest that no browser has.

## What it does

Compares the strings in `permissions` and `optional_permissions` with the permissions of every browser
that extlint knows, and reports each that is none of them, with the nearest one. A difference in letter
case alone counts. Hosts are judged as match patterns instead.

Under the target of a browser permissions that other browsers give are reported as notes, since it warns
of them, and as warnings those that it gives to no other extensions than its own, such as `telemetry`.

## Why is this bad

Browsers ignore a permission that they do not know, with a warning at most. The API that it should
give is then missing.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["managment"]
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["management"]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.json_findings import told
from extlint.rule import Rule

RULE = Rule("unknown-permission", Severity.WARNING)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each string that is no permission."""
    yield from told(extension, RULE)
