"""Finds timers that call a function more often than Chrome allows.

## What it does

Under `--target chrome`, looks for calls of `setInterval` with a known time whose function always writes to
`storage.sync`, or always takes a picture with `tabs.captureVisibleTab`. It reports a write at least every two
seconds, and a picture more often than twice a second. Nothing is reported if the script also calls
`clearInterval`, as the timer may end soon.

## Why is this bad

Chrome allows 1,800 writes to `storage.sync` in an hour and 120 in a minute, and two pictures in a second.
After that the calls fail with "This request exceeds the MAX_WRITE_OPERATIONS_PER_HOUR quota.", and what they
should save is lost. Firefox counts neither.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Time",
  "version": "1.0",
  "permissions": ["storage"],
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["time.js"]}]
}
```

```js time.js
let seconds = 0;
setInterval(() => {
  seconds += 1;
  chrome.storage.sync.set({ seconds });
}, 1000);
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Time",
  "version": "1.0",
  "permissions": ["storage"],
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["time.js"]}]
}
```

```js time.js
let seconds = 0;
setInterval(() => {
  seconds += 1;
  chrome.storage.local.set({ seconds });
}, 1000);
```

## References

* The quotas in the schemas of Chrome, and the number of writes after which Chromium 156 refuses one
  (`extlint_judge storage-changes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.analysis.facts.platform_globals import TIMERS
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import FunctionValue, Literal, Value, options_of
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.availability.unguarded_references import unguarded_calls_in
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["exceeded-quota"]


class _Quota(Struct, frozen=True):
    """The shortest allowed time in milliseconds between two calls, in words, and what to do instead."""

    time: float
    allowed: str
    help: str


_WRITES = _Quota(2000, "1,800 writes in an hour", "use `storage.local`, or write when something has changed")
_PICTURES = _Quota(500, "two pictures in a second", "wait at least 500 milliseconds between two pictures")
_QUOTAS: Mapping[ApiPath, _Quota] = {
    ("storage", "sync", "set"): _WRITES,
    ("storage", "sync", "remove"): _WRITES,
    ("storage", "sync", "clear"): _WRITES,
    ("tabs", "captureVisibleTab"): _PICTURES,
}
_INTERVAL = "setInterval"
_ENDING = b"clearInterval"
_NAME = lazy(rb"[\w$]++")
_DEFINITION = rb"\bfunction\s+%b\s*\(|\b(?:const|let|var)\s+%b\s*="
_FUNCTION = lazy(rb"=>|\bfunction\b|\bclass\b")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such call."""
    if engine_of(extension.target.name) is Engine.CHROMIUM:
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    calls = _calls(extension, script)
    if not calls:
        return
    for use in extension.searches.global_uses(script, TIMERS, watched_globals(extension)):
        time = _longest(use.arguments[1]) if len(use.arguments) > 1 else None
        if time is None or not use.name.endswith(_INTERVAL):
            continue
        runs = any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.INSPECTED
            )
            for each in use.paths
        )
        for reference, call in calls if runs else ():
            quota = _QUOTAS[call.path]
            if time < quota.time and _always_runs(script, use.arguments[0], reference.span):
                api = ".".join(call.path)
                yield RULE.at(
                    *script.place(reference.span),
                    f"{quoted(api)} runs every {time / 1000:g} seconds, and Chrome allows {quota.allowed}",
                    api=api,
                    help=quota.help,
                )


def prefetch(extension: Extension, script: Script) -> None:
    """Queries the timers of a script that makes such a call."""
    if engine_of(extension.target.name) is Engine.CHROMIUM and _calls(extension, script):
        extension.searches.global_uses(script, TIMERS, watched_globals(extension))


def _calls(extension: Extension, script: Script) -> list[tuple[Reference, CallSite]]:
    """Returns the calls in a script that a timer may make too often."""
    text = script.index.text
    if _INTERVAL.encode() not in text or _ENDING in text:
        return []
    return [
        (reference, call)
        for reference, call in unguarded_calls_in(extension, script, FailureHandling.INSPECTED)
        if call.path in _QUOTAS
        and not reference.guards.conditional
        and not unavailabilities_of(extension, call.path, script.contexts)
    ]


def _longest(value: Value) -> float | None:
    """Returns the longest time in milliseconds that a value may be, or None if unknown."""
    options = options_of(value)
    found = [each.value for each in options if isinstance(each, Literal) and isinstance(each.value, float)]
    return max(found) if found and len(found) == len(options) else None


def _always_runs(script: Script, callback: Value, place: ByteSpan) -> bool:
    """Whether a place is in a function, and in no other one in it."""
    if not isinstance(callback, FunctionValue) or callback.span is None:
        return False
    text, (start, end), at = script.index.text, callback.span, place[0] + script.base
    start, end = start + script.base, end + script.base
    name = _NAME.fullmatch(text, start, end)
    if name is not None:
        defined = [*re.finditer(_DEFINITION.replace(b"%b", re.escape(name[0])), text[script.base :])]
        if len(defined) != 1:
            return False
        start, end = defined[0].start() + script.base, len(text)
    before = text[start:at]
    is_inside = start <= at < end and (name is None or before.count(b"{") > before.count(b"}"))
    return is_inside and len(_FUNCTION.findall(before)) <= 1
