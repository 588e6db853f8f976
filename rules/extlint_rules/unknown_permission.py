"""Finds permissions in the manifest that no browser has.

## What it does

Compares the strings in `permissions` and `optional_permissions` with the permissions of every browser that
extlint knows, and reports each one that none of them has, with the nearest existing one. Letter case
matters. Hosts are checked as match patterns instead.

Under the target of a browser, permissions that only other browsers have are reported as notes, because the
browser warns about them, unless one of those is a target of the run too. Permissions that the browser grants
only to its own extensions, such as `telemetry`, are reported as warnings.

## Why is this bad

Browsers ignore an unknown permission, with a warning at most. The API that it should provide is then
missing.

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
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["unknown-permission"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each string that is not a permission."""
    yield from json_findings(extension, RULE)
