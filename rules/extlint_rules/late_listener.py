"""Finds listeners that are added too late for the event that starts the background.

## What it does

Under `--target chrome` and `--target firefox`, looks at the listeners of a service worker, or of a background
page that is not persistent, for events that others wait for: clicks, commands, messages, alarms. It reports
one that is only added after an `await` or in the callback of an API call, in a timer, or in a listener of
`runtime.onInstalled` or `runtime.onStartup`. A listener for alarms, menus, notifications or requests of web
pages, which outlive the background, is also reported if another event's listener adds it. Nothing is reported
if a listener of the same event is added in time too, or if the package removes such listeners.

## Why is this bad

The browser ends the background when nothing happens, and starts it again for the next event. It passes that
event on when the script has run once: a listener that is added later may not be there yet, so that the click
or message is lost, with "Could not establish connection. Receiving end does not exist." for the sender of
a message. It works as long as the background happens to run, which makes the mistake hard to see.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Mark",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
async function start() {
  const { text } = await chrome.storage.local.get("text");
  chrome.action.onClicked.addListener(() => {
    chrome.action.setBadgeText({ text });
  });
}

start();
```

## Use instead

Add the listener at once, and wait in it:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Mark",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  const { text } = await chrome.storage.local.get("text");
  await chrome.action.setBadgeText({ text });
});
```

## References

* What Chromium 156 and Firefox 153 pass to listeners that the background adds late.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.occasions import AT_LOAD
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.targets.request import engine_of
from extlint.text.wording import quoted

RULE = RULES["late-listener"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds a listener too late."""
    if not _adds_later(extension):
        return
    from extlint.checks.reachability.occasions import background_name, is_ended_when_idle
    from extlint_rules.helpers.late_listeners import late_listeners

    engine = engine_of(extension.target.name)
    if engine is None or not is_ended_when_idle(extension.manifest, engine):
        return
    for late in late_listeners(extension, engine):
        api = ".".join(late.reference.path[:-1])
        start = f"the listener of {quoted(api)} may be missing when an event starts the"
        end = f"it is added {late.reason}"
        yield RULE.at(
            late.script.path,
            late.script.span(late.reference.span),
            f"{start} {background_name(late.script)}: {end}",
            api=api,
            help="add it at the top of the script, and wait in the listener",
            general=f"{start} background: {end}",
            reason="",
        )


def _adds_later(extension: Extension) -> bool:
    """Whether a script adds a listener at any time other than load."""
    return any(
        call.path[-1] == "addListener" and call.occasions != AT_LOAD
        for script in extension.scripts
        for call in script.facts.calls
    )
