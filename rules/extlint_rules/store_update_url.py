"""Finds manifests with the update URL of the Chrome Web Store where another store refuses it.

## What it does

Under `--target edge`, checks `update_url`. The Chrome Web Store adds its own URL to packages that are
downloaded from it, and accepts it in uploads; from there it gets into packages for other stores. An update
URL of your own, for an extension that is distributed outside of stores, is ignored.

## Why is this bad

Microsoft Edge Add-ons refuses a package with `update_url`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "update_url": "https://clients2.google.com/service/update2/crx"
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0"
}
```

## References

* Microsoft Learn, port a Chrome extension to Microsoft Edge:
  https://learn.microsoft.com/microsoft-edge/extensions/developer-guide/port-chrome-extension
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import CHROME_STORE, EDGE_STORE, is_chrome_web_store_address, store_of
from extlint.registry import RULES

RULE = RULES["store-update-url"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the address, if it is that of the Chrome Web Store."""
    manifest = extension.manifest
    found = manifest.get("update_url")
    if store_of(extension) is EDGE_STORE and found is not None and is_chrome_web_store_address(found):
        yield RULE.at(
            *manifest.place(found.span),
            f"this is the address of {CHROME_STORE.name}; "
            f"{EDGE_STORE.name} refuses a package with `update_url`",
            help="remove `update_url` from the package for Edge",
        )
