"""Finds listeners that are added again each time another event comes.

## What it does

Looks at listeners of the extension API that are functions written in the call of `addListener`, in a function
that runs for each event of another kind: when tabs or settings change, on clicks, commands, connections and
messages. The call is reported if it certainly runs for each such event, or for each with the same data. A
function with a name is ignored, since it may remove itself.

## Why is this bad

Each run creates another function, so the browser keeps all of them. After ten events, each new tab opens ten
pages, or each message is stored ten times. It works the first time, which makes the mistake hard to see.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "action": {},
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => {
  chrome.tabs.onCreated.addListener(async () => {
    const { count = 0 } = await chrome.storage.local.get("count");
    await chrome.storage.local.set({ count: count + 1 });
  });
});
```

## Use instead

Add the listener once, and store what the other event changes:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Count",
  "version": "1.0",
  "action": {},
  "permissions": ["storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(async () => {
  await chrome.storage.local.set({ active: true });
});

chrome.tabs.onCreated.addListener(async () => {
  const { active, count = 0 } = await chrome.storage.local.get(["active", "count"]);
  if (active) await chrome.storage.local.set({ count: count + 1 });
});
```

## References

* What Chromium 156 and Firefox 153 call after two events added a listener
  (`extlint_judge repeated-listeners`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.events import Occasion, Origin, comes_often
from extlint.analysis.facts.script_facts import CallSite, FailureHandling
from extlint.analysis.facts.values import FunctionValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

RULE = RULES["repeated-listener"]

_ADD = "addListener"
_MESSAGE = ("runtime", "onMessage")
_NEW = lazy(rb"\s*(?:async\b\s*)?(?:function\s*\(|\([^()]*\)\s*=>|[\w$]+\s*=>)")
"""A function without a name at the start of the arguments."""

_OWN = b"arguments.callee"
"""The function itself, in a function without a name."""

_LEAVING = lazy(rb"\b(?:reload|close)\s*\(|\blocation\b")
"""Code that ends the script, with all of its listeners."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each call that adds a listener again and again."""
    for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        if call.path[-1] != _ADD or not _adds_new_function(script, call):
            continue
        occasions = sorted(
            (
                each
                for each in occasions_of(extension, script, call)
                if _comes_again(each) and not _leaves(script, each, call)
            ),
            key=lambda each: each.event,
        )
        if not occasions or unavailabilities_of(extension, call.path, script.contexts):
            continue
        api, cause = ".".join(call.path[:-1]), ".".join(occasions[0].event)
        yield RULE.at(
            *script.place(reference.span),
            f"each {quoted(cause)} adds another listener of {quoted(api)}, and all of them run from then on",
            api=api,
            help=f"add the listener once, outside of the listener of {quoted(cause)}",
        )


def _adds_new_function(script: Script, call: CallSite) -> bool:
    """Whether the listener is a function that each run of the call creates, and that nothing can remove."""
    listener = call.arguments[0] if call.arguments else None
    start, end = (each + script.base for each in call.arguments_span)
    is_new = _NEW.match(script.index.text, start + 1) is not None
    return is_new and isinstance(listener, FunctionValue) and _OWN not in script.index.text[start:end]


def _leaves(script: Script, occasion: Occasion, call: CallSite) -> bool:
    """Whether the listener of an event, in which a call is written, may end the script."""
    adding = (each for each in script.facts.calls if each.path == (*occasion.event, _ADD))
    around = (each.arguments_span for each in adding if each.arguments_span[0] < call.span[0] < each.span[1])
    return any(
        _LEAVING.search(script.index.text[start + script.base : end + script.base]) for start, end in around
    )


def _comes_again(occasion: Occasion) -> bool:
    """Whether an occasion is an event that comes often, and the call is made each time."""
    if occasion.origin is not Origin.EVENT:
        return False
    is_message = occasion.event == _MESSAGE and occasion.certain
    return is_message or (occasion.repeats and comes_often(occasion.event))
