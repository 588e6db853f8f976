"""Finds names and descriptions that mention Chrome where another browser's store wants that replaced.

## What it does

Under `--target edge`, looks for the word Chrome in `name` and `description`; if they are messages, in those
of the default locale. Packages with their own update URL or with Manifest V2 are not for the store and are
ignored.

## Why is this bad

The certification of Microsoft Edge Add-ons asks for such names and descriptions to be changed.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tidy tabs",
  "version": "1.0",
  "description": "Sorts the tabs of Chrome."
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tidy tabs",
  "version": "1.0",
  "description": "Sorts the tabs of the browser."
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
from extlint.linting.stores import EDGE_STORE, shown_text, store_of
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["wrong-browser-name"]

_CHROME = lazy(r"\bChrome\b")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each of the two texts that names Chrome."""
    if store_of(extension) is not EDGE_STORE:
        return
    for key in ("name", "description"):
        shown = shown_text(extension, key)
        if shown is not None and _CHROME.search(shown.text):
            yield shown.finding(
                RULE, f"{quoted(key)} mentions Chrome; {EDGE_STORE.name} asks for another name"
            )
