"""Finds uses of APIs that do not work in Firefox without an add-on id in the manifest.

## What it does

Under `--target firefox` or `firefox_android`, reports calls of the functions of `storage.sync` and
`storage.managed`, of those of `sessions` that keep values for tabs and windows, and of
`identity.getRedirectURL`, and listeners for messages of other add-ons, if the manifest has no
`browser_specific_settings.gecko.id`. The first such call is reported, with the places of others.

## Why is this bad

Firefox keeps such data under the id of the add-on. One that is loaded without an id, as on
`about:debugging`, gets a temporary id, and the call fails: "The storage API will not work with a temporary
addon ID. Please add an explicit addon ID to your manifest." The address that `identity.getRedirectURL`
returns contains the id: it changes whenever the add-on is loaded, and no sign-in service knows it. An
add-on in Manifest V3 is not signed without an id of its own.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Colors",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.runtime.onInstalled.addListener(async () => {
  await browser.storage.sync.set({ color: "blue" });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Colors",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"scripts": ["background.js"]},
  "browser_specific_settings": {"gecko": {"id": "colors@example.com"}}
}
```

```js background.js
browser.runtime.onInstalled.addListener(async () => {
  await browser.storage.sync.set({ color: "blue" });
});
```

## References

* What Firefox 153 says to an add-on that is loaded without an id (`extlint_judge add-on-id`).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.dead_events import never_runs
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.manifest.manifest import has_key
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.positions import Span
from extlint.text.wording import quoted

RULE = RULES["missing-add-on-id"]

_ID = ("browser_specific_settings", "gecko", "id")

_FUNCTIONS = {
    ("sessions",): (
        *("getTabValue", "removeTabValue", "setTabValue"),
        *("getWindowValue", "removeWindowValue", "setWindowValue"),
    ),
    ("storage", "managed"): ("get", "getBytesInUse", "getKeys"),
    ("storage", "sync"): ("clear", "get", "getBytesInUse", "getKeys", "remove", "set"),
}

REQUIRES_ID = frozenset((*path, name) for path, names in _FUNCTIONS.items() for name in names)
"""The functions that fail in an add-on with a temporary id (`extlint_judge add-on-id`)."""


CHANGES_WITH_ID = frozenset({("identity", "getRedirectURL")})
"""The functions whose result changes whenever such an add-on is loaded (verified by the same command)."""

ADDRESSED_BY_ID = frozenset(
    ("runtime", name, "addListener") for name in ("onConnectExternal", "onMessageExternal")
)
"""The functions for messages of other add-ons, which address this one by its id."""

MAX_PLACES = 10
"""The maximum number of calls that a finding lists in addition to the first one."""


class _Use(Struct, frozen=True):
    """A call of such a function, and its location."""

    path: ApiPath
    file: str
    span: Span


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for all calls of such functions, at the first one, if the manifest has no id."""
    manifest = extension.manifest
    if engine_of(extension.target.name) is not Engine.GECKO or has_key(manifest, *_ID):
        return
    uses = [
        _Use(call.path, script.path, script.span(reference.span))
        for script, reference, call in unguarded_calls(extension)
        if call.path in REQUIRES_ID | CHANGES_WITH_ID | ADDRESSED_BY_ID
        and not unavailabilities_of(extension, call.path, script.contexts)
        and not never_runs(extension, script, reference.span)
    ]
    if not uses:
        return
    first = next((each for each in uses if each.path in REQUIRES_ID), uses[0])
    other_uses = [each for each in uses if each != first]
    api = ".".join(first.path)
    message = f"{quoted(api)} requires an add-on id, which the manifest is missing"
    if first.path in CHANGES_WITH_ID:
        message = (
            f"{quoted(api)} gives another address whenever the add-on is loaded, "
            "as the manifest has no add-on id"
        )
    if first.path in ADDRESSED_BY_ID:
        message = (
            f"other add-ons cannot know the id that {quoted(api)} requires them to use:"
            " it changes whenever the add-on is loaded, as the manifest has none"
        )
    yield RULE.at(
        first.file,
        first.span,
        message,
        api=api,
        help=f'add an id of your own to {extension.manifest_source}: "browser_specific_settings": '
        '{"gecko": {"id": "name@example.com"}}',
        related=tuple(
            Related(each.file, each.span, f"{quoted('.'.join(each.path))} requires it too")
            for each in other_uses[:MAX_PLACES]
        ),
    )
