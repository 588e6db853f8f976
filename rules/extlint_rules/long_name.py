"""Finds names that are longer than the browser's store accepts.

## What it does

Under `--target firefox`, `chrome` or `edge`, counts the characters of `name`; if it is a message, of the one
in the default locale. The Chrome Web Store accepts 75, Microsoft Edge Add-ons 45. addons.mozilla.org accepts
45 in the manifest, and 50 in a message, which is checked when an add-on is new. A character is a Unicode
code point. For Chrome and Edge, packages with their own update URL or with Manifest V2 are not for the store
and are ignored.

## Why is this bad

The store refuses the upload.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links, notes and screenshots of every page, kept for later",
  "version": "1.0",
  "browser_specific_settings": {
    "gecko": {"id": "links@example.com", "data_collection_permissions": {"required": ["none"]}}
  }
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links, notes and screenshots",
  "version": "1.0",
  "description": "Keeps links, notes and screenshots of every page for later.",
  "browser_specific_settings": {
    "gecko": {"id": "links@example.com", "data_collection_permissions": {"required": ["none"]}}
  }
}
```

## References

* Chrome for Developers, name: https://developer.chrome.com/docs/extensions/reference/manifest/name
* Microsoft Edge extensions, the length of a name:
  https://github.com/microsoft/MicrosoftEdge-Extensions/discussions/55
* MDN, name: https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/name
* The schema by which addons.mozilla.org checks manifests:
  https://github.com/mozilla/addons-linter/blob/master/src/schema/updates/manifest.json
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import check_length
from extlint.registry import RULES

RULE = RULES["long-name"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the name or its message, if it is too long."""
    return check_length(extension, RULE, "name")
