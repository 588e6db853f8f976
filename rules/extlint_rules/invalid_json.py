"""Finds JSON files that no browser reads: the manifest, and files that browsers read beside it.

## What it does

Reads these files the way browsers do, and reports the first place of each that cannot be read:

* `manifest.json` and each `_locales/*/messages.json`: JSON that may begin with a byte order mark and
  may hold `//` and `/* */` comments
* each file of rules that `declarative_net_request` names: JSON without comments
* the schema that `storage.managed_schema` names, which Chrome reads: JSON that may hold comments, and
  commas after the last item

## Why is this bad

A browser refuses to load an extension whose manifest or locale file it cannot read. Chrome refuses one
whose rules or schema it cannot read too; in Firefox none of the file's rules count.

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
from extlint.json_files import JsonKind, json_files
from extlint.rule import Rule
from extlint.templates import is_unquoted_template

RULE = Rule("invalid-json", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each file that cannot be read, at the place of the mistake."""
    for file in json_files(extension):
        problem = file.problem
        if problem is not None and not (
            file.kind is JsonKind.MANIFEST and is_unquoted_template(file.index.text, problem.span[0])
        ):
            yield RULE.at(file.path, file.span(problem.span), problem.message)
