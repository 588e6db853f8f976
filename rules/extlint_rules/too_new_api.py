"""Finds uses of an API that the oldest browser does not have in which the extension may run.

## What it does

Compares the version in which a browser got a namespace or a member with the oldest one in which the
extension may run: that of the target (`--target firefox`, `--target "chrome>=100"`), or the one that
the manifest states. Where neither says anything, nothing is told. Code that runs only after the
member was tested for is left alone.

## Why is this bad

In the older versions the member is `undefined`, and a call of it fails with a `TypeError`.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "Hide",
  "version": "1.0",
  "permissions": ["tabs", "tabHide"],
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "hide@example.com", "strict_min_version": "58.0"}}
}
```

```js background.js
browser.tabs.hide([1, 2]);
```

## Use instead

```json manifest.json
{
  "manifest_version": 2,
  "name": "Hide",
  "version": "1.0",
  "permissions": ["tabs", "tabHide"],
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "hide@example.com", "strict_min_version": "58.0"}}
}
```

```js background.js
if (browser.tabs.hide) {
  browser.tabs.hide([1, 2]);
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.judgment.absences import unguarded
from extlint.judgment.elsewhere import shown_browser
from extlint.judgment.lacks import lacks_of
from extlint.judgment.routes import Stop, route
from extlint.rule import Rule
from extlint.schema.support import support_of
from extlint.script.facts import Path
from extlint.target import Version, shown
from extlint.wording import quoted

RULE = Rule("too-new-api", Severity.ERROR)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each naming of a member that came after the oldest allowed version."""
    oldest = extension.target.minimum
    if oldest is None or extension.schemas.browser is None:
        return
    browser = shown_browser(extension.target.name)
    for script, naming in unguarded(extension):
        found = route(extension.schemas, naming.path, extension.manifest.version)
        if found is None or found.member is None or found.rest:
            continue
        late = _latest(extension, found.stops)
        if late is None or late[0] <= oldest or naming.guards.test(late[1]):
            continue
        if not lacks_of(extension, naming.path, script.contexts):
            came = shown(late[0])
            yield RULE.at(
                script.path,
                script.span(naming.span),
                f"{quoted('.'.join(late[1]))} came with {browser} {came}; this may run in {shown(oldest)}",
                api=".".join(found.path),
                help=f"test whether it is there, or ask for {browser} {came} in {extension.manifest.path}",
            )


def _latest(extension: Extension, stops: Sequence[Stop]) -> tuple[Version, Path] | None:
    """The version in which the last came of all that is on the way to a member, and that part of the way."""
    known = [(support_of(".".join(stop.path), extension.target.name), stop.path) for stop in stops]
    dated = [(each.added, path) for each, path in known if each is not None and each.added is not None]
    return max(dated, default=None)
