"""Finds keys that occur twice in an object of a JSON file.

## What it does

Checks every object of `manifest.json`, of each `_locales/*/messages.json`, of the rule files that
`declarative_net_request` names, and of the schema that `storage.managed_schema` names, and reports each
repeated key. Names of messages and of their placeholders count as the same if they differ only in letter
case. In messages this is a warning, because browsers use the last one.

## Why is this bad

Browsers keep the last value and silently drop the others, so the first one, such as a list of permissions,
is ignored. Of names that differ in letter case, Firefox uses the last one, and Chrome another.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["management"],
  "permissions": ["storage"]
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["management", "storage"]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from extlint.checks.locales.folders import ignored_messages
from extlint.extension import Extension
from extlint.finding import Finding, Fix, Related
from extlint.linting.json_findings import json_findings, with_reaction
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_files
from extlint.registry import RULES
from extlint.schema.validation.mistake import Reaction
from extlint.text.wording import quoted

RULE = RULES["duplicate-key"]


MAX_FIXED = 100
"""The maximum number of keys of one file that are fixed at once."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each key that its object already contains, except in ignored messages."""
    ignored = frozenset(ignored_messages(extension).values())
    for file in json_files(extension):
        if file.path in ignored:
            continue
        fixes = list(_fixes(file))
        for duplicate, fix in zip_longest(file.duplicates, fixes):
            finding = RULE.at(
                *file.place(duplicate.second),
                f"duplicate key {quoted(duplicate.name)}; browsers keep the last value",
                related=(Related(*file.place(duplicate.first), "the first one is here"),),
                fix=fix,
            )
            yield with_reaction(finding, Reaction.IGNORES if file.kind is JsonKind.MESSAGES else None)
    yield from json_findings(extension, RULE)


def _fixes(file: JsonFile) -> Iterator[Fix | None]:
    """Yields the fixes that remove the first occurrences, which browsers ignore.

    A fix is safe only if both values are equal.
    """
    root = file.node() if file.duplicates else None
    if root is not None:
        from extlint.manifest.edits.json_fixes import JsonFixes

        fixes = JsonFixes(file.path, file.index, root)
        yield from (fixes.remove_repeated(each) for each in file.duplicates[:MAX_FIXED])
