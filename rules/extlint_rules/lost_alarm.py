"""Finds alarms that are missing when Firefox is started again.

## What it does

Under `--target firefox`, looks for calls of `alarms.create` with `periodInMinutes` in the background. It
reports one if all calls of `alarms.create` are made in listeners of `runtime.onInstalled` only.

## Why is this bad

Firefox forgets all alarms when it is closed or the extension is turned off, in both manifest versions.
`runtime.onInstalled` comes again only after an update of the extension or the browser. Until then the alarm
never goes off.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Backup",
  "version": "1.0",
  "permissions": ["alarms", "storage"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.runtime.onInstalled.addListener(() => {
  browser.alarms.create("backup", { periodInMinutes: 60 });
});

browser.alarms.onAlarm.addListener(() => {
  browser.storage.local.set({ backup: Date.now() });
});
```

## Use instead

Create the alarm whenever the background starts, if it is not there:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Backup",
  "version": "1.0",
  "permissions": ["alarms", "storage"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.alarms.get("backup").then((alarm) => {
  if (!alarm) browser.alarms.create("backup", { periodInMinutes: 60 });
});

browser.alarms.onAlarm.addListener(() => {
  browser.storage.local.set({ backup: Date.now() });
});
```

## References

* The alarms that Firefox 153 has after an extension was turned off and on (`extlint_judge kept-menus`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ObjectValue
from extlint.checks.calls.creations import INSTALLED, created_when_installed
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted

RULE = RULES["lost-alarm"]

_CREATE = ("alarms", "create")
_PERIOD = "periodInMinutes"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script, at its first call."""
    if engine_of(extension.target.name) is not Engine.GECKO:
        return
    for script, reference, call in created_when_installed(extension, frozenset({_CREATE})):
        if _is_repeated(call):
            api = ".".join(_CREATE)
            yield RULE.at(
                *script.place(reference.span),
                f"{quoted(api)} is called only in a listener of {quoted(INSTALLED)}, and Firefox "
                "forgets alarms when it is closed",
                api=api,
                help="call it whenever the background starts, if `alarms.get` does not find the alarm",
            )


def _is_repeated(call: CallSite) -> bool:
    """Whether the alarm certainly goes off more than once."""
    options = call.arguments[-1] if call.arguments else None
    return isinstance(options, ObjectValue) and _PERIOD in options.fields
