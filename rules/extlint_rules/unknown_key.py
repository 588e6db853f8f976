"""Finds keys that mean nothing where they stand.

## What it does

Compares the keys of the manifest, at every depth, with those that browsers read there, and reports each
that no browser knows, with the nearest one that is known. Keys that begin with `_`, `$`, `#`, `//` or `x-`
are comments.

Under the target of a browser all is reported that the browser itself warns of: as a note what other
browsers read and what are comments, as a warning what it keeps for other extensions, such as
`experiment_apis`. Where Firefox or Chrome refuses the package for an unknown key, that is an error. Of keys
that it passes over in silence those of another browser are left alone if the manifest is plainly written
for that one too: by `browser_specific_settings`, `minimum_chrome_version`, or a background that has both
scripts and a service worker. Marks for another browser are left alone everywhere:
`browser_specific_settings` itself, `minimum_chrome_version`, `key`, `update_url` and `__firefox__name`.

The files of declarativeNetRequest rules that the manifest names are checked likewise. Beside the parts of
a rule a program may keep what it alone reads; there only what resembles a key of rules is reported. So
it is in the messages of locales (`_locales/*/messages.json`), where translators keep notes.

## Why is this bad

Browsers pass over a key that they do not know, with a warning at most: what it says has no effect.
Some objects of the manifest are refused as a whole for it.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permisions": ["storage"]
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
  "permissions": ["storage"]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.json_findings import told
from extlint.rule import Rule

RULE = Rule("unknown-key", Severity.WARNING)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each key that is not known."""
    yield from told(extension, RULE)
