"""Finds calls that require a user action and are made without one, or after it is over.

## What it does

Under `--target chrome`, checks the calls of `sidePanel.open` and `permissions.request` in service workers. It
reports those that are only made after an `await`, in `then`, in a timer, or when a message is answered;
those in listeners of events that no user action causes, such as `runtime.onInstalled` and `alarms.onAlarm`;
and those that are made when the worker starts. In the callbacks of other functions the user action lasts. In
the extension's pages it lasts for some seconds, and only calls that are made when the page loads are
reported.

Under `--target firefox`, checks the functions that Firefox allows only while it handles a user action, such
as `permissions.request`, `sidebarAction.open` and `downloads.open`. It reports a call of one if the same
function has already awaited another API call on every path that leads there, and nothing else since, those
that a page makes when it loads, and those that a background script makes when it starts, or in listeners of
events that no user action causes.

## Why is this bad

The call fails. Chrome says "`sidePanel.open()` may only be called in response to a user gesture." and "This
function must be called during a user gesture", Firefox "… may only be called from a user input handler". In a
service worker of Chrome every `await` ends the user action, even of a promise that is already fulfilled.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "permissions": ["sidePanel"],
  "side_panel": {"default_path": "panel.html"},
  "background": {"service_worker": "background.js"}
}
```

```html panel.html
<!doctype html>
```

```js background.js
chrome.runtime.onMessage.addListener(async () => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  await chrome.sidePanel.open({ windowId: tab.windowId });
});
```

## Use instead

Call it first, with what the event passes:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Notes",
  "version": "1.0",
  "permissions": ["sidePanel"],
  "side_panel": {"default_path": "panel.html"},
  "background": {"service_worker": "background.js"}
}
```

```html panel.html
<!doctype html>
```

```js background.js
chrome.runtime.onMessage.addListener((message, sender) => {
  chrome.sidePanel.open({ windowId: sender.tab.windowId });
});
```

A request for a permission that is already granted shows no prompt.

## References

* What Chromium 156 says to calls after each kind of wait, and in listeners of events
  (`extlint_judge gestures`), and Firefox 153 in listeners of events (`extlint_judge user-input`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import Occasion, Origin, Wait, WaitKind
from extlint.analysis.facts.script_facts import CallSite, FailureHandling
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import FIREFOX
from extlint.text.wording import quoted

RULE = RULES["lost-user-gesture"]

_TARGETS = frozenset({FIREFOX})
"""The targets with a known duration of user gestures."""

_SYNCHRONOUS = frozenset({"extension", "i18n", "test"})
"""Namespaces whose promises may be fulfilled while the user gesture still lasts."""


GESTURE_CALLS = frozenset({("permissions", "request"), ("sidePanel", "open")})
"""The functions that were tested in a service worker of Chromium."""

EVENTS_WITHOUT_GESTURE = frozenset(
    {
        ("alarms", "onAlarm"),
        ("cookies", "onChanged"),
        ("history", "onVisited"),
        ("runtime", "onInstalled"),
        ("runtime", "onStartup"),
        ("storage", "onChanged"),
        ("tabs", "onUpdated"),
        ("webNavigation", "onCompleted"),
    }
)
"""Events that no user action causes, so that Chromium passes no gesture to their listeners.

`extlint_judge gestures` tests all except `runtime.onStartup`.
"""

GESTURE_CALLS_IN_FIREFOX = frozenset(
    {
        ("downloads", "open"),
        ("permissions", "request"),
        ("sidebarAction", "close"),
        ("sidebarAction", "open"),
        ("sidebarAction", "toggle"),
    }
)
"""The functions that were tested in Firefox (`extlint_judge user-input`)."""

EVENTS_WITHOUT_GESTURE_IN_FIREFOX = EVENTS_WITHOUT_GESTURE - {("runtime", "onStartup")} | {
    ("runtime", "onMessage"),
}
"""Events whose listeners may not call these functions, even if a user causes the event (the same command)."""

_GESTURE_ENDS = {
    WaitKind.AWAIT: "which is over after an `await`",
    WaitKind.THEN: "which is over when a promise is fulfilled",
    WaitKind.TIMER: "which is over when a timer ends",
}
_LOADS = {
    ContextKind.BACKGROUND: "the start of the background",
    ContextKind.EXTENSION_PAGE: "the load of the page",
    ContextKind.SERVICE_WORKER: "the start of the service worker",
}
"""The runs without a user action in each kind of context: whoever opens a page acts in another one."""

_PAGE = ContextKind.EXTENSION_PAGE
_WORKER = ContextKind.SERVICE_WORKER
_BACKGROUND = ContextKind.BACKGROUND


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that is too late, or without a user action."""
    if extension.schemas.target in _TARGETS:
        found = [*_in_firefox(extension)]
        yield from found
        places = {(each.path, each.span) for each in found}
        late = _after_awaited_calls(extension)
        yield from (each for each in late if (each.path, each.span) not in places)
    elif extension.schemas.engine is Engine.CHROMIUM:
        yield from _in_chromium(extension)


def _in_chromium(extension: Extension) -> Iterator[Finding]:
    """Yields the calls in workers and pages of Chromium that are only made without a user action."""
    for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED):
        kind = _only_kind(extension, script) if call.path in GESTURE_CALLS else None
        if kind not in (_PAGE, _WORKER):
            continue
        from extlint.checks.reachability.occasions import occasions_of

        reason_in = _reason if kind is _WORKER else _reason_in_page
        reasons = [reason_in(each) for each in occasions_of(extension, script, call)]
        if reasons and None not in reasons and not unavailabilities_of(extension, call.path, script.contexts):
            api = ".".join(call.path)
            # Where one run has a user action to begin with, the advice for that one helps.
            reason, help = max(each for each in reasons if each is not None)
            message = f"{quoted(api)} requires a user action, {reason}"
            yield RULE.at(*script.place(reference.span), message, api=api, help=help)


def _only_kind(extension: Extension, script: Script) -> ContextKind | None:
    """Returns the kind of all contexts of a script, or None if there are several or unknown ones."""
    kinds = {each.kind for each in script.contexts}
    return kinds.pop() if len(kinds) == 1 and with_unknown_context(extension, script) is None else None


def _reason_in_page(occasion: Occasion) -> tuple[str, str] | None:
    """Returns the reason why an occasion in a page has no user action. While it waits, the user may act."""
    if occasion.origin is not Origin.LOAD or any(each.of is None for each in occasion.waits):
        return None
    return f"and {_LOADS[_PAGE]} is none", _ELSEWHERE


def _reason(occasion: Occasion) -> tuple[str, str] | None:
    """Returns the reason why an occasion has no user action, and the advice, or None if it may have one."""
    if occasion.origin is Origin.LOAD:
        return f"and {_LOADS[_WORKER]} is none", _ELSEWHERE
    if occasion.origin is Origin.EVENT and occasion.event in EVENTS_WITHOUT_GESTURE:
        return f"and {quoted('.'.join(occasion.event))} is none", _ELSEWHERE
    waits = [each for each in occasion.waits if each.kind in _GESTURE_ENDS]
    answered = [each.of.path for each in occasion.waits if each.of is not None and _is_answer(each)]
    if answered and not waits:
        return f"which is over when {quoted('.'.join(min(answered)))} is answered", _SOONER
    if waits:
        called = sorted(
            ".".join(each.of.path) for each in waits if each.kind is WaitKind.AWAIT and each.of is not None
        )
        if called:
            return f"which is over once {quoted(called[0])} is awaited", _EARLIER
        return min(_GESTURE_ENDS[each.kind] for each in waits), _EARLIER
    return None


def _is_answer(wait: Wait) -> bool:
    """Whether it is a callback that ends a user action: those of other functions do not."""
    return wait.kind is WaitKind.CALLBACK and wait.of is not None and wait.of.path in _MESSAGES


_MESSAGES = frozenset({("runtime", "sendMessage"), ("tabs", "sendMessage")})
_SOONER = "call it before the message is sent"
_EARLIER = "call it before the first `await`"
_ELSEWHERE_IN_FIREFOX = "call it in a listener of a button or a menu, or in a page when the user clicks"
_ELSEWHERE = "call it in a listener of `action.onClicked`, or in a page when the user clicks"


def _in_firefox(extension: Extension) -> Iterator[Finding]:
    """Yields the calls in backgrounds and pages of Firefox that are only made without a user action."""
    for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED):
        kind = _only_kind(extension, script) if call.path in GESTURE_CALLS_IN_FIREFOX else None
        if kind not in (_BACKGROUND, _PAGE):
            continue
        from extlint.checks.reachability.occasions import occasions_of

        causes = {_cause(each, kind) for each in occasions_of(extension, script, call)}
        if causes and None not in causes and not unavailabilities_of(extension, call.path, script.contexts):
            api = ".".join(call.path)
            cause = min(each for each in causes if each is not None)
            message = f"{quoted(api)} requires a user action, and {cause} is none"
            yield RULE.at(*script.place(reference.span), message, api=api, help=_ELSEWHERE_IN_FIREFOX)


def _cause(occasion: Occasion, kind: ContextKind) -> str | None:
    """Returns the start of a run if it is certainly not a user action, or None if it may be."""
    if occasion.origin is Origin.LOAD:
        return _LOADS[kind]
    is_event = occasion.origin is Origin.EVENT and kind is _BACKGROUND
    is_known = is_event and occasion.event in EVENTS_WITHOUT_GESTURE_IN_FIREFOX
    return quoted(".".join(occasion.event)) if is_known else None


def _after_awaited_calls(extension: Extension) -> Iterator[Finding]:
    for script, reference, call in unguarded_calls(extension):
        found = None if call.after is None else function_at(extension, call.path)
        if found is None or not found.availability.conditions.gesture:
            continue
        before = next((each for each in script.facts.calls if each.span == call.after), None)
        if (
            before is not None
            and _takes_time(extension, script, before)
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            api, awaited = ".".join(call.path), ".".join(before.path)
            yield RULE.at(
                *script.place(reference.span),
                f"{quoted(api)} requires a user action, which is over once {quoted(awaited)} is awaited",
                api=api,
                help=_EARLIER,
            )


def _takes_time(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether a call returns a promise that is fulfilled after the user gesture has ended.

    In Manifest V2, `chrome` returns no promises.
    """
    found = function_at(extension, call.path)
    return (
        found is not None
        and found.async_ is not None
        and call.path[0] not in _SYNCHRONOUS
        and call.path != ("runtime", "getBackgroundPage")
        and (call.root == "browser" or extension.manifest_version == 3)
        and not unavailabilities_of(extension, call.path, script.contexts)
    )
