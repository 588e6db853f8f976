"""Finds the development key in a manifest, which the Chrome Web Store refuses in a new extension.

## What it does

Under `--target chrome`, checks for `key`, which gives an unpacked extension the id that it has or will have
in the store. Manifests with an update URL, that of the store or their own, are ignored.

## Why is this bad

The upload of a new extension fails. A new version of an extension that is already published may contain its
matching key. A manifest that is never uploaded may contain one too: ignore this note there.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "key": "YWJjZGVmZ2hpamtsbW5vcA=="
}
```

## Use instead

Leave the key out of what is uploaded:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## References

* Chrome for Developers, manifest: key:
  https://developer.chrome.com/docs/extensions/reference/manifest/key
* Stack Overflow, the message of the store to such an upload:
  https://stackoverflow.com/questions/21497781
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import CHROME_STORE, store_of
from extlint.registry import RULES

RULE = RULES["store-key"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the key, in a manifest that the store has not written to."""
    manifest = extension.manifest
    if store_of(extension) is not CHROME_STORE or manifest.get("update_url") is not None:
        return
    for key, member in manifest.members():
        if key == "key":
            message = (
                f"{CHROME_STORE.name} refuses `key` in a new extension, because it is only for development"
            )
            yield RULE.at(*manifest.place(member.key), message)
