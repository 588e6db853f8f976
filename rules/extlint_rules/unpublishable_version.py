"""Finds versions that Chrome loads but the Chrome Web Store refuses.

## What it does

Under `--target chrome`, checks `version` for numbers above 65535, and for versions in which every number is
0. Manifest V2 extensions and packages with their own update URL are ignored.

## Why is this bad

The store refuses the upload. `0.0.0` is a good placeholder in a source folder if the build replaces it.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.20261121"
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.2026.1121"
}
```

## References

* Chrome for Developers, version: https://developer.chrome.com/docs/extensions/reference/manifest/version
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import CHROME_STORE, store_of
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["unpublishable-version"]

MAX_NUMBER = 65535
MAX_LOADED_NUMBER = 2**32 - 1
"""The largest number in a version that Chrome loads."""

_NUMBERS = lazy(r"[0-9]{1,10}+(?:\.[0-9]{1,10}+){0,3}")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the version, if the store rejects it and Chrome does not."""
    manifest = extension.manifest
    found = manifest.get("version")
    if store_of(extension) is not CHROME_STORE or found is None or not isinstance(found.value, str):
        return
    if _NUMBERS.fullmatch(found.value) is None:
        return
    numbers = [int(each) for each in found.value.split(".")]
    if not any(numbers):
        problem = f"every number in the version {quoted(found.value)} is 0"
    elif MAX_NUMBER < max(numbers) <= MAX_LOADED_NUMBER:
        problem = f"{max(numbers)} is more than {MAX_NUMBER}, the largest number in a version"
    else:
        return
    yield RULE.at(*manifest.place(found.span), f"{problem}; {CHROME_STORE.name} refuses it")
