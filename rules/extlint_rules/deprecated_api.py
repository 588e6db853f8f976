"""Finds uses of an API that the browser marks as deprecated.

## What it does

Reports every use of a namespace or member that is available, but marked as deprecated in the schemas of the
target's browser, with its replacement if that is known. A member that nothing replaces in this manifest
version is not reported, and neither is code that tests for the member, that runs only where the replacement
is missing (`chrome.runtime.getURL ?? chrome.extension.getURL`), or that certainly never runs. Under the
target `reference` both browsers must mark it as deprecated.

## Why is this bad

The browser logs a warning, and a future version may remove the member.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "Frame",
  "version": "1.0",
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
fetch(chrome.extension.getURL("words.json"));
```

```json words.json
["one", "two"]
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "Frame",
  "version": "1.0",
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
fetch(chrome.runtime.getURL("words.json"));
```

```json words.json
["one", "two"]
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import PathElement, SchemaPath, schema_path_of
from extlint.checks.availability.unguarded_references import unguarded_references_in
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import quoted, use
from extlint_schemas import successor

RULE = RULES["deprecated-api"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each reference to an available member that is deprecated."""
    if not extension.schemas.is_specification:
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    for reference in unguarded_references_in(extension, script):
        found = schema_path_of(extension, reference.path)
        element = None if found is None else _deprecated_element(extension, script, reference, found)
        if found is None or element is None:
            continue
        member = ".".join(element.path)
        instead = successor(member)
        if instead is not None and not _is_available(extension, script, instead):
            continue
        yield RULE.at(
            *script.place(reference.span),
            f"{quoted(member)} is deprecated",
            api=".".join(found.path),
            help=None if instead is None else use(instead),
        )


def _deprecated_element(
    extension: Extension, script: Script, reference: Reference, found: SchemaPath
) -> PathElement | None:
    """Returns the first deprecated element on the path to a member, if the member is available.

    One that runs only without another member of the API is for browsers that do not have the other yet.
    """
    element = next((each for each in found.elements if each.availability.deprecated), None)
    if (
        element is None
        or len(reference.path) != found.reported_length(element.path)
        or reference.guards.is_tested(element.path)
        or any(each[0] not in (API_ROOT, GLOBAL_OBJECT) for each in reference.guards.missing)
    ):
        return None
    return (
        None
        if unavailabilities_of(extension, reference.path, script.contexts, reference.on_load)
        else element
    )


def _is_available(extension: Extension, script: Script, name: str) -> bool:
    """Whether a member or namespace is available to a script."""
    path = tuple(name.split("."))
    found = schema_path_of(extension, path)
    return (
        found is not None and found.path == path and not unavailabilities_of(extension, path, script.contexts)
    )
