"""Finds values in a manifest that the browser accepts but its store refuses.

## What it does

Under `--target firefox` or `firefox_android`, reports values that Firefox accepts without a warning and that
addons.mozilla.org refuses: a key whose value is null, a permission that is listed twice, a
`strict_min_version` without a dot, and keys that only privileged add-ons of Mozilla can have
(`experiment_apis`, `l10n_resources`).

## Why is this bad

The extension works on the author's machine, but the upload fails.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "permissions": ["storage", "tabs", "storage"]
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "List",
  "version": "1.0",
  "permissions": ["storage", "tabs"]
}
```

## References

* addons-linter, the program by which addons.mozilla.org judges uploads, in version 10.14:
  https://github.com/mozilla/addons-linter
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.stores.store import ADD_ONS, store_of
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.manifest.manifest import PERMISSIONS, Manifest
from extlint.registry import RULES
from extlint.text.json.values import JsonNode
from extlint.text.wording import quoted

RULE = RULES["refused-by-store"]

PRIVILEGED = ("experiment_apis", "l10n_resources")
SETTINGS = (("browser_specific_settings", "gecko"), ("applications", "gecko"))


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each value that addons.mozilla.org rejects although Firefox accepts it."""
    if store_of(extension) is not ADD_ONS or not extension.manifest.is_object:
        return
    manifest = extension.manifest
    yield from _nulls(manifest)
    yield from _repeated(manifest)
    yield from _privileged(manifest)
    for settings in SETTINGS:
        version = manifest.get(*settings, "strict_min_version")
        if version is not None and isinstance(version.value, str) and version.value.isdecimal():
            message = f"{quoted(version.value)} requires a dot: {ADD_ONS.name} accepts `{version.value}.0`"
            yield RULE.at(manifest.path, manifest.span(version.span), message)


def _nulls(manifest: Manifest) -> Iterator[Finding]:
    waiting: list[JsonNode] = [node for node in [manifest.get()] if node is not None]
    while waiting:
        node = waiting.pop()
        waiting += node.items()
        for key, member in node.members():
            waiting.append(member.node)
            if member.node.value is None:
                message = f"{ADD_ONS.name} refuses null for {quoted(key)}; leave the key out"
                yield RULE.at(manifest.path, manifest.span(member.node.span), message)


def _repeated(manifest: Manifest) -> Iterator[Finding]:
    for key in PERMISSIONS:
        first: dict[str, JsonNode] = {}
        for name, node in manifest.strings(key):
            if name in first:
                related = Related(manifest.path, manifest.span(first[name].span), "first listed here")
                message = f"{quoted(name)} is already in {quoted(key)}; {ADD_ONS.name} refuses duplicates"
                yield RULE.at(manifest.path, manifest.span(node.span), message, related=(related,))
            first.setdefault(name, node)


def _privileged(manifest: Manifest) -> Iterator[Finding]:
    if "mozillaAddons" in manifest.permissions:
        return
    for key, member in manifest.members():
        if key in PRIVILEGED:
            message = f"{quoted(key)} is only allowed in privileged add-ons of Mozilla"
            yield RULE.at(manifest.path, manifest.span(member.key), message)
