"""Finds manifests without the icon that the Chrome Web Store asks for.

## What it does

Under `--target chrome`, looks for `128` in the `icons` of Manifest V3, or for an image of that size under
another number. Manifests without a name or version, which something else completes, themes, and packages
with their own update URL are ignored.

## Why is this bad

Chrome loads the extension, but enlarges another icon or shows a letter. The store asks for an image of 128
by 128 pixels, in PNG format, in the package.

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
  "icons": {"128": "icon.png"}
}
```

## References

* Chrome for Developers, supplying images: https://developer.chrome.com/docs/webstore/images
* Chrome for Developers, keys required by the Chrome Web Store:
  https://developer.chrome.com/docs/extensions/reference/manifest
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.manifest_values.named_images import named_images
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import CHROME_STORE, is_finished_extension, parent_of_missing, store_of
from extlint.registry import RULES

RULE = RULES["missing-store-icon"]

SIZE = 128
"""The required width and height in pixels."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at `icons` or the whole object, if it has no such icon."""
    manifest = extension.manifest
    if store_of(extension) is not CHROME_STORE or not is_finished_extension(manifest):
        return
    place = parent_of_missing(manifest, "icons", str(SIZE))
    if place is not None and not _has_image(extension):
        yield RULE.at(
            *manifest.place(place.span),
            f"`icons` is missing an icon of {SIZE} pixels, which {CHROME_STORE.name} asks for",
        )


def _has_image(extension: Extension) -> bool:
    """Whether an icon under another number has that size."""
    return any(
        (SIZE, SIZE) in each.image.sizes
        for each in named_images(extension)
        if each.image is not None and each.keys[0] == "icons"
    )
