"""Finds listeners of events of the API that a background adds too late."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import Occasion, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.dead_events import BUTTON_KEYS, has_popup
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.occasions import (
    BACKGROUNDS,
    occasions_of,
    runs_in_background,
)
from extlint.checks.reachability.possible_loads import running_scripts
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.schema.engine import Engine
from extlint.text.wording import listed, quoted

ADD_LISTENER = "addListener"
_REMOVE_LISTENER = "removeListener"
_INSTALLED = ("runtime", "onInstalled")
_ONCE = frozenset({_INSTALLED, ("runtime", "onStartup")})
"""The events that a background receives at no more than one of its starts."""

_REQUESTS = frozenset(
    ("webRequest", name)
    for name in (
        *("onAuthRequired", "onBeforeRedirect", "onBeforeRequest", "onBeforeSendHeaders", "onCompleted"),
        *("onErrorOccurred", "onHeadersReceived", "onResponseStarted", "onSendHeaders"),
    )
)
_OF_LASTING = frozenset(
    {
        ("alarms", "onAlarm"),
        ("contextMenus", "onClicked"),
        ("menus", "onClicked"),
        ("notifications", "onButtonClicked"),
        ("notifications", "onClicked"),
        ("notifications", "onClosed"),
    }
)
_AFTER_IDLE = _OF_LASTING | _REQUESTS | {("proxy", "onRequest")}
"""The events about something that outlives the background, so that they also come when it has ended."""

_FOR_BACKGROUND = _OF_LASTING | {("commands", "onCommand")}
"""The events that the background must handle even if a page adds the same listener: often no page is open."""

_CONNECTIONS = frozenset({("runtime", "onConnect"), ("runtime", "onConnectExternal")})
"""The events after which an open port may keep a background running, so that its own events count as well."""

_CLICK_NAMESPACES = frozenset(
    {"action", "browserAction", "contextMenus", "menus", "notifications", "pageAction"}
)
_START_EVENTS = _AFTER_IDLE | frozenset(
    {
        ("commands", "onCommand"),
        ("omnibox", "onInputEntered"),
        ("runtime", "onConnect"),
        ("runtime", "onConnectExternal"),
        ("runtime", "onInstalled"),
        ("runtime", "onMessage"),
        ("runtime", "onMessageExternal"),
        ("runtime", "onStartup"),
        ("tabs", "onUpdated"),
        ("webNavigation", "onBeforeNavigate"),
        ("webNavigation", "onCommitted"),
        ("webNavigation", "onCompleted"),
        ("webNavigation", "onHistoryStateUpdated"),
    }
)
"""The events that start a background.

Others, such as `storage.onChanged`, are often useful only while it runs, to keep its data up to date.
"""

_OF_PAGES = frozenset({"runtime", "tabs", "webNavigation"})
"""The namespaces of the events that an open page causes."""

_OPENING = frozenset({("runtime", "openOptionsPage"), ("tabs", "create"), ("windows", "create")})


class LateListener(Struct, frozen=True):
    """A call that adds a listener too late, and the reason, worded to follow "it is added"."""

    script: Script
    reference: Reference
    reason: str
    occasions: frozenset[Occasion]


def late_listeners(extension: Extension, engine: Engine, *, is_persistent: bool) -> Iterator[LateListener]:
    """Yields the calls by which a background adds its listeners too late, or never at its later starts.

    A persistent one starts with the browser only, so that just those of the first run may be missing.
    """
    backgrounds = BACKGROUNDS[engine]
    late = [
        LateListener(script, reference, reason, occasions)
        for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED)
        if _adds_start_listener(call.path)
        and runs_in_background(script, engine)
        and (
            call.path[:-1] in _FOR_BACKGROUND or backgrounds.issuperset(each.kind for each in script.contexts)
        )
        and not (is_persistent and _may_be_wanted_once(extension, script, call))
        and not _opens_popup(extension, call.path)
        and (occasions := occasions_of(extension, script, call, through_modules=True))
        and (reason := _late_reason(extension, occasions, call.path[:-1])) is not None
        and not unavailabilities_of(extension, call.path, script.contexts)
    ]
    if late:
        excused = _excused_events(extension, late)
        for each in late:
            is_excused = each.reference.path[:-1] in excused
            if not is_excused and with_unknown_context(extension, each.script) is None:
                yield each


def _adds_start_listener(path: ApiPath) -> bool:
    """Whether a member adds listeners of an event that starts a background."""
    event = path[:-1]
    is_click = len(event) == 2 and event[0] in _CLICK_NAMESPACES and event[1] == "onClicked"
    return path[-1] == ADD_LISTENER and (is_click or event in _START_EVENTS)


def _opens_popup(extension: Extension, path: ApiPath) -> bool:
    """Whether a click at a later start opens a popup: what replaces that is forgotten by then."""
    key = BUTTON_KEYS.get(path[0])
    return key is not None and has_popup(extension.manifest, key)


def _late_reason(extension: Extension, occasions: Collection[Occasion], event: ApiPath) -> str | None:
    """Returns the reason why a listener is added too late on each occasion, or None if that is uncertain.

    If it is added late at each start, other events that add it again change nothing.
    """
    is_again = any(_start_reason(extension, each) for each in occasions)
    reasons = {
        _start_reason(extension, each) or _event_reason(each, event, is_again=is_again) for each in occasions
    }
    return None if None in reasons else f"only {listed(sorted(filter(None, reasons)), 'or')}"


def _may_be_wanted_once(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether a listener may be added at other times, or may be only for a page of the first run."""
    if call.path[0] in _OF_PAGES and any(each.path in _OPENING for each in script.facts.calls):
        return True
    return any(
        each.origin is not Origin.EVENT or each.event != _INSTALLED
        for each in occasions_of(extension, script, call, through_modules=True)
    )


def _event_reason(occasion: Occasion, event: ApiPath, *, is_again: bool) -> str | None:
    is_late = is_again or (event in _AFTER_IDLE and occasion.event[:2] not in _CONNECTIONS)
    if occasion.origin is Origin.EVENT and (is_late or occasion.event in _ONCE):
        return f"in a listener of {quoted('.'.join(occasion.event))}"
    return None


def _start_reason(extension: Extension, occasion: Occasion) -> str | None:
    if occasion.origin is not Origin.LOAD:
        return None
    from extlint_rules.helpers.waits import wait_description

    return min(filter(None, (wait_description(extension, each) for each in occasion.waits)), default=None)


def _excused_events(extension: Extension, late: Collection[LateListener]) -> set[ApiPath]:
    """Returns the events whose listeners may also be added in time, or may be removed.

    A removal on the same occasions, which a start is among, is an alternative to adding the listener.
    """
    places = {(each.script.path, each.reference.span) for each in late}
    ways = {(each.reference.path[:-1], _ways(each.occasions)) for each in late if _ways(each.occasions)}
    found: set[ApiPath] = set()
    for script in running_scripts(extension):
        facts = script.facts
        removed = {
            call.callee: _ways(occasions_of(extension, script, call, through_modules=True))
            for call in facts.calls
            if call.path[-1] == _REMOVE_LISTENER
        }
        for reference in (*facts.references, *facts.possible_references):
            event, name = reference.path[:-1], reference.path[-1]
            is_in_time = name == ADD_LISTENER and (script.path, reference.span) not in places
            is_removed = name == _REMOVE_LISTENER and (event, removed.get(reference.span)) not in ways
            if is_removed or (is_in_time and _may_be_background(script)):
                found.add(event)
    return found


def _ways(occasions: Collection[Occasion]) -> frozenset[object]:
    """Returns the occasions that include a start of the script, without how certain they are, or none."""
    is_at_start = any(each.origin is Origin.LOAD for each in occasions)
    return frozenset((each.origin, each.event, each.waits) for each in occasions if is_at_start)


def _may_be_background(script: Script) -> bool:
    """Whether a script may run in the background."""
    kinds = {ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER, ContextKind.UNKNOWN}
    return not script.contexts or not kinds.isdisjoint(each.kind for each in script.contexts)
