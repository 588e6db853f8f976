"""Finds scripts, rules and documents that are registered again though they are still there.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls that a service worker, or a background page
that is not persistent, makes each time it starts, and that fail from the second start on:
`scripting.registerContentScripts` with a constant `id`, `updateDynamicRules` and `updateSessionRules` of
`declarativeNetRequest` that add a rule with a constant `id` and do not remove it, and
`offscreen.createDocument`. Calls in a listener of `runtime.onStartup` are reported if they register a script
or a dynamic rule, which also outlives the browser. It also reports a call in the listener of an event that
comes often, such as `tabs.onActivated`, and a second such call in one run. Nothing is reported if the package
removes them before, or if code handles the error.

## Why is this bad

The browser ends the background when nothing happens, starts it again for the next event, and keeps all of
these meanwhile. From the second start on the call fails with "Duplicate script ID 'reader'", "Rule with id 1
does not have a unique ID." or "Only a single offscreen document may be created." in Chrome, and with "Content
script with id "reader" is already registered." in Firefox.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Reader",
  "version": "1.0",
  "permissions": ["scripting"],
  "host_permissions": ["https://example.com/*"],
  "background": {"service_worker": "background.js"}
}
```

```js reader.js
document.body.classList.add("reader");
```

```js background.js
chrome.scripting.registerContentScripts([
  { id: "reader", matches: ["https://example.com/*"], js: ["reader.js"] },
]);
```

## Use instead

Register the script when the extension is installed or updated, which removes what was registered before:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Reader",
  "version": "1.0",
  "permissions": ["scripting"],
  "host_permissions": ["https://example.com/*"],
  "background": {"service_worker": "background.js"}
}
```

```js reader.js
document.body.classList.add("reader");
```

```js background.js
chrome.runtime.onInstalled.addListener(async () => {
  await chrome.scripting.registerContentScripts([
    { id: "reader", matches: ["https://example.com/*"], js: ["reader.js"] },
  ]);
});
```

Rules are replaced if the same call removes their ids first, with `removeRuleIds`.

## References

* What Chromium 156 and Firefox 153 say when a background registers something again
  (`extlint_judge background-runs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, Literal, ObjectValue, Value
from extlint.checks.calls.creations import Names, Thing, always, duplicate_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES

RULE = RULES["duplicate-registration"]

_TEMPORARY_SCRIPT = "persistAcrossSessions"
_REMOVED_RULES = "removeRuleIds"
_TEMPORARY = "AUDIO_PLAYBACK"
"""The reason for a document that Chrome closes when nothing is played."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the calls of each script and function, and one for each that repeats another."""
    for thing in _THINGS:
        yield from duplicate_findings(extension, RULE, thing)


def _script_ids(call: CallSite) -> Names:
    return _ids(call.arguments[0]) if call.arguments else ()


def _rule_ids(call: CallSite) -> Names:
    """Returns the ids of the rules that a call adds and does not remove before."""
    options = call.arguments[0] if call.arguments else None
    if not isinstance(options, ObjectValue) or options.open or _removes_rules(call):
        return ()
    added = options.fields.get("addRules")
    return () if added is None or added.maybe_absent else _ids(added.value)


def _removes_rules(call: CallSite) -> bool:
    """Whether a call may remove rules."""
    options = call.arguments[0] if call.arguments else None
    return not isinstance(options, ObjectValue) or options.open or _REMOVED_RULES in options.fields


def _lasts(call: CallSite) -> bool:
    """Whether the scripts that a call registers certainly remain when the browser is closed."""
    listed = call.arguments[0] if call.arguments else None
    scripts = listed.items if isinstance(listed, ArrayValue) else ()
    return bool(scripts) and all(
        isinstance(each, ObjectValue) and not each.open and _TEMPORARY_SCRIPT not in each.fields
        for each in scripts
    )


def _ids(listed: Value) -> Names:
    """Returns the ids that the objects in a list certainly have."""
    found: Sequence[Value] = listed.items if isinstance(listed, ArrayValue) else ()
    fields = (each.fields.get("id") for each in found if isinstance(each, ObjectValue))
    ids = (each.value for each in fields if each is not None and not each.maybe_absent)
    return tuple(_text(each.value) for each in ids if isinstance(each, Literal) and each.value is not None)


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _document(call: CallSite) -> Names:
    options = call.arguments[0] if call.arguments else None
    reasons = options.fields.get("reasons") if isinstance(options, ObjectValue) else None
    listed = reasons.value if reasons is not None else None
    if not isinstance(listed, ArrayValue) or listed.open:
        return ()
    known = all(isinstance(each, Literal) and each.value != _TEMPORARY for each in listed.items)
    return ("",) if known else ()


_RULES = "declarativeNetRequest"
_IN_ONE_CALL = "remove the rule in the same call, with `removeRuleIds`"
_WHEN_INSTALLED = "register it in a listener of `runtime.onInstalled`"

_THINGS = (
    Thing(
        "a script with the id {}",
        frozenset({("scripting", "registerContentScripts")}),
        _script_ids,
        frozenset({("scripting", "unregisterContentScripts")}),
        ("unregisterContentScripts",),
        f"{_WHEN_INSTALLED}, or only if `scripting.getRegisteredContentScripts` does not have it",
        "give each script an id of its own",
        lasts=_lasts,
    ),
    *(
        Thing(
            "a rule with the id {}",
            frozenset({(_RULES, name)}),
            _rule_ids,
            frozenset({(_RULES, name)}),
            (name,),
            _IN_ONE_CALL,
            _IN_ONE_CALL,
            _removes_rules,
            lasts=always if name == "updateDynamicRules" else None,
        )
        for name in ("updateDynamicRules", "updateSessionRules")
    ),
    Thing(
        "an offscreen document",
        frozenset({("offscreen", "createDocument")}),
        _document,
        frozenset({("offscreen", "closeDocument")}),
        ("close", "closeDocument"),
        "create it only if `runtime.getContexts` finds none",
        "create it only if `runtime.getContexts` finds none",
        stays=False,
    ),
)
