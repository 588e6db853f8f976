"""Finds menu items that are missing when the browser is started again.

## What it does

Under `--target firefox`, looks at background pages that are persistent, as they are in Manifest V2 unless
`background.persistent` is false. It reports `menus.create` and `contextMenus.create` if all such calls are
made in listeners of `runtime.onInstalled` only.

## Why is this bad

Firefox preserves the menu items only of background pages that are not persistent. For all others it forgets
them when the browser is closed or the extension is turned off. `runtime.onInstalled` comes again only after
an update of the extension or the browser, so the items are missing until then.

## Example

```json manifest.json
{
  "manifest_version": 2,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["menus", "storage"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.runtime.onInstalled.addListener(() => {
  browser.menus.create({ id: "save", title: "Save for later", contexts: ["link"] });
});

browser.menus.onClicked.addListener((info) => {
  browser.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## Use instead

Create the menu whenever the background page starts:

```json manifest.json
{
  "manifest_version": 2,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["menus", "storage"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.menus.create({ id: "save", title: "Save for later", contexts: ["link"] });

browser.menus.onClicked.addListener((info) => {
  browser.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## References

* The menu items that Firefox 153 has after an extension was turned off and on (`extlint_judge kept-menus`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.events import MENU_NAMESPACES
from extlint.checks.calls.creations import INSTALLED, created_when_installed
from extlint.checks.reachability.occasions import background_ended_when_idle
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted

RULE = RULES["lost-menu"]

_CREATING = frozenset((each, "create") for each in MENU_NAMESPACES)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script, at its first call."""
    engine = engine_of(extension.target.name)
    if engine is not Engine.GECKO or background_ended_when_idle(extension.manifest, engine) is not None:
        return
    for script, reference, _ in created_when_installed(extension, _CREATING):
        api = ".".join(reference.path)
        yield RULE.at(
            *script.place(reference.span),
            f"{quoted(api)} is called only in a listener of {quoted(INSTALLED)}, and Firefox "
            "forgets the items of a persistent background page when it is closed",
            api=api,
            help="call it whenever the background page starts",
        )
