"""Finds listeners of events that never come, and popups that never open.

## What it does

Looks for listeners of `contextMenus.onClicked`, `alarms.onAlarm` and `notifications.onClicked` in extensions
whose scripts never create a menu item, an alarm or a notification, provided that every script is there and
was followed to its end. Before a build, the sources of the scripts are enough, if no library in them is one
for extensions. In Chrome it also looks for listeners of `action.onClicked` if the manifest has a
`default_popup`, as frameworks write one for the file `popup`, and no script calls `action.setPopup`, or if
`sidePanel.setPanelBehavior` has a click open the side panel. A `default_popup` is reported then, too. So is
a listener that calls `sidePanel.setPanelBehavior` itself: the first click opens nothing, and no later one
gets to the listener. It looks for listeners of `runtime.onSuspend` in Firefox where the background page is
persistent, which is the default in Manifest V2, and in Chrome if the background is only a service worker.

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

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.context import Context
from extlint.analysis.facts.script_facts import FailureHandling, GlobalUse
from extlint.analysis.facts.values import Literal, Value
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.dead_events import (
    CLICK,
    PANEL_OPENS,
    has_popup,
    is_before_clicks,
    may_call,
    opens_side_panel,
)
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.file_keys import file_references
from extlint.project.build_tools import is_generated
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.word_search import word_occurrences
from extlint.text.wording import quoted
from extlint_rules.helpers.useless_listeners import is_decided, why_useless

RULE = RULES["dead-listener"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds such a listener."""
    yield from _missed_page_loads(extension)
    for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        event = call.path[:-1]
        if call.path[-1] != "addListener" or unavailabilities_of(extension, call.path, script.contexts):
            continue
        engine = engine_of(extension.target.name)
        reason = why_useless(extension, event, engine)
        if reason is None or not is_decided(extension, event):
            continue
        siblings = extension.searches.siblings(extension, script)
        if all(why_useless(other, event, engine) for other, _ in siblings):
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
        and is_decided(extension, CLICK)
    ):
        yield RULE.at(
            *extension.manifest.place(popup.span),
            f"the popup of {quoted('action.default_popup')} never opens: {PANEL_OPENS}",
        )


def _missed_page_loads(extension: Extension) -> Iterator[Finding]:
    """Yields findings for listeners that content scripts add after the page was parsed."""
    for script, use, time in _missed_listeners(extension):
        yield RULE.at(
            *script.place(use.span),
            f"the listener of {quoted(_EVENT)} never runs: a content script at {quoted(time)} starts later",
            help="call the function at once",
        )


_EVENT = "DOMContentLoaded"
_IDLE = "document_idle"
_MISSED: Mapping[Engine | None, frozenset[str | None]] = {Engine.CHROMIUM: frozenset({_IDLE, "document_end"})}
"""When an engine runs content scripts that miss the event. Verified by `extlint_judge page-events`."""

_STATE = b"readyState"
_ADD = "addEventListener"
_NAMES = frozenset({_ADD, f"document.{_ADD}"})
_BODY = lazy(rb"(?s)(?:\)|=>)\s*\{?\s*((?:(?!=>)[^\s{};]).*?)[\s;]*\}?\s*\Z")
"""A function in place, with what it does."""

_OWN_USES = 2
"""The uses of the name of a function that is only declared and added as a listener."""


def _missed_listeners(extension: Extension) -> Iterator[tuple[Script, GlobalUse, str]]:
    """Yields the places where a content script certainly adds such a listener, and when the script runs.

    A script that asks for the state of the page, or that calls the function at another place, may know this.
    """
    missed = _MISSED.get(engine_of(extension.target.name), frozenset({_IDLE}))
    for script in extension.scripts:
        text = script.index.text
        if not script.is_only_content_script or _EVENT.encode() not in text or _STATE in text:
            continue
        times = {_time_of(extension, each) for each in script.contexts}
        if is_generated(script) or not times <= missed:
            continue
        for use in extension.searches.global_uses(script, _NAMES, watched_globals(extension), _is_for_event):
            if use.on_load and _is_used_once(text, use.arguments):
                yield script, use, str(min(map(str, times)))


def _is_for_event(_name: str, arguments: tuple[Value, ...]) -> bool:
    return len(arguments) > 1 and isinstance(arguments[0], Literal) and arguments[0].value == _EVENT


def _is_used_once(text: bytes, arguments: tuple[Value, ...]) -> bool:
    """Whether the listener, or what it does, is nowhere else in the script."""
    start, end = arguments[1].span or (0, 0)
    listener = text[start:end]
    if listener.replace(b"_", b"a").replace(b"$", b"a").isalnum():
        return len([*word_occurrences(text, listener, 0, len(text))]) <= _OWN_USES
    body = _BODY.search(listener)
    return body is not None and text.count(body[1]) == 1


def _time_of(extension: Extension, context: Context) -> str | None:
    """Returns when a script runs in a context, or None if the manifest does not say it."""
    step = context.step
    first = None if step is None or not context.certain else step.first or step
    return None if first is None else _times(extension).get((first.path, first.span))


@query
def _times(extension: Extension) -> Mapping[tuple[str, ByteSpan], str]:
    """The times at which the manifest runs content scripts, by their names in it."""
    manifest, found = extension.manifest, dict[tuple[str, ByteSpan], str]()
    for each in file_references(manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", _]:
                time = manifest.get("content_scripts", int(entry), "run_at")
                found[manifest.path, each.node.span] = _IDLE if time is None else str(time.value)
    return found
