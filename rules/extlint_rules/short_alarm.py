"""Finds alarms that go off less often than the script says.

## What it does

Under `--target chrome`, checks `delayInMinutes` and `periodInMinutes` of `alarms.create`. It reports values
below what Chrome gives a packed extension: 30 seconds in Manifest V3 since Chrome 120, one minute before
that and in Manifest V2. Values that are not known, and calls behind a test of the build or browser, are not
reported.

## Why is this bad

The alarm works as written while the extension is loaded unpacked, and goes off later for those who install
it. Chrome warns "Alarm period is less than the minimum duration of 30 seconds. In packed extensions, alarm
"" will fire after the minimum duration."

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "permissions": ["alarms"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.create("tick", { periodInMinutes: 0.1 });
chrome.alarms.onAlarm.addListener(() => chrome.action.setBadgeText({ text: "tick" }));
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "permissions": ["alarms"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.create("tick", { periodInMinutes: 0.5 });
chrome.alarms.onAlarm.addListener(() => chrome.action.setBadgeText({ text: "tick" }));
```

## References

* The warnings in the executable of Chromium 156 (`extlint_judge error-texts`), and the release notes of
  Chrome 120.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import Literal, ObjectValue, Value, options_of
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["short-alarm"]

_CREATE = ("alarms", "create")
_SHORTER_SINCE = (120,)
_MINUTES = ("delayInMinutes", "periodInMinutes")


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each value that is too small."""
    if engine_of(extension.target.name) is not Engine.CHROMIUM:
        return
    least = _minimum_minutes(extension)
    shown = "30 seconds" if least < 1 else "one minute"
    is_older = least == 1.0 and extension.manifest_version != 2
    for script, _, call in unguarded_calls(extension):
        if call.path != _CREATE or unavailabilities_of(extension, call.path, script.contexts):
            continue
        for name, minutes, span in _durations(call):
            if minutes < least:
                what = "the alarm goes off" if name == "delayInMinutes" else "the alarm goes off again"
                newer = ", and after 30 seconds in newer ones" if minutes < 0.5 else ""
                where = f" in versions before Chrome 120{newer}" if is_older else ""
                yield RULE.at(
                    *script.place(span),
                    f"{quoted(name)} is less than {shown}: in a packed extension {what} after {shown}{where}",
                    api=".".join(_CREATE),
                    help=_help(extension, minutes, least),
                )


def _minimum_minutes(extension: Extension) -> float:
    """Returns the minimum time in minutes that all supported versions enforce in a packed extension."""
    minimum = extension.target.minimum
    is_older = minimum is not None and minimum < _SHORTER_SINCE
    return 1.0 if is_older or extension.manifest_version == 2 else 0.5


def _durations(call: CallSite) -> Iterator[tuple[str, float, ByteSpan]]:
    """Yields the times in minutes that a call certainly requests, by the names of their properties."""
    for argument in call.arguments[:2]:
        if not isinstance(argument, ObjectValue):
            continue
        for name in _MINUTES:
            found = argument.fields.get(name)
            longest = None if found is None or found.maybe_absent else _max_number(found.value)
            span = None if found is None else found.value.span or found.key
            if longest is not None and span is not None:
                yield name, longest, span


def _max_number(value: Value) -> float | None:
    """Returns the largest number that a value may be, or None if it may be anything else."""
    found = [each.value for each in options_of(value) if isinstance(each, Literal)]
    numbers = [each for each in found if isinstance(each, float)]
    return max(numbers) if numbers and len(numbers) == len(options_of(value)) else None


def _help(extension: Extension, minutes: float, least: float) -> str:
    if least == 1.0 and minutes >= 0.5 and extension.manifest_version == 3:
        return 'shorter alarms require `"minimum_chrome_version": "120"`'
    return f"use at least {least:g}; for less, use `setTimeout` while the background runs"
