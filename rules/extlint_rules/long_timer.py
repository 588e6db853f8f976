"""Finds timers in a service worker that are longer than it may live.

## What it does

Under `--target chrome`, looks in service workers for calls of `setTimeout` and `setInterval` with a known
time of 30 seconds or more, which are seen to run. Scripts that also run elsewhere are not reported, and
neither are timers that only abort or reject what takes too long, or are in a `Promise.race` with it.

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

from collections.abc import Iterator

from extlint.checks.api.lacking_globals import all_of, lacking_in
from extlint.checks.api.watched_globals import TIMERS, watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.script.facts.context import ContextKind
from extlint.script.facts.script_facts import GlobalUse
from extlint.script.facts.values import Literal, options_of
from extlint.targets.request import engine_of
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["long-timer"]

_LIFETIME = 30_000
"""So many milliseconds a service worker lives without events."""

_ENDING = lazy(rb"\b(?:abort|reject|cancel|timed?_?out)\w*\s*\(|\bnew\s+\w*Error\b|(?i:timeout)\w*Error")

_RACE = lazy(rb"\bPromise\s*\.\s*race\s*\(\s*(?=\[)")
_MAX_BYTES_OF_RACE = 2_000
"""The list of a `Promise.race` is looked for in so many bytes before a timer."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such timer."""
    if engine_of(extension.target.name) is not Engine.CHROMIUM:
        return
    gone = all_of(lacking_in(extension, ContextKind.SERVICE_WORKER))
    for script in checked_scripts(extension):
        text = script.index.text
        if not script.contexts or not any(each.encode() in text for each in TIMERS):
            continue
        if any(each.kind is not ContextKind.SERVICE_WORKER for each in script.contexts):
            continue
        for use in extension.searches.global_uses(script, TIMERS, watched_globals(extension)):
            milliseconds = _time(use)
            if milliseconds is None or milliseconds < _LIFETIME or _ends_something(script, use):
                continue
            if any(fails_on(extension, script, each, gone, is_everywhere=True) for each in use.paths):
                yield RULE.at(
                    script.path,
                    script.span(use.span),
                    f"{quoted(use.name)} is given {milliseconds / 1000:g} seconds, "
                    "and Chrome ends a service worker after 30 seconds without events: use `alarms`",
                    help="create an alarm with `chrome.alarms.create`, and listen to `chrome.alarms.onAlarm`",
                )


def _time(use: GlobalUse) -> float | None:
    """The shortest time in milliseconds that a timer may be given; None if it is not known."""
    if len(use.arguments) < 2:
        return None
    options = options_of(use.arguments[1])
    found = [each.value for each in options if isinstance(each, Literal) and isinstance(each.value, float)]
    return min(found) if found and len(found) == len(options) else None


def _ends_something(script: Script, use: GlobalUse) -> bool:
    """Whether a timer only ends what takes too long."""
    if _is_in_race(script.index.text, use.span[0] + script.base):
        return True
    span = use.arguments[0].span
    if span is None:
        return False
    return _ENDING.search(script.index.text, span[0] + script.base, span[1] + script.base) is not None


def _is_in_race(text: bytes, timer: int) -> bool:
    """Whether a timer stands in the list of a `Promise.race`, by the brackets before it."""
    before = text[max(0, timer - _MAX_BYTES_OF_RACE) : timer]
    lists = (before[found.end() :] for found in _RACE.finditer(before))
    return any(each.count(b"[") > each.count(b"]") for each in lists)
