"""Finds buttons of an extension that do nothing when they are clicked.

## What it does

Under `--target chrome` and `--target firefox`, looks for the keys `action`, `browser_action` and
`page_action` with a `default_title` and without a `default_popup`, if no script of the package uses the API
of the button or `sidePanel.setPanelBehavior`, provided that every script is there and was followed to its
end. A button that a script changes, for example with `setBadgeText`, is not reported: it may only show
something. Neither is one that has only an icon, or one of an extension with the permission `activeTab`, which
a click grants.

## Why is this bad

Users click on the button, and nothing happens.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dark pages",
  "version": "1.0",
  "action": {"default_title": "Dark pages"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["dark.js"]}]
}
```

```js dark.js
document.documentElement.classList.add("dark");
```

## Use instead

A button opens a popup, or a script listens to `action.onClicked`:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Dark pages",
  "version": "1.0",
  "action": {"default_title": "Dark pages", "default_popup": "popup.html"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["dark.js"]}]
}
```

```html popup.html
<!doctype html>
<p>Pages of example.com are dark.</p>
```

```js dark.js
document.documentElement.classList.add("dark");
```

## References

* What Chromium 156 does on a click on a button (`extlint_judge clicks`).
* Chrome: <https://developer.chrome.com/docs/extensions/reference/api/action>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/manifest.json/action>
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["unhandled-click"]

_EVENT = "onClicked"
_NAMESPACES = {"action": "action", "browser_action": "browserAction", "page_action": "pageAction"}
_CONFIGURING = ("setPanelBehavior", "declarativeContent")
"""Names that may give a click another effect, or a button another use."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such button, at its key in the manifest."""
    manifest = extension.manifest
    if "activeTab" in manifest.permissions or not _is_never_used(extension):
        return
    for key, member in manifest.idle_buttons:
        if not may_be_completed(extension, key):
            yield RULE.at(
                *manifest.place(member.key),
                f"a click on the button {quoted(key)} does nothing: it has no popup, and no script uses it",
                help=f"add {quoted('default_popup')}, or listen to {quoted(f'{_NAMESPACES[key]}.{_EVENT}')}",
            )


@query(is_kept=True)
def _is_never_used(extension: Extension) -> bool:
    """Whether no script of the package can use a button, or change what a click does."""
    if not has_all_own_code(extension):
        return False
    words = words_of(extension)
    if words.has_unresolved(_EVENT) or any(map(words.has, _CONFIGURING)):
        return False
    return not any(
        each.path[0] in _NAMESPACES.values()
        for script in extension.scripts
        for each in (*script.facts.references, *script.facts.possible_references)
    )
