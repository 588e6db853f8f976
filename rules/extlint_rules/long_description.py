"""Finds descriptions that are longer than the browser's store accepts.

## What it does

Under `--target chrome`, counts the characters of `description`; if it is a message, of the one in the
default locale. The Chrome Web Store accepts 132. Under `firefox` the limit is 250, for addons.mozilla.org,
where a message is checked when an add-on is new. A character is a Unicode code point. For Chrome, packages
with their own update URL or with Manifest V2 are not for the store and are ignored.

## Why is this bad

The store refuses the upload.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "description": "Keeps the links of every page that you read, with a note, a screenshot and the time at which you read it, so that you find them all again later."
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Links",
  "version": "1.0",
  "description": "Keeps the links of every page that you read, with a note and a screenshot."
}
```

## References

* Chrome for Developers, description:
  https://developer.chrome.com/docs/extensions/reference/manifest/description
* Extension Workshop, the summary of a listing:
  https://extensionworkshop.com/documentation/publish/create-an-appealing-listing/
"""  # noqa: E501 JSON has no strings of several lines

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.linting.stores import check_length
from extlint.registry import RULES

RULE = RULES["long-description"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding, at the description or its message, if it is too long."""
    return check_length(extension, RULE, "description")
