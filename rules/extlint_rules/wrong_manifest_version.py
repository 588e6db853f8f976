"""Finds manifest keys and uses of APIs that do not exist in this manifest version.

## What it does

Reports keys and values whose form belongs to the other manifest version, such as `browser_action`, hosts in
`permissions`, or a content security policy that is a string in Manifest V3. It also reports every use of a
namespace or member that browsers have only in extensions of the other manifest version. Code that runs
only after the member was tested for is not reported, and neither is code in a `try` whose `catch` ignores
the error or does something else instead. A `catch` that only logs the error, shows it or passes it on does
not count.

## Why is this bad

The browser refuses or ignores the key. The member is `undefined`, and calling it throws a `TypeError`:
"chrome.tabs.executeScript is not a function" or "Cannot read properties of undefined (reading 'onClicked')".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "permissions": ["activeTab", "scripting"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.browserAction.onClicked.addListener((tab) => {
  chrome.tabs.executeScript(tab.id, { file: "dim.js" });
});
```

```js dim.js
document.body.style.opacity = "0.5";
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dim",
  "version": "1.0",
  "permissions": ["activeTab", "scripting"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener((tab) => {
  chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["dim.js"] }).catch(console.error);
});
```

```js dim.js
document.body.style.opacity = "0.5";
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from extlint.checks.api.unavailability import Reason
from extlint.extension import Extension, uses_api
from extlint.finding import Finding, Fix
from extlint.linting.json_findings import json_findings
from extlint.registry import RULES
from extlint.text.wording import manifest_v, quoted, use
from extlint_schemas import successor

if TYPE_CHECKING:
    from extlint.checks.availability.missing_references import MissingReference

RULE = RULES["wrong-manifest-version"]

_MOVED_TO_RUNTIME = frozenset(
    f"extension.{name}"
    for name in (
        "connect",
        "connectNative",
        "getURL",
        "onConnect",
        "onConnectExternal",
        "onMessage",
        "onMessageExternal",
        "sendMessage",
        "sendNativeMessage",
    )
)
"""Members of `extension` that also exist in `runtime`, with the same behavior."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each key, value and reference to a member of another manifest version."""
    yield from json_findings(extension, RULE)
    if uses_api(extension):
        yield from _in_scripts(extension)


def _in_scripts(extension: Extension) -> Iterator[Finding]:
    from extlint.checks.availability.missing_references import missing_references

    version = extension.manifest_version
    for missing in missing_references(extension, Reason.MANIFEST_VERSION):
        unavailability = missing.unavailability
        name = ".".join(unavailability.path)
        is_over = unavailability.versions is not None and unavailability.versions.maximum < version
        when = f"was removed in {manifest_v(version)}" if is_over else f"requires {manifest_v(3)}"
        replacement = successor(name) if is_over else None
        yield RULE.at(
            missing.path,
            missing.span,
            f"{quoted(name)} {when}",
            api=missing.api,
            help=None if replacement is None else use(replacement),
            fix=_fix(extension, missing, version) if is_over else None,
        )


def _fix(extension: Extension, missing: MissingReference, version: int) -> Fix | None:
    """Returns the fix that uses Manifest V3's equivalent namespace, if the manifest has its key, or None."""
    names = missing.api.split(".")
    is_same = names[0] == "browserAction" or missing.api in _MOVED_TO_RUNTIME
    name = "action" if names[0] == "browserAction" else "runtime"
    script = next(iter(extension.scripts_in(missing.path)), None)
    if version != 3 or not is_same or script is None or len(names) < 2:
        return None
    if name == "action" and extension.manifest.get(name) is None:
        return None
    from extlint.manifest.edits.script_fixes import rename_member

    return rename_member(missing.path, script.index, missing.span, names, 0, name, safe=True)
