"""Finds alarms that a background starts again each time that it starts itself.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls of `alarms.create` with a constant name and
`periodInMinutes` that a service worker, or a background page that is not persistent, makes each time it
starts. Only alarms that first go off after several minutes are reported, and only if other events than the
alarm start the background. Nothing is reported if the script looks for the alarm first. To remove it first
changes nothing. If alarms are created only when the extension is installed or the browser starts,
`alarms.clearAll` at each start is reported: no alarm goes off twice. It also reports alarms whose name
contains the time or a random value, if the package never removes alarms.

## Why is this bad

An alarm outlives the background. Another one with the same name replaces it, and its time begins anew. An
alarm of one day never goes off if the background starts at least once a day, as it does for messages, clicks
and other events, and also when the browser starts. Alarms with different names do not replace each other:
there is one more after each start, and each of them starts the background again.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Backup",
  "version": "1.0",
  "permissions": ["alarms", "storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.create("backup", { periodInMinutes: 1440 });

chrome.alarms.onAlarm.addListener(() => {
  chrome.storage.local.set({ backup: Date.now() });
});
chrome.action.onClicked.addListener(() => {
  chrome.storage.local.set({ clicked: Date.now() });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Backup",
  "version": "1.0",
  "permissions": ["alarms", "storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.get("backup").then((alarm) => {
  if (!alarm) chrome.alarms.create("backup", { periodInMinutes: 1440 });
});

chrome.alarms.onAlarm.addListener(() => {
  chrome.storage.local.set({ backup: Date.now() });
});
chrome.action.onClicked.addListener(() => {
  chrome.storage.local.set({ clicked: Date.now() });
});
```

A listener of `runtime.onInstalled` is not enough: a browser may remove alarms when it starts.

## References

* When an alarm of Chromium 156 and Firefox 153 goes off that a background creates again
  (`extlint_judge background-runs`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import (
    InstanceValue,
    Literal,
    ObjectValue,
    Typed,
    Unknown,
    Value,
    options_of,
)
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import call_to, unguarded_calls
from extlint.checks.calls.creations import Creation, Names, Thing, created_again, creations
from extlint.checks.reachability.occasions import (
    background_ended_when_idle,
    occasions_of,
    runs_in_background,
)
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.targets import engine_of
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

_TIMES = (
    rb"\b(?:Date\.now\(\)|Math\.random\(\)|new\s+Date(?:\(\)|\b(?!\s*\())|randomUUID\(\)"
    rb"|performance\.now\(\))"
)
_CHANGING = lazy(_TIMES)
"""Matches an expression for the time, or for a random value."""

_CALL = lazy(rb"(?:\w+\.)*" + _TIMES + rb"(?:\.\w+\(\))?")
"""Matches such an expression with a method of its value: `new Date().toISOString()`."""

_NAME = lazy(rb"[A-Za-z_$][\w$]*+")


def is_changing(script: Script, value: Value) -> bool:
    """Whether a value depends on the time or on chance, directly or by the constant that it names."""
    if isinstance(value, ObjectValue):
        return any(is_changing(script, each.value) for each in value.fields.values())
    if value.span is None or not isinstance(value, Typed | Unknown | InstanceValue):
        return False
    text = script.index.text
    start, end = value.span[0] + script.base, value.span[1] + script.base
    if isinstance(value, Typed) and _CHANGING.search(text, start, end) is not None:
        return True
    if _CALL.fullmatch(text, start, end) is not None:
        return True
    name = _NAME.fullmatch(text, start, end)
    return name is not None and _is_changing_constant(text, script.base, name[0])


def _is_changing_constant(text: bytes, base: int, name: bytes) -> bool:
    """Whether a script has one constant of a name, whose value in one line depends on the time or chance."""
    found = text.split(b"const %b = " % name)
    if len(found) != 2 or text.find(found[1]) < base:
        return False
    return _CHANGING.search(found[1].partition(b"\n")[0].partition(b";")[0]) is not None


RULE = RULES["restarted-alarm"]

_MIN_TIME = 2.0
"""The shortest time in minutes that is reported: alarms that go off earlier outlast most restarts."""

_PERIOD = "periodInMinutes"
_DELAY = "delayInMinutes"
_RARE_EVENTS = frozenset(
    {
        ("alarms", "onAlarm"),
        ("runtime", "onInstalled"),
        ("runtime", "onStartup"),
        ("runtime", "onSuspend"),
        ("runtime", "onUpdateAvailable"),
    }
)
"""The events that do not start a background between two alarms."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call."""
    yield from _growing(extension)
    yield from _removed(extension)
    found = creations(extension, _ALARM)
    if not found or not _is_often_started(extension):
        return
    for each in created_again(extension, _ALARM, found):
        name, minutes = each.names
        alarm = f"the alarm {quoted(name)}" if name else "the alarm"
        start = f"{quoted(each.api)} restarts {alarm} each time the"
        end = f"starts: it goes off only after {minutes} without a start"
        yield _finding(extension, each, start, end, "create it only if `alarms.get` does not find it")


def _growing(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds an alarm with another name at each start."""
    found = creations(extension, _NEW_ALARM)
    if not found or _may_remove_alarms(extension):
        return
    for each in created_again(extension, _NEW_ALARM, found):
        call = call_to(extension, each.script, each.reference)
        if call is not None and is_changing(each.script, call.arguments[0]):
            start = f"{quoted(each.api)} adds an alarm each time the"
            help = "give it a constant name, and create it only if `alarms.get` does not find it"
            yield _finding(extension, each, start, "starts: its name is always another", help)


def _removed(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that removes all alarms at each start, if they stay removed."""
    for script, reference, background in removals_at_start(extension):
        api = ".".join(reference.path)
        start, end = f"{quoted(api)} removes all alarms each time the", "starts, also when one goes off"
        yield RULE.at(
            *script.place(reference.span),
            f"{start} {background} {end}",
            api=api,
            help="call it where the alarms are created: in a listener",
            general=f"{start} background {end}",
            reason="",
        )


def _finding(extension: Extension, creation: Creation, start: str, end: str, help: str) -> Finding:
    """Returns the finding of a call, with the name of the background between the parts of the message."""
    script = creation.script
    background = background_ended_when_idle(extension.manifest, engine_of(extension.target.name))
    return RULE.at(
        *script.place(creation.reference.span),
        f"{start} {background} {end}",
        api=creation.api,
        help=help,
        general=f"{start} background {end}",
        reason="",
    )


def _may_remove_alarms(extension: Extension) -> bool:
    return any(
        reference.path in _REMOVING for script in extension.scripts for reference in script.facts.references
    )


def _is_often_started(extension: Extension) -> bool:
    """Whether the background certainly listens to an event other than alarms."""
    engine = engine_of(extension.target.name)
    return any(
        call.path[-1] == "addListener" and len(call.path) == 3 and call.path[:-1] not in _RARE_EVENTS
        for script in extension.scripts
        if runs_in_background(script, engine)
        for call in script.facts.calls
    )


def _name_and_time(call: CallSite) -> Names:
    """Returns the name of the repeated alarm that a call certainly creates, and when it first goes off."""
    arguments = list(call.arguments[:2])
    name = "" if len(arguments) < 2 else _text(arguments.pop(0))
    options = arguments[0] if arguments else None
    if name is None or not isinstance(options, ObjectValue) or options.open or "when" in options.fields:
        return ()
    period = options.fields.get(_PERIOD)
    first = options.fields.get(_DELAY, period)
    if period is None or first is None or period.maybe_absent or first.maybe_absent:
        return ()
    minutes = _shortest(first.value)
    return () if minutes is None or minutes < _MIN_TIME else (name, f"{minutes:g} minutes")


def _unknown_name(call: CallSite) -> Names:
    """Returns something if a call certainly creates a repeated alarm with a name that is not known."""
    is_named = len(call.arguments) > 1 and not isinstance(call.arguments[0], Literal | ObjectValue)
    options = call.arguments[1] if is_named else None
    return ("",) if isinstance(options, ObjectValue) and _PERIOD in options.fields else ()


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Literal) and isinstance(value.value, str) else None


def _shortest(value: Value) -> float | None:
    """Returns the smallest number that a value may be, or None if it may be anything else."""
    numbers = [each.value for each in options_of(value) if isinstance(each, Literal)]
    found = [each for each in numbers if isinstance(each, float)]
    return min(found) if found and len(found) == len(options_of(value)) else None


_CREATING = frozenset({("alarms", "create")})
_REMOVING = frozenset({("alarms", "clear"), ("alarms", "clearAll")})
_ALARM = Thing("the alarm {}", _CREATING, _name_and_time, frozenset(), (), "", "", handling=None)
_NEW_ALARM = Thing("an alarm", _CREATING, _unknown_name, _REMOVING, (), "", "", handling=None)


_CREATE, _CLEAR_ALL = ("alarms", "create"), ("alarms", "clearAll")
_BEGINNINGS = frozenset({("runtime", "onInstalled"), ("runtime", "onStartup")})
"""The events that come only when the extension or the browser begins."""


def removals_at_start(extension: Extension) -> Iterator[tuple[Script, Reference, str]]:
    """Yields the calls that remove all alarms at each start, with the name of the background.

    Yields nothing if alarms may be created again after the start.
    """
    engine = engine_of(extension.target.name)
    background = background_ended_when_idle(extension.manifest, engine)
    if background is None or not _are_repeated_alarms_created_once(extension):
        return
    for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        if call.path == _CLEAR_ALL and runs_in_background(script, engine):
            occasions = occasions_of(extension, script, call)
            is_at_start = any(each.origin is Origin.LOAD and each.certain for each in occasions)
            if is_at_start and not unavailabilities_of(extension, call.path, script.contexts):
                yield script, reference, background


def _are_repeated_alarms_created_once(extension: Extension) -> bool:
    """Whether scripts create repeated alarms, and any alarm only when something begins."""
    is_repeated = False
    for script in extension.scripts:
        for reference in (*script.facts.references, *script.facts.possible_references):
            if reference.path != _CREATE or reference.only_tested:
                continue
            call = call_to(extension, script, reference)
            occasions = frozenset() if call is None else occasions_of(extension, script, call)
            if call is None or not occasions:
                return False
            if any(each.origin is not Origin.EVENT or each.event not in _BEGINNINGS for each in occasions):
                return False
            options = call.arguments[-1] if call.arguments else None
            is_repeated = is_repeated or (isinstance(options, ObjectValue) and _PERIOD in options.fields)
    return is_repeated
