"""Finds manifests without the description that the Chrome Web Store requires.

## What it does

Under `--target chrome`, looks for a text in `description` in Manifest V3. Manifests without a name or
version, which something else completes, themes, and packages with their own update URL are ignored.

## Why is this bad

Chrome loads the extension, but the store requires a description and shows it in lists of extensions.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "description": "Keeps the links of every page that you read."
}
```

## References

* Chrome for Developers, keys required by the Chrome Web Store:
  https://developer.chrome.com/docs/extensions/reference/manifest
* Chrome for Developers, review your manifest: https://developer.chrome.com/docs/webstore/prepare
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import (
    CHROME_STORE,
    is_finished_extension,
    parent_of_missing,
    shown_text,
    store_of,
)
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["missing-description"]

KEY = "description"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the whole object, if it has no description."""
    manifest = extension.manifest
    if store_of(extension) is not CHROME_STORE or not is_finished_extension(manifest):
        return
    place = parent_of_missing(manifest, KEY)
    if place is not None:
        yield RULE.at(
            *manifest.place(place.span),
            f"the manifest is missing the key {quoted(KEY)}, which {CHROME_STORE.name} requires",
        )
    shown = shown_text(extension, KEY)
    if shown is not None and not shown.text:
        yield shown.finding(RULE, f"{quoted(KEY)} is empty; {CHROME_STORE.name} requires a text")
