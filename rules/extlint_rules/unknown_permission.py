"""Finds permissions in the manifest that are misspelled.

## What it does

Compares the strings in `permissions` and `optional_permissions` with the names of permissions, and
reports one that is nearly a permission of the target but is not one. A difference in letter case
alone counts. Match patterns, and permissions of APIs that the target does not describe, are left
alone.

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
from extlint.near import nearest
from extlint.rule import Rule
from extlint.schema.model import SchemaSet
from extlint.schema.types import ChoicesType, RefType, StringType
from extlint.wording import quoted
from extlint_schemas import known_permissions

RULE = Rule("unknown-permission", Severity.WARNING)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each value that is a near miss of a permission of the target."""
    manifest = extension.manifest
    own = _permissions(extension.schemas)
    known = known_permissions().union(own)
    for key in ("permissions", "optional_permissions"):
        for name, node in manifest.strings(key):
            meant = nearest(name, known) if _is_name(name) else None
            if meant is not None and meant in own:
                yield RULE.at(
                    manifest.path,
                    manifest.span(node.span),
                    f"there is no permission {quoted(name)}; did you mean {quoted(meant)}?",
                )


def _permissions(schemas: SchemaSet) -> frozenset[str]:
    kind = schemas.resolve(RefType("manifest", "Permission"))
    choices = [each.type for each in kind.choices] if isinstance(kind, ChoicesType) else [kind]
    return frozenset(
        name for each in choices if isinstance(each, StringType) and each.enum for name in each.enum
    )


def _is_name(text: str) -> bool:
    """Whether it is a name at all, and no match pattern."""
    return not any(mark in text for mark in ":/*<")
