"""Code that never runs: what nothing loads or calls, and what is for events or messages that never come.

Findings about what happens when it runs are dropped. Some events are of objects that no script creates, or of
buttons whose click does something else.

Verified in Chromium 156 for clicks on a button with a popup, or that opens the side panel. In Firefox 153 a
click with the middle button reaches the listener although there is a popup (`extlint_judge clicks`). Firefox
153 sends `runtime.onSuspend` when it ends an event page that is idle, and never to a persistent page, whether
that is idle, reloaded or disabled. Chromium 156 does not send it when it ends a service worker that is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from extlint.analysis.facts.events import MENU_NAMESPACES, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, Reference
from extlint.analysis.facts.values import Literal, ObjectValue
from extlint.checks.availability.unguarded_references import call_to
from extlint.checks.reachability.closed_world import has_all_named_files, has_all_own_code, has_known_scripts
from extlint.checks.reachability.occasions import background_ended_when_idle, occasions_of
from extlint.checks.reachability.sent_messages import (
    message_tests,
    messages_sent_by_idle_code,
    sends_messages,
    unsent_messages,
)
from extlint.checks.reachability.unused_scripts import is_unused_script, unused_files
from extlint.extension import Extension, Idle, Place, Script
from extlint.finding import Finding
from extlint.manifest.manifest import Manifest
from extlint.project.builds import is_build_source
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

Test: TypeAlias = "Callable[[Extension, Script, Reference, CallSite], bool | None]"

BUTTON_KEYS = {"action": "action", "browserAction": "browser_action", "pageAction": "page_action"}
"""The namespaces of the extension's buttons, with their keys in the manifest."""

CLICK = ("action", "onClicked")
_INSTALLED, _STARTUP = ("runtime", "onInstalled"), ("runtime", "onStartup")
BEHAVIOR = ("sidePanel", "setPanelBehavior")
PANEL_OPENS = f"a click opens the side panel instead, as {quoted('.'.join(BEHAVIOR))} says"
_CREATE = "create"
_CREATED: Mapping[ApiPath, str] = {
    ("alarms", "onAlarm"): "an alarm",
    ("contextMenus", "onClicked"): "a menu item",
    ("menus", "onClicked"): "a menu item",
    ("notifications", "onButtonClicked"): "a notification",
    ("notifications", "onClicked"): "a notification",
}
"""The events of the objects that `create` of the same namespace creates."""

SUSPENSION = frozenset({("runtime", "onSuspend"), ("runtime", "onSuspendCanceled")})
"""The events of a background that ends when it is idle."""


def why_never_comes(extension: Extension, event: ApiPath, engine: Engine | None) -> str | None:
    """Returns why an event never comes in a browser with an engine, or None if it may.

    Missing code may create objects.
    """
    created = _CREATED.get(event)
    if created is not None:
        return None if event[0] in _creating_namespaces(extension) else f"no script creates {created}"
    if event in SUSPENSION:
        return _why_not_suspended(extension.manifest, engine)
    key = BUTTON_KEYS.get(event[0]) if event[1:] == ("onClicked",) else None
    if key is None or engine is not Engine.CHROMIUM:
        return None
    if has_popup(extension.manifest, key) and not may_call(extension, "setPopup"):
        return f"a click opens the popup of {quoted(f'{key}.default_popup')} instead"
    return PANEL_OPENS if event == CLICK and opens_side_panel(extension, is_before_clicks) else None


def _why_not_suspended(manifest: Manifest, engine: Engine | None) -> str | None:
    """Returns why a browser never says that it ends the background of a manifest, or None if it may."""
    kind = background_ended_when_idle(manifest, engine)
    if any(manifest.get("background", key) is not None for key in ("page", "scripts")):
        is_persistent = engine is Engine.GECKO and manifest.version == 2 and kind is None
        return "the background page is persistent" if is_persistent else None
    is_worker = engine is Engine.CHROMIUM and manifest.version == 3 and kind is not None
    return "a service worker ends without this event" if is_worker else None


@query(is_kept=True)
def calls_for_dead_events(extension: Extension) -> frozenset[Place]:
    """Returns the ends of the calls that add listeners of events that never come.

    For `reference`, it is enough if they never come in one browser whose findings are compared. It is also
    enough that a script may make a click open the side panel, if none makes it do something else.
    """
    others = extension.checked_targets if extension.target.is_specification else ()
    engines = {engine_of(each) for each in (extension.target.name, *others)}
    return frozenset(
        (*script.location, call.span[1])
        for script in extension.scripts
        for call in script.facts.calls
        if call.path[-1] == "addListener"
        and (
            any(why_never_comes(extension, call.path[:-1], engine) for engine in engines)
            or _has_no_ports(extension, call.path[:-1])
            or (
                call.path[:-1] == CLICK
                and Engine.CHROMIUM in engines
                and opens_side_panel(extension, _may_be_before_clicks)
            )
        )
        and (call.path[:-1] not in _CREATED or has_all_own_code(extension))
    )


def _has_no_ports(extension: Extension, event: ApiPath) -> bool:
    """Whether an event is for a port of the extension itself, and no script opens one."""
    return event[1:] == ("onConnect",) and not may_call(extension, "connect") and has_all_own_code(extension)


def opens_side_panel(extension: Extension, test: Test) -> bool:
    """Whether a script makes a button click open the side panel at a time, and no script disables that."""
    panel = extension.manifest.get("side_panel", "default_path")
    if panel is None or words_of(extension).has_unresolved(BEHAVIOR[-1]):
        return False
    found = False
    for script in extension.scripts:
        facts = script.facts
        if any(each.path == BEHAVIOR for each in facts.possible_references):
            return False
        for reference in facts.references:
            if reference.path == BEHAVIOR and not reference.only_tested:
                call = call_to(extension, script, reference)
                is_then = None if call is None else test(extension, script, reference, call)
                if call is None or is_then is None or not _enables_side_panel(call):
                    return False
                found = found or is_then
    return found


def _may_be_before_clicks(extension: Extension, script: Script, reference: Reference, call: CallSite) -> bool:
    """Whether a call may be made when the background starts or is installed."""
    occasions = () if reference.on_load else occasions_of(extension, script, call)
    return reference.on_load or any(
        each.origin is Origin.LOAD or each.event in (_INSTALLED, _STARTUP) for each in occasions
    )


def is_before_clicks(extension: Extension, script: Script, reference: Reference, call: CallSite) -> bool:
    """Whether a call is made when the background starts or is installed; Chrome keeps what it sets."""
    if not any(each.certain for each in script.contexts):
        return False
    occasions = () if reference.on_load else occasions_of(extension, script, call)
    return reference.on_load or any(each.certain and each.event == _INSTALLED for each in occasions)


def _enables_side_panel(call: CallSite) -> bool:
    first = call.arguments[0] if call.arguments else None
    option = first.fields.get("openPanelOnActionClick") if isinstance(first, ObjectValue) else None
    return option is not None and isinstance(option.value, Literal) and option.value.value is True


def may_call(extension: Extension, name: str) -> bool:
    """Whether a script may call a function of this name, also by a name that it computes."""
    referenced = (each.path for script in extension.scripts for each in script.facts.references)
    return words_of(extension).has(name) or any(path[1:] == (name,) for path in referenced)


def has_popup(manifest: Manifest, key: str) -> bool:
    """Whether a click on the button of a key opens a popup from the start."""
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


def never_runs(extension: Extension, script: Script, span: ByteSpan, *, must_be_sent: bool = False) -> bool:
    """Whether nothing runs a place in a script.

    Nothing loads the script or calls the function, or the listener is of an event that never comes, or the
    branch for a message that no script sends, or a bundler may drop a declaration that nothing uses. Only
    scripts that are files of their own are searched. For `must_be_sent`, see `When.SENT`.
    """
    files = unused_files(extension)
    if is_unused_script(extension, script) or script.path in files:
        return True
    if span in _uses_on_load(extension, *script.location):
        return False
    dead, is_bundled = calls_for_dead_events(extension), is_build_source(extension)

    def is_idle(unsent: frozenset[Place]) -> bool:
        return extension.searches.never_runs(script, span, Idle(dead | unsent, files, is_bundled))

    if must_be_sent and not _knows_messages(extension):
        return is_idle(frozenset())
    return _is_idle_by_messages(extension, is_idle)


def without_dead_code(
    extension: Extension, found: Sequence[Finding], *, must_be_sent: bool
) -> tuple[Finding, ...]:
    """Returns findings without those that `must_run` and are in code that nothing runs.

    If they `must_be_sent`, the others are left out in code for a message that no script sends. See `When`.
    """
    return tuple(
        each
        for each in found
        if not ((each.must_run or must_be_sent) and _is_dead(extension, each, must_be_sent=must_be_sent))
    )


def _is_dead(extension: Extension, finding: Finding, *, must_be_sent: bool) -> bool:
    """Whether the code of a finding never runs."""
    scripts = extension.scripts_in(finding.path)
    if not scripts:
        return False
    start, end = (scripts[0].index.offset(each) for each in finding.span)
    script = max((each for each in scripts if each.base <= start), key=lambda each: each.base, default=None)
    if script is None:
        return finding.must_run and is_unused_script(extension, scripts[0])
    span = start - script.base, end - script.base
    if finding.must_run:
        return never_runs(extension, script, span, must_be_sent=must_be_sent)

    def is_idle(unsent: frozenset[Place]) -> bool:
        return bool(unsent) and extension.searches.is_unreached(script, span, Idle(unsent))

    return (
        span not in _uses_on_load(extension, *script.location)
        and _knows_messages(extension)
        and _is_idle_by_messages(extension, is_idle)
    )


def _is_idle_by_messages(extension: Extension, is_idle: Callable[[frozenset[Place]], bool]) -> bool:
    """Whether a place is idle if the tests of messages with these ends fail: those that no message passes.

    Whether the calls that send messages run is only asked where it matters.
    """
    if is_idle(unsent_messages(extension)):
        return True
    tests = message_tests(extension)
    return bool(tests) and is_idle(tests) and is_idle(messages_sent_by_idle_code(extension))


@query
def _knows_messages(extension: Extension) -> bool:
    """Whether scripts send messages, and no script is missing."""
    return sends_messages(extension) and has_known_scripts(extension) and has_all_named_files(extension)


@query
def _uses_on_load(extension: Extension, path: str, base: int) -> frozenset[ByteSpan]:
    """Returns the uses of the API that run when a script is loaded."""
    return frozenset(each.span for each in extension.facts_at(path, base).references if each.on_load)
