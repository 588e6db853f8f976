"""Finds uses of an API that exists only with a key of the manifest that is not there.

## What it does

Looks at every place where a script names a member that browsers create only for a manifest with a
certain key, as `action` for `action`. Code that runs only after the member was tested for is left
alone.

## Why is this bad

Without the key the browser does not create the member, and a use of it fails with a `TypeError`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.setBadgeText({text: "1"});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.setBadgeText({text: "1"});
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.judgment.absences import absences
from extlint.judgment.lacks import KEY, Reason
from extlint.rule import Rule
from extlint.wording import listed, quoted

RULE = Rule("missing-manifest-key", Severity.ERROR, about_uses=True)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each naming of a member that needs a key which the manifest lacks."""
    for absence in absences(extension, Reason.MANIFEST_KEY):
        keys = [quoted(each.removeprefix(KEY)) for each in absence.lack.permissions]
        noun = "the key" if len(keys) == 1 else "one of the keys"
        yield RULE.at(
            absence.path,
            absence.span,
            f"{quoted(absence.api)} needs {noun} {listed(keys, 'or')}, which the manifest lacks",
            api=absence.api,
            help=f"add {keys[0]} to {extension.manifest.path}",
            general=f"{quoted(absence.api)} needs a key, which the manifest lacks",
        )
