"""Finds objects in the manifest and in rules that are missing a required key.

## What it does

Reports each key that the target's browser requires and that is missing: `manifest_version`, `name` and
`version` at the top, and others in nested objects, such as `matches` in a content script. Without a target,
a key is reported if every browser requires it. The declarativeNetRequest rules in every file that the
manifest names are checked too: a rule that redirects must say where to.

The messages of locales (`_locales/*/messages.json`) require `message`, and their placeholders `content`. If
there are messages, the manifest requires `default_locale`.

## Why is this bad

Browsers refuse to load the extension, or ignore the object without the key.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List"
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["missing-key"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the whole object, for each required key that is missing."""
    yield from json_findings(extension, RULE)
