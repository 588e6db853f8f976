"""Finds keys that browsers still read, but have deprecated.

## What it does

Reports keys of the manifest, and of declarativeNetRequest rules, that the target's browser marks as
deprecated, with their replacement if there is one. To check Firefox's keys, run extlint with
`--target firefox`.

## Why is this bad

The browser logs a warning, stores warn or refuse the upload, and a future version may ignore the key.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "Night",
  "version": "1.0",
  "theme": {"colors": {"accentcolor": "#111", "tab_background_text": "#eee"}}
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "Night",
  "version": "1.0",
  "theme": {"colors": {"frame": "#111", "tab_background_text": "#eee"}}
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["deprecated-key"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each deprecated key."""
    yield from json_findings(extension, RULE)
