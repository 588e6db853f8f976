"""Finds menu items that are created again each time the background starts.

## What it does

Under `--target chrome` and `--target firefox`, looks for calls of `contextMenus.create` and `menus.create`
with a constant `id` that a service worker, or a background page that is not persistent, makes each time it
starts. It also reports a second call with the same id in one run. Nothing is reported if the package removes
the items before, or if a callback reads `runtime.lastError`.

## Why is this bad

The browser ends the background when nothing happens, starts it again for the next event, and keeps the menu
meanwhile. From the second start on Chrome says "Unchecked runtime.lastError: Cannot create item with
duplicate id save", and Firefox "The menu id save already exists in menus.create."; the item stays as it was
made the first time.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["contextMenus", "storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.contextMenus.create({ id: "save", title: "Save for later", contexts: ["link"] });

chrome.contextMenus.onClicked.addListener((info) => {
  chrome.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## Use instead

Create the menu when the extension is installed or updated:

```json manifest.json
{
  "manifest_version": 3,
  "name": "Save for later",
  "version": "1.0",
  "permissions": ["contextMenus", "storage"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: "save", title: "Save for later", contexts: ["link"] });
});

chrome.contextMenus.onClicked.addListener((info) => {
  chrome.storage.local.set({ [info.linkUrl]: Date.now() });
});
```

## References

* What Chromium 156 and Firefox 153 say when a background creates its menu again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from extlint.analysis.facts.occasions import MENU_NAMESPACES, Occasion, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.analysis.facts.values import FunctionValue, Kind, Literal, ObjectValue, Value, options_of
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.availability.unguarded_references import call_to, unguarded_references
from extlint.checks.reachability.occasions import (
    background_name,
    is_ended_when_idle,
    occasions_of,
    runs_in_background,
)
from extlint.extension import Extension, Script
from extlint.finding import Finding, Related
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.schema.targets.request import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["duplicate-menu"]

_REMOVAL_NAMES = frozenset({"remove", "removeAll"})
_SUSPEND_EVENT = ("runtime", "onSuspend")
_ERROR = "lastError"


class _Creation(Struct, frozen=True):
    """A call that creates menu items with known ids."""

    api: str
    reference: Reference
    ids: tuple[str, ...]
    occasions: frozenset[Occasion]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the calls of each script, and one for each that repeats another."""
    created = _creations(extension)
    if not created:
        return
    removals = [*_removals(extension)]
    engine = engine_of(extension.target.name)
    is_menu_persistent = is_ended_when_idle(extension.manifest, engine) and not any(removals)
    for script, creations in created:
        repeated = {} if removals else dict(_repeated_creations(creations))
        for each in creations:
            first = repeated.get(each.reference.span)
            if first is not None:
                yield _repeat_finding(script, each, first)
        if is_menu_persistent and runs_in_background(script, engine):
            firsts = (each for each in creations if each.reference.span not in repeated)
            again = [*filter(_is_created_at_start, firsts)]
            if again:
                yield _recreation_finding(script, again)


def _creations(extension: Extension) -> list[tuple[Script, list[_Creation]]]:
    """Returns the scripts that create items with known ids, each with its calls in source order."""
    found: dict[tuple[str, int], tuple[Script, list[_Creation]]] = {}
    for script, reference in unguarded_references(extension, FailureHandling.INSPECTED):
        path = reference.path
        call = call_to(extension, script, reference) if _is_menu_member(path, {"create"}) else None
        if call is None or script.facts.dynamic_accesses or _handles_error(script, call):
            continue
        ids = _ids(call)
        is_there = schema_path_of(extension, path) is not None
        if ids and is_there and not unavailabilities_of(extension, path, script.contexts):
            creation = _Creation(".".join(path), reference, ids, occasions_of(extension, script, call))
            found.setdefault((script.path, script.base), (script, []))[1].append(creation)
    return [*found.values()]


def _is_menu_member(path: ApiPath, names: Iterable[str]) -> bool:
    return len(path) == 2 and path[0] in MENU_NAMESPACES and path[1] in names


def _ids(call: CallSite) -> tuple[str, ...]:
    """Returns the ids of the items that a call creates, in order.

    Returns an empty tuple if they are not all known.
    """
    found: list[str] = []
    for option in options_of(call.arguments[0]) if call.arguments else ():
        field = option.fields.get("id") if isinstance(option, ObjectValue) else None
        for each in (None,) if field is None else options_of(field.value):
            if not isinstance(each, Literal) or not isinstance(each.value, str):
                return ()
            found.append(each.value)
    return tuple(dict.fromkeys(found))


def _handles_error(script: Script, call: CallSite) -> bool:
    """Whether a call has a callback that may read the error."""
    if call.open:
        return True
    return len(call.arguments) > 1 and not all(
        _is_absent(each) or (isinstance(each, FunctionValue) and _ERROR.encode() not in script.index.text)
        for each in options_of(call.arguments[1])
    )


def _is_absent(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED}


def _removals(extension: Extension) -> Iterator[bool]:
    """Yields, for each removal of items in the package, whether it may precede their creation at a start."""
    if words_of(extension).has_unresolved("removeAll"):
        yield True
    for script in extension.scripts:
        facts = script.facts
        for reference in facts.references:
            if _is_menu_member(reference.path, _REMOVAL_NAMES):
                call = call_to(extension, script, reference)
                yield call is None or any(map(_may_be_start, occasions_of(extension, script, call)))
        for choice in facts.ambiguous_references:
            if any(_is_menu_member(each.path, _REMOVAL_NAMES) for each in choice.references):
                yield True


def _may_be_start(occasion: Occasion) -> bool:
    """Whether an occasion may be the start of the background, or its end."""
    is_other_event = occasion.origin is Origin.EVENT and occasion.event != _SUSPEND_EVENT
    return not is_other_event and occasion.origin is not Origin.PLATFORM


def _is_created_at_start(creation: _Creation) -> bool:
    return any(each.origin is Origin.LOAD and each.certain for each in creation.occasions)


def _repeated_creations(creations: Iterable[_Creation]) -> Iterator[tuple[ByteSpan, _Creation]]:
    """Yields the calls that create an item created earlier in the same run, each with the earlier call."""
    first_creations: dict[tuple[str, Origin, ApiPath], _Creation] = {}
    for creation in creations:
        if len(creation.ids) > 1:
            continue
        runs = [
            (creation.ids[0], each.origin, each.event)
            for each in creation.occasions
            if each.certain and each.origin in {Origin.EVENT, Origin.LOAD}
        ]
        first = next((first_creations[each] for each in runs if each in first_creations), None)
        if first is not None:
            yield creation.reference.span, first
        for each in runs:
            first_creations.setdefault(each, creation)


def _repeat_finding(script: Script, creation: _Creation, first: _Creation) -> Finding:
    name = quoted(creation.ids[0])
    return RULE.at(
        script.path,
        script.span(creation.reference.span),
        f"{quoted(creation.api)} fails: there is already an item with the id {name}",
        api=creation.api,
        help="give each item an id of its own",
        related=(Related(script.path, script.span(first.reference.span), "it is created here"),),
    )


def _recreation_finding(script: Script, creations: list[_Creation]) -> Finding:
    first, *others = creations
    name = quoted(first.ids[0])
    start, end = (
        f"{quoted(first.api)} fails each time the",
        "starts again: there is already an item with the id",
    )
    return RULE.at(
        script.path,
        script.span(first.reference.span),
        f"{start} {background_name(script)} {end} {name}",
        api=first.api,
        help="create the menu in a listener of `runtime.onInstalled`",
        general=f"{start} background {end} {name}",
        related=tuple(
            Related(script.path, script.span(each.reference.span), "so does this call") for each in others
        ),
    )
