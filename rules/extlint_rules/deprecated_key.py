"""Finds keys that browsers still read, and will not for long.

## What it does

Reports keys of the manifest, and of declarativeNetRequest rules, that the target's browser calls
deprecated, and names what took their place, if anything did. For Firefox's keys run
extlint with `--target firefox`.

## Why is this bad

The browser warns, stores warn or refuse, and one day the key has no effect.

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
from extlint.finding import Finding, Severity
from extlint.json_findings import told
from extlint.rule import Rule

RULE = Rule("deprecated-key", Severity.WARNING)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each deprecated key."""
    yield from told(extension, RULE)
