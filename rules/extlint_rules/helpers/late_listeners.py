"""Finds listeners that a background adds too late, of events of the API and of the Web platform.

Verified in Chromium 156 (`extlint_judge worker-events`): it warns of each that is added after the first turn
of the event loop. The worker does not get the event that starts it then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import Occasion, Origin, Wait, WaitKind
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import Delivery
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.availability.dead_events import BUTTON_KEYS, has_popup
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.occasions import (
    BACKGROUNDS,
    occasions_at,
    occasions_of,
    runs_in_background,
)
from extlint.checks.reachability.possible_loads import running_scripts
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.project.build_tools import is_generated
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted

_SYNCHRONOUS = frozenset({"extension", "i18n", "test"})
"""Namespaces whose promises may be fulfilled immediately."""


def wait_description(extension: Extension, wait: Wait) -> str | None:
    """Returns a description of a wait that certainly takes time, or None for any other wait."""
    if wait.takes_time:
        return "in a timer" if wait.kind is WaitKind.TIMER else "after an answer from the network"
    if wait.of is None:
        return None
    path = wait.of.path
    function = function_at(extension, path)
    if function is None or function.async_ is None or path[0] in _SYNCHRONOUS:
        return None
    if wait.kind is WaitKind.CALLBACK or wait.of.delivery is Delivery.CALLBACK:
        return f"in the callback of {quoted('.'.join(path))}"
    returns_promise = wait.of.root == "browser" or extension.manifest_version == 3
    if not returns_promise:
        return None
    name = quoted(".".join(path))
    return f"after an `await` of {name}" if wait.kind is WaitKind.AWAIT else f"in `then` of {name}"


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


EVENTS = (
    *("activate", "fetch", "install", "message", "messageerror", "notificationclick", "notificationclose"),
    *("periodicsync", "push", "pushsubscriptionchange", "sync"),
)
"""The events that start a service worker."""

_NAMES = b"|".join(each.encode() for each in EVENTS)
_ADDED = lazy(
    rb"(?:\b(?:self|globalThis)\s*\.\s*|(?<![\w$.]))addEventListener\s*(?=\(\s*[\"'`](%b)[\"'`])" % _NAMES,
    needs=(b"addEventListener",),
)
_SET = lazy(rb"(?<![\w$])on(%b)\s*=(?!=)" % _NAMES)
_NOT_LASTING = lazy(rb"\bremoveEventListener\b|\bonce\b|\bsignal\b")
"""Words of code whose listeners may be only for a while."""

_REDEFINED = lazy(
    rb"\b(?:const|let|var|function|class)\s+(?:self|globalThis|addEventListener)\b|[(,]\s*self\s*[,)=]"
)


class LateWorkerListener(Struct, frozen=True):
    """A place where a listener is added late, the event, and the reason, worded to follow "it is added"."""

    script: Script
    span: ByteSpan
    event: str
    reason: str


def late_worker_listeners(extension: Extension) -> Iterator[LateWorkerListener]:
    """Yields the listeners that are only added after the first turn of the event loop."""
    late: list[LateWorkerListener] = []
    in_time: set[str] = set()
    for script in checked_scripts(extension):
        text = script.index.text
        if b"addEventListener" not in text or not _is_of_worker(script) or is_generated(script):
            continue
        in_time |= {found[1].decode() for found in _SET.finditer(text)}
        if _REDEFINED.search(text) or _NOT_LASTING.search(text):
            continue
        for found in _ADDED.finditer(text):
            event, span = found[1].decode(), (found.start() - script.base, found.end() - script.base)
            reason = _reason(extension, script, span)
            if reason is None:
                in_time.add(event)
            else:
                late.append(LateWorkerListener(script, span, event, reason))
    yield from (each for each in late if each.event not in in_time)


def _is_of_worker(script: Script) -> bool:
    """Whether a script runs only in the service worker, each time that it starts."""
    kinds = {each.kind for each in script.all_contexts or script.contexts}
    return kinds == {ContextKind.SERVICE_WORKER} and any(each.certain for each in script.contexts)


def _reason(extension: Extension, script: Script, span: ByteSpan) -> str | None:
    """Returns the reason why a listener is added too late on each occasion, or None if that is uncertain."""
    found = {_occasion_reason(extension, each) for each in occasions_at(extension, script, span)}
    reasons = sorted(each for each in found if each is not None)
    return f"only {listed(reasons, 'or')}" if reasons and len(reasons) == len(found) else None


def _occasion_reason(extension: Extension, occasion: Occasion) -> str | None:
    if occasion.origin is Origin.EVENT:
        return f"in a listener of {quoted('.'.join(occasion.event))}"
    if occasion.origin is Origin.PLATFORM:
        return "in a listener of another event"
    if occasion.origin is not Origin.LOAD:
        return None
    if any(each.kind is WaitKind.TIMER for each in occasion.waits):
        return "in a timer"
    return min(filter(None, (wait_description(extension, each) for each in occasion.waits)), default=None)
