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

from extlint.analysis.facts.occasions import MENU_NAMESPACES, Occasion, Origin
from extlint.analysis.facts.script_facts import FailureHandling
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.occasions import is_ended_when_idle, occasions_of, runs_in_background
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.text.wording import quoted

RULE = RULES["lost-menu"]

_CREATE = "create"
_INSTALLED = ("runtime", "onInstalled")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script, at its first call."""
    engine = engine_of(extension.target.name)
    if engine is not Engine.GECKO or is_ended_when_idle(extension.manifest, engine):
        return
    calls = [
        (script, reference, call)
        for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED)
        if call.path[0] in MENU_NAMESPACES and call.path[1:] == (_CREATE,)
    ]
    if not calls or len(calls) != _count_uses(extension) or not has_all_loaded_files(extension):
        return
    if words_of(extension).has_unresolved(_CREATE) or not all(
        _is_when_installed(each)
        for script, _, call in calls
        for each in occasions_of(extension, script, call) or (None,)
    ):
        return
    reported: set[tuple[str, int]] = set()
    for script, reference, call in calls:
        if (
            script.location not in reported
            and runs_in_background(script, engine)
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            reported.add(script.location)
            api = ".".join(call.path)
            yield RULE.at(
                script.path,
                script.span(reference.span),
                f"{quoted(api)} is called only in a listener of {quoted('.'.join(_INSTALLED))}, and Firefox "
                "forgets the items of a persistent background page when it is closed",
                api=api,
                help="call it whenever the background page starts",
            )


def _is_when_installed(occasion: Occasion | None) -> bool:
    return occasion is not None and occasion.origin is Origin.EVENT and occasion.event == _INSTALLED


def _count_uses(extension: Extension) -> int:
    """Returns the number of places that name a function which creates items."""
    named = [
        reference
        for script in extension.scripts
        for reference in script.facts.references
        if reference.path[0] in MENU_NAMESPACES and reference.path[1:] == (_CREATE,)
    ]
    several = sum(
        any(each.path[0] in MENU_NAMESPACES for each in choice.references)
        for script in extension.scripts
        for choice in script.facts.ambiguous_references
    )
    return len(named) + several
