"""Finds manifests and locale files that are not JSON as browsers read it.

## What it does

Reads `manifest.json` and each `_locales/*/messages.json` the way browsers do: as JSON that may begin
with a byte order mark and may hold `//` and `/* */` comments. It reports the first place that
cannot be read.

## Why is this bad

A browser refuses to load an extension whose manifest or locale file it cannot read.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
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
from extlint.json_files import json_files
from extlint.rule import Rule

RULE = Rule("invalid-json", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each file that cannot be read, at the place of the mistake."""
    for file in json_files(extension):
        problem = file.document.problem
        if problem is not None:
            yield RULE.at(file.path, file.span(problem.span), problem.message)
