"""Finds keys that browsers do not know.

## What it does

Compares the keys of the manifest, at every depth, with those that browsers read there, and reports each one
that no browser knows, with the key that was probably meant. Keys that begin with `_`, `$`, `#`, `//` or `x-`
are comments. So are those that a script reads from `runtime.getManifest()`.

Under the target of a browser everything that the browser itself warns about is reported: as a note what other
browsers read (unless one of them is a target of the run too) and what is a comment, as a warning what the
browser reserves for other extensions, such as `experiment_apis`. If Firefox or Chrome refuses the package
because of an unknown key, that is an error. Keys of another browser that it silently ignores are not reported
if the manifest is clearly written for that browser too: by `browser_specific_settings`,
`minimum_chrome_version`, or a background with both scripts and a service worker. Marks for another browser
are never reported: `browser_specific_settings` itself, `minimum_chrome_version`, `key`, `update_url` and
`__firefox__name`.

The files of declarativeNetRequest rules that the manifest names are checked too. A program may keep its own
data next to the parts of a rule, so only keys that resemble one of a rule are reported there. This is also
true of the messages of locales (`_locales/*/messages.json`), where translators keep notes.

## Why is this bad

Browsers ignore an unknown key, with a warning at most. Some objects of the manifest are refused as a whole
because of it.

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
from extlint.finding import Finding
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES

RULE = RULES["unknown-key"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each unknown key."""
    yield from json_findings(extension, RULE)
