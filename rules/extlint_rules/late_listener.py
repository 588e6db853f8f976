"""Finds listeners that are added too late for the event that starts the background.

## What it does

Under `--target chrome` and `--target firefox`, looks at the listeners of a service worker, or of a background
page that is not persistent, for events that others wait for: clicks, commands, messages, alarms. It reports
one that is only added after an `await` or in the callback of an API call, in a timer, or in a listener of
`runtime.onInstalled` or `runtime.onStartup`. A listener for alarms, menus, notifications or requests of web
pages, which outlive the background, is also reported if another event's listener adds it. Nothing is reported
if a listener of the same event is added in time too, or if the package removes such listeners, unless each
start adds or removes them after the same wait. A script that also runs in a page is reported for menus,
alarms, notifications and commands only.

Under `--target chrome`, it also looks at `addEventListener` in a service worker for events such as `push`,
`fetch` and `message`, which must be added before the first wait, and in no other listener.

In a persistent background page, it reports a listener that is only added in one of `runtime.onInstalled`.

## Why is this bad

The browser ends the background when nothing happens, and starts it again for the next event. It passes that
event on when the script has run once: a listener that is added later may not be there yet, so that the click
or message is lost, with "Could not establish connection. Receiving end does not exist." for the sender of
a message. Of its own events, Chrome says "Event handler of 'push' event must be added on the initial
evaluation of worker script." It works as long as the background happens to run, which makes the mistake hard
to see.

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

* What Chromium 156 and Firefox 153 pass to listeners that the background adds late
  (`extlint_judge background-runs`), and where Chromium warns (`extlint_judge worker-events`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import AT_LOAD
from extlint.checks.reachability.occasions import BACKGROUNDS, background_ended_when_idle
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import quoted

RULE = RULES["late-listener"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds a listener too late."""
    engine = engine_of(extension.target.name)
    if engine is Engine.CHROMIUM and extension.manifest.version == 3:
        yield from _late_in_worker(extension)
    if not _adds_later(extension):
        return
    background = background_ended_when_idle(extension.manifest, engine)
    if engine not in BACKGROUNDS or (background is None and extension.manifest.version != 2):
        return
    from extlint_rules.helpers.late_listeners import late_listeners

    for late in late_listeners(extension, engine, is_persistent=background is None):
        api = ".".join(late.reference.path[:-1])
        listener, end = f"the listener of {quoted(api)}", f"it is added {late.reason}"
        start = f"{listener} may be missing when an event starts the"
        general, message = f"{start} background", f"{start} {background}"
        if background is None:
            general = message = f"{listener} is missing from the next start of the browser on"
        yield RULE.at(
            *late.script.place(late.reference.span),
            f"{message}: {end}",
            api=api,
            help="add it at the top of the script, and wait in the listener",
            general=f"{general}: {end}",
            reason="",
        )


def _late_in_worker(extension: Extension) -> Iterator[Finding]:
    """Yields findings for the events of the Web platform that a service worker has."""
    if not any(b"addEventListener" in each.index.text for each in _scripts_of_worker(extension)):
        return
    from extlint_rules.helpers.late_listeners import late_worker_listeners

    for late in late_worker_listeners(extension):
        yield RULE.at(
            *late.script.place(late.span),
            f"the listener of {quoted(late.event)} may be missing when an event starts the service worker: "
            f"it is added {late.reason}",
            help="add it at the top of the script, and wait in the listener",
        )


def _scripts_of_worker(extension: Extension) -> Iterator[Script]:
    for script in extension.scripts:
        if any(each.kind is ContextKind.SERVICE_WORKER for each in script.contexts):
            yield script


def _adds_later(extension: Extension) -> bool:
    """Whether a script adds a listener at any time other than load."""
    return any(
        call.path[-1] == "addListener" and call.occasions != AT_LOAD
        for script in extension.scripts
        for call in script.facts.calls
    )
