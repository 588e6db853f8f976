"""Finds timers in a service worker that are longer than it may live.

## What it does

Under `--target chrome`, looks in service workers for calls of `setTimeout` and `setInterval` with a known
time of 30 seconds or more, which are seen to run. Scripts that also run elsewhere are not reported, and
neither are timers that only abort, disconnect or reject what takes too long, or are in a `Promise.race` with
it. Nothing is reported in a worker that may live longer: where a timer of less than 30 seconds is repeated,
an earlier one may start its time anew, or `runtime.connectNative` opens a port.

## Why is this bad

Chrome ends a service worker after 30 seconds without events or calls of the API, and its timers end with it:
nothing happens at that time, and no error is shown. Whether the worker is still there then depends on other
events.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Reminder",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => {
  setTimeout(() => chrome.action.setBadgeText({ text: "!" }), 5 * 60 * 1000);
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Reminder",
  "version": "1.0",
  "permissions": ["alarms"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => {
  chrome.alarms.create("remind", { delayInMinutes: 5 });
});
chrome.alarms.onAlarm.addListener(() => chrome.action.setBadgeText({ text: "!" }));
```
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.platform_globals import TIMERS
from extlint.analysis.facts.script_facts import ApiPath, ArgumentTest, GlobalUse
from extlint.analysis.facts.values import Literal, Value, options_of
from extlint.checks.api.absent_globals import absent_globals_in, absent_names, watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.patterns import isolated_word_offsets, lazy
from extlint.text.wording import quoted

LIFETIME = 30_000
"""The lifetime of a service worker without events, in milliseconds."""

MAX_BYTES_OF_FUNCTION = 2_000
"""The number of bytes before a timer in which the name of its enclosing function is searched for."""

_NAMED_FUNCTION = lazy(
    rb"\bfunction\b\s*\*?\s*([\w$]+)"
    rb"|([\w$]+)\s*[=:]\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)"
)
_FUNCTION_LITERAL = lazy(rb"=>|\bfunction\b")
_BEFORE_BRACKET = lazy(rb"([\w$.?]+)\s*\(")
_NO_CALL = lazy(rb"async|catch|for|function|if|return|switch|while|console\b.*")
_NATIVE: ApiPath = ("runtime", "connectNative")


def has_native_port(extension: Extension) -> bool:
    """Whether a service worker connects to a program, and lives as long as the connection."""
    return any(
        reference.path[: len(_NATIVE)] == _NATIVE
        for script in extension.scripts
        if any(each.kind is ContextKind.SERVICE_WORKER for each in script.contexts)
        for reference in script.facts.references
    )


def worker_lifetime(intervals: Iterable[float], timeouts: Iterable[float]) -> float:
    """Returns a worker's lifetime in milliseconds if each timer restarts its idle time by an API call.

    `intervals` and `timeouts` are the times in milliseconds of the timers that repeat, and that do not.
    """
    end: float = LIFETIME
    for time in sorted(timeouts):
        end = max(end, time + LIFETIME) if time < end else end
    return math.inf if min(intervals, default=LIFETIME) < LIFETIME else end


def calls_itself(text: bytes, timer: int, callback: bytes) -> bool:
    """Whether a timer seems to call its enclosing function, by the name that precedes it."""
    before = text[max(0, timer - MAX_BYTES_OF_FUNCTION) : timer]
    names = [found[1] or found[2] for found in _NAMED_FUNCTION.finditer(before)]
    return bool(names) and any(True for _ in isolated_word_offsets(names[-1], callback))


def may_call_api(callback: bytes) -> bool:
    """Whether the function that a timer calls may call the API; not if it visibly only counts or logs."""
    if _FUNCTION_LITERAL.search(callback) is None:
        return True
    names = (found[1] for found in _BEFORE_BRACKET.finditer(callback))
    return any(_NO_CALL.fullmatch(each) is None for each in names)


RULE = RULES["long-timer"]

_INTERVAL = "setInterval"

_ABORT = lazy(
    rb"\b(?:abort|reject|cancel|disconnect|timed?_?out)\w*\s*\(|\bnew\s+\w*Error\b|(?i:timeout)\w*Error"
)

_RACE = lazy(rb"\bPromise\s*\.\s*race\s*\(\s*(?=\[)")
_MAX_BYTES_OF_RACE = 2_000
"""The number of bytes before a timer in which the list of a `Promise.race` is searched for."""


class _Timer(Struct, frozen=True):
    """A timer in a service worker, and its time in milliseconds."""

    script: Script
    use: GlobalUse
    time: float

    @property
    def start(self) -> int:
        """Its offset in the text of the script."""
        return self.use.span[0] + self.script.base

    @property
    def callback(self) -> bytes:
        """The source of the function that it calls, empty if unknown."""
        span, base = self.use.arguments[0].span, self.script.base
        return b"" if span is None else self.script.index.text[span[0] + base : span[1] + base]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such timer."""
    if not _is_checked(extension):
        return
    absent = absent_names(absent_globals_in(extension, ContextKind.SERVICE_WORKER))
    long = _timers(extension, is_shared=False, matters=_is_long)
    found = [each for each in long if _is_set(extension, each, absent)]
    if not found or has_native_port(extension):
        return
    own = [*_timers(extension, is_shared=False)]
    end = _worker_lifetime(own)
    if any(each.time >= end for each in found):  # more timers only extend the lifetime
        end = _worker_lifetime([*own, *_timers(extension, is_shared=True)])
    for each in found:
        if each.time >= end:
            yield RULE.at(
                *each.script.place(each.use.span),
                f"{quoted(each.use.name)} is given {each.time / 1000:g} seconds, "
                "and Chrome ends a service worker after 30 seconds without events: use `alarms`",
                help="create an alarm with `chrome.alarms.create`, and listen to `chrome.alarms.onAlarm`",
            )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the timers of a service worker script."""
    if _is_checked(extension) and _may_set_timers(script, is_shared=False):
        _uses(extension, script, _is_long)


def _is_checked(extension: Extension) -> bool:
    return engine_of(extension.target.name) is Engine.CHROMIUM


def _timers(
    extension: Extension, *, is_shared: bool, matters: ArgumentTest | None = None
) -> Iterator[_Timer]:
    """Yields the timers that do more than end something, in scripts that run in service workers.

    If `is_shared`, the scripts also run in other contexts; otherwise they do not.
    """
    for script in checked_scripts(extension):
        if not _may_set_timers(script, is_shared=is_shared):
            continue
        for use in _uses(extension, script, matters):
            time = _time(use.arguments)
            if time is not None and not _ends_something(timer := _Timer(script, use, time)):
                yield timer


def _may_set_timers(script: Script, *, is_shared: bool) -> bool:
    text = script.index.text
    if not any(each.encode() in text for each in TIMERS):
        return False
    kinds = {each.kind for each in script.contexts}
    return ContextKind.SERVICE_WORKER in kinds and (len(kinds) > 1) is is_shared


def _uses(extension: Extension, script: Script, matters: ArgumentTest | None) -> Sequence[GlobalUse]:
    return extension.searches.global_uses(script, TIMERS, watched_globals(extension), matters)


def _is_long(_name: str, arguments: tuple[Value, ...]) -> bool:
    """Whether a service worker without events ends before a timer fires."""
    time = _time(arguments)
    return time is not None and time >= LIFETIME


def _is_set(extension: Extension, timer: _Timer, absent: frozenset[str]) -> bool:
    """Whether a timer is set in a service worker, where some globals are `absent`."""
    return any(
        fails_on(extension, timer.script, each, absent, is_everywhere=True) for each in timer.use.paths
    )


def _worker_lifetime(timers: Iterable[_Timer]) -> float:
    """Returns the lifetime in milliseconds of a worker with these timers."""
    calling = [each for each in timers if may_call_api(each.callback)]
    repeated = [each.time for each in calling if _repeats(each)]
    return worker_lifetime(repeated, [each.time for each in calling if not _repeats(each)])


def _repeats(timer: _Timer) -> bool:
    """Whether a timer runs repeatedly, including by setting itself again in the function that it calls."""
    return timer.use.name.endswith(_INTERVAL) or calls_itself(
        timer.script.index.text, timer.start, timer.callback
    )


def _time(arguments: tuple[Value, ...]) -> float | None:
    """Returns the shortest possible time of a timer in milliseconds, or None if unknown."""
    if len(arguments) < 2:
        return None
    options = options_of(arguments[1])
    found = [each.value for each in options if isinstance(each, Literal) and isinstance(each.value, float)]
    return min(found) if found and len(found) == len(options) else None


def _ends_something(timer: _Timer) -> bool:
    """Whether a timer only ends an overlong operation, or a connection, which ends with the worker."""
    return _is_in_race(timer.script.index.text, timer.start) or _ABORT.search(timer.callback) is not None


def _is_in_race(text: bytes, timer: int) -> bool:
    """Whether a timer is in the list of a `Promise.race`, by the brackets before it."""
    before = text[max(0, timer - _MAX_BYTES_OF_RACE) : timer]
    lists = (before[found.end() :] for found in _RACE.finditer(before))
    return any(each.count(b"[") > each.count(b"]") for each in lists)
