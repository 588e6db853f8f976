"""Finds listeners of events that never come, and popups that never open.

## What it does

Under `--target chrome` and `--target firefox`, looks for listeners of `contextMenus.onClicked`,
`alarms.onAlarm` and `notifications.onClicked` in extensions whose scripts never create a menu item, an alarm
or a notification, provided that every script is there and was followed to its end. In Chrome it also looks
for listeners of `action.onClicked` if the manifest has a `default_popup` and no script calls
`action.setPopup`, or if `sidePanel.setPanelBehavior` has a click open the side panel. A `default_popup` is
reported then, too. So is a listener that calls `sidePanel.setPanelBehavior` itself: the first click opens
nothing, and no later one gets to the listener.

## Why is this bad

The listener never runs. A click on the extension's button opens the popup, or the side panel, instead.
Chrome opens the side panel if there are both.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "background": {"service_worker": "background.js"}
}
```

```html popup.html
<!doctype html>
<p>Counted.</p>
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const tabs = await chrome.tabs.query({});
  await chrome.action.setBadgeText({ text: String(tabs.length) });
});
```

## Use instead

Without a popup the click is passed to the listener:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const tabs = await chrome.tabs.query({});
  await chrome.action.setBadgeText({ text: String(tabs.length) });
});
```

A popup has a script of its own, which runs each time it opens.

## References

* What Chromium 156 does on a click on a button with a popup, or that opens the side panel
  (`extlint_judge clicks`).
* Chrome: <https://developer.chrome.com/docs/extensions/reference/api/action#event-onClicked>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/API/menus/onClicked>
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from extlint.analysis.facts.occasions import MENU_NAMESPACES, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import Literal, ObjectValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import call_to, unguarded_calls
from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.manifest import Manifest
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.text.wording import quoted

RULE = RULES["dead-listener"]

_Test: TypeAlias = "Callable[[Extension, Script, Reference, CallSite], bool | None]"

_BUTTONS = {"action": "action", "browserAction": "browser_action", "pageAction": "page_action"}
"""The namespaces of the extension's buttons, with their keys in the manifest."""

_CLICK = ("action", "onClicked")
_INSTALLED = ("runtime", "onInstalled")
_BEHAVIOR = ("sidePanel", "setPanelBehavior")
_PANEL_OPENS = f"a click opens the side panel instead, as {quoted('.'.join(_BEHAVIOR))} says"
_CREATE = "create"
_CREATED: Mapping[ApiPath, str] = {
    ("alarms", "onAlarm"): "an alarm",
    ("contextMenus", "onClicked"): "a menu item",
    ("menus", "onClicked"): "a menu item",
    ("notifications", "onButtonClicked"): "a notification",
    ("notifications", "onClicked"): "a notification",
}
"""The events of the objects that `create` of the same namespace creates."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds such a listener."""
    if not has_all_own_code(extension):
        return
    for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        event = call.path[:-1]
        if call.path[-1] != "addListener" or unavailabilities_of(extension, call.path, script.contexts):
            continue
        engine = engine_of(extension.target.name)
        reason = _reason(extension, event, engine)
        siblings = () if reason is None else extension.searches.siblings(extension, script)
        if reason is not None and all(_reason(other, event, engine) for other, _ in siblings):
            api = ".".join(event)
            yield RULE.at(
                script.path,
                script.span(reference.span),
                f"the listener of {quoted(api)} {reason}",
                api=api,
            )
    popup = extension.manifest.get("action", "default_popup")
    if (
        popup is not None
        and engine_of(extension.target.name) is Engine.CHROMIUM
        and _has_popup(extension.manifest, "action")
        and _opens_side_panel(extension, _is_before_clicks)
        and not _may_call(extension, "openPopup")
    ):
        yield RULE.at(
            extension.manifest.path,
            extension.manifest.span(popup.span),
            f"the popup of {quoted('action.default_popup')} never opens: {_PANEL_OPENS}",
        )


def _reason(extension: Extension, event: ApiPath, engine: Engine | None) -> str | None:
    """Returns why a listener is of no use in a browser with an engine, or None if it may be."""
    created = _CREATED.get(event)
    if created is not None:
        is_created = event[0] in _creating_namespaces(extension)
        return None if is_created else f"never runs: no script creates {created}"
    key = _BUTTONS.get(event[0]) if event[1:] == ("onClicked",) else None
    if key is None or engine is not Engine.CHROMIUM:
        return None
    if _has_popup(extension.manifest, key) and not _may_call(extension, "setPopup"):
        return f"never runs: a click opens the popup of {quoted(f'{key}.default_popup')} instead"
    if event == _CLICK and _opens_side_panel(extension, _is_before_clicks):
        return f"never runs: {_PANEL_OPENS}"
    if event == _CLICK and _opens_side_panel(extension, _is_at_click) and not _may_open_panel(extension):
        return f"only runs for the first click, which opens nothing: from then on, {_PANEL_OPENS}"
    return None


def _opens_side_panel(extension: Extension, test: _Test) -> bool:
    """Whether a script makes a button click open the side panel at a time, and no script disables that."""
    panel = extension.manifest.get("side_panel", "default_path")
    if panel is None or words_of(extension).has_unresolved(_BEHAVIOR[-1]):
        return False
    found = False
    for script in extension.scripts:
        facts = script.facts
        if any(each.path == _BEHAVIOR for each in facts.possible_references):
            return False
        for reference in facts.references:
            if reference.path == _BEHAVIOR:
                call = call_to(extension, script, reference)
                is_then = None if call is None else test(extension, script, reference, call)
                if call is None or is_then is None or not _enables_side_panel(call):
                    return False
                found = found or is_then
    return found


def _is_before_clicks(extension: Extension, script: Script, reference: Reference, call: CallSite) -> bool:
    """Whether a call is made when the background starts or is installed; Chrome keeps what it sets."""
    if not any(each.certain for each in script.contexts):
        return False
    occasions = () if reference.on_load else occasions_of(extension, script, call)
    return reference.on_load or any(each.certain and each.event == _INSTALLED for each in occasions)


def _is_at_click(extension: Extension, script: Script, _reference: Reference, call: CallSite) -> bool | None:
    """Whether a call is made at each click on the button, or None if it may also be made otherwise."""
    occasions = occasions_of(extension, script, call)
    is_only_then = all(each.origin is Origin.EVENT and each.event == _CLICK for each in occasions)
    return any(each.certain for each in occasions) if is_only_then else None


def _may_call(extension: Extension, name: str) -> bool:
    """Whether a script may call a function of a button, also by a name that it computes."""
    referenced = (each.path for script in extension.scripts for each in script.facts.references)
    return words_of(extension).has(name) or any(path[1:] == (name,) for path in referenced)


def _may_open_panel(extension: Extension) -> bool:
    """Whether a script may open the side panel."""
    if words_of(extension).has_unresolved(_BEHAVIOR[0]):
        return True
    named = (each.path for script in extension.scripts for each in script.facts.references)
    return any(path[:2] == (_BEHAVIOR[0], "open") for path in named)


def _enables_side_panel(call: CallSite) -> bool:
    first = call.arguments[0] if call.arguments else None
    option = first.fields.get("openPanelOnActionClick") if isinstance(first, ObjectValue) else None
    return option is not None and isinstance(option.value, Literal) and option.value.value is True


def _has_popup(manifest: Manifest, key: str) -> bool:
    popup = manifest.get(key, "default_popup")
    return popup is not None and isinstance(popup.value, str) and popup.value != ""


@query(is_kept=True, is_of_package=True)
def _creating_namespaces(extension: Extension) -> frozenset[str]:
    """Returns the namespaces whose `create` may be called by some script."""
    if words_of(extension).has_unresolved(_CREATE):
        return frozenset(event[0] for event in _CREATED)
    found: set[str] = set()
    for script in extension.scripts:
        for reference in (*script.facts.references, *script.facts.possible_references):
            if reference.path[1:2] == (_CREATE,):
                found.add(reference.path[0])
    return frozenset(found | MENU_NAMESPACES if found & MENU_NAMESPACES else found)
