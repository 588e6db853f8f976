"""Finds listeners of events that never come, and popups that never open.

## What it does

Looks for listeners of `contextMenus.onClicked`, `alarms.onAlarm` and `notifications.onClicked` in extensions
whose scripts never create a menu item, an alarm or a notification, provided that every script is there and
was followed to its end. In Chrome it also looks for listeners of `action.onClicked` if the manifest has a
`default_popup` and no script calls `action.setPopup`, or if `sidePanel.setPanelBehavior` has a click open the
side panel. A `default_popup` is reported then, too. So is a listener that calls `sidePanel.setPanelBehavior`
itself: the first click opens nothing, and no later one gets to the listener.

Content scripts run at `document_idle` unless the manifest says otherwise, which is after `DOMContentLoaded`.
A listener of this event is reported if the script runs at no other time, never asks for
`document.readyState`, and does the same nowhere else. In Chrome, `document_end` is too late as well.

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
* When content scripts hear that a page was parsed in Firefox 153 and Chromium 156
  (`extlint_judge page-events`).
* Chrome: <https://developer.chrome.com/docs/extensions/reference/api/action#event-onClicked>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/API/menus/onClicked>
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.occasions import Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.dead_events import (
    BEHAVIOR,
    CLICK,
    PANEL_OPENS,
    has_popup,
    is_before_clicks,
    may_call,
    opens_side_panel,
    why_never_comes,
)
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted
from extlint_rules.helpers.page_load_listeners import EVENT, missed_listeners

RULE = RULES["dead-listener"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds such a listener."""
    yield from _missed_page_loads(extension)
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
                *script.place(reference.span),
                f"the listener of {quoted(api)} {reason}",
                api=api,
            )
    popup = extension.manifest.get("action", "default_popup")
    if (
        popup is not None
        and engine_of(extension.target.name) is Engine.CHROMIUM
        and has_popup(extension.manifest, "action")
        and opens_side_panel(extension, is_before_clicks)
        and not may_call(extension, "openPopup")
    ):
        yield RULE.at(
            *extension.manifest.place(popup.span),
            f"the popup of {quoted('action.default_popup')} never opens: {PANEL_OPENS}",
        )


def _missed_page_loads(extension: Extension) -> Iterator[Finding]:
    """Yields findings for listeners that content scripts add after the page was parsed."""
    for script, use, time in missed_listeners(extension):
        yield RULE.at(
            *script.place(use.span),
            f"the listener of {quoted(EVENT)} never runs: a content script at {quoted(time)} starts later",
            help="call the function at once",
        )


def _reason(extension: Extension, event: ApiPath, engine: Engine | None) -> str | None:
    """Returns why a listener is of no use in a browser with an engine, or None if it may be."""
    reason = why_never_comes(extension, event, engine)
    if reason is not None:
        return f"never runs: {reason}"
    if (
        event == CLICK
        and engine is Engine.CHROMIUM
        and opens_side_panel(extension, _is_at_click)
        and not _may_open_panel(extension)
    ):
        return f"only runs for the first click, which opens nothing: from then on, {PANEL_OPENS}"
    return None


def _is_at_click(extension: Extension, script: Script, _reference: Reference, call: CallSite) -> bool | None:
    """Whether a call is made at each click on the button, or None if it may also be made otherwise."""
    occasions = occasions_of(extension, script, call)
    is_only_then = all(each.origin is Origin.EVENT and each.event == CLICK for each in occasions)
    return any(each.certain for each in occasions) if is_only_then else None


def _may_open_panel(extension: Extension) -> bool:
    """Whether a script may open the side panel."""
    if words_of(extension).has_unresolved(BEHAVIOR[0]):
        return True
    named = (each.path for script in extension.scripts for each in script.facts.references)
    return any(path[:2] == (BEHAVIOR[0], "open") for path in named)
