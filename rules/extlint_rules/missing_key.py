"""Finds manifests that lack a key which every browser requires.

## What it does

Reports a manifest without `manifest_version`, `name` or `version`: one finding for each of them.

## Why is this bad

No browser loads an extension whose manifest lacks one of these keys.

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
from extlint.finding import Finding, Severity
from extlint.rule import Rule
from extlint.wording import quoted

RULE = Rule("missing-key", Severity.ERROR)

REQUIRED = ("manifest_version", "name", "version")
"""Firefox and Chromium both refuse a manifest without these."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the whole object, for each required key that it lacks."""
    manifest = extension.manifest
    root = manifest.get()
    if root is None or not manifest.is_object:
        return
    for key in REQUIRED:
        if root.get(key) is None:
            yield RULE.at(
                manifest.path,
                manifest.span(root.span),
                f"the manifest lacks the required key {quoted(key)}",
            )
