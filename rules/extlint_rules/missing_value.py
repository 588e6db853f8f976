"""Finds values that may be missing and are used as if they were there.

## What it does

Looks at variables without a first value that only callbacks of the API, or functions for its promises, set.
The callbacks run later, so that the code after the call gets `undefined`. Reads of fields of the variable are
reported, and statements that return or store it. So are calls of functions that return nothing but in such a
callback, if their values are used, and reads of the tab that `tabs.getCurrent` does not give to a background
or a popup.

Looks also at values of events. The `newValue` of a change in `storage.onChanged` is missing if the key
was removed: a read of its fields is reported if the package removes the key, or clears the only storage area
that it uses. The `tabId` of a request in `webRequest` is -1 if the request belongs to no tab: a call of
`tabs`, `action` or `scripting` with it is reported if the listener also gets requests other than those of
frames. The `url`, `title` and `favIconUrl` of a tab are missing without the permission `tabs`, unless a host
permission covers the page: reads of their parts, and `new URL(tab.url)`, are reported in listeners of
`tabs.onUpdated`, `tabs.onActivated` and the like, which get every tab, also those with pages of the browser.
Without `activeTab`, the same holds for clicks on the button and shortcuts.
If the manifest requests no hosts at all, `missing-permission` reports the field itself.
Nothing is reported under a condition that may exclude the case, and where the failure is handled.

## Why is this bad

A field of `undefined` fails with "TypeError: Cannot read properties of undefined", and the rest of the
listener does not run. Calls with the id -1 fail with "Value must be at least 0." in Chrome, and with "Integer
-1 is too small" in Firefox. Requests of service workers and of the browser belong to no tab.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => chrome.storage.local.remove("theme"));

chrome.storage.onChanged.addListener((changes) => {
  if (changes.theme) chrome.action.setBadgeText({ text: changes.theme.newValue.label });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Theme",
  "version": "1.0",
  "permissions": ["storage"],
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.action.onClicked.addListener(() => chrome.storage.local.remove("theme"));

chrome.storage.onChanged.addListener((changes) => {
  if (changes.theme) chrome.action.setBadgeText({ text: changes.theme.newValue?.label ?? "" });
});
```

## References

* The changes that Chromium 156 and Firefox 153 report, their answers to the id -1, and the fields of tabs
  that they show (`extlint_judge storage-changes`, `extlint_judge refused-calls` and
  `extlint_judge host-access`).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from extlint.analysis.facts.script_facts import ApiPath, FailureHandling, FieldRead
from extlint.analysis.facts.values import (
    ArrayValue,
    Delivery,
    FunctionValue,
    Literal,
    Value,
)
from extlint.checks.api.schema_path import function_at
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.calls.required_permissions import TABS
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.project.contexts.words import merged
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["missing-value"]

_RETURN = lazy(rb"(?<![\w$.])return[ \t]+[^;\s}]", needs=(b"return",))
_DECLARED = lazy(rb"(?:let|var)(?<![\w$.]...)[ \t]+([A-Za-z_$][\w$]*)[ \t]*[;\n]")
"""Matches declarations of one variable without a value."""

_ASSIGNED = lazy(rb"([A-Za-z_$][\w$]*)\s*=(?![=>])")
_MAX_BYTES_OF_CHAIN = 10_000
"""The bytes after the start of a call of the API that may belong to its callbacks."""

_AREAS = frozenset({"local", "session", "sync"})
_NEW = "newValue"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each read of such a value, and each call with one."""
    yield from _reads_of_removed(extension)
    yield from _calls_without_tab(extension)
    yield from _early_reads(extension)
    yield from _reads_of_absent_tab(extension)
    yield from _reads_in_other_tabs(extension)


@in_each_script
def _early_reads(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields a finding for each variable that is read before the callback that sets it can run."""
    if not script.contexts or not script.facts.calls:
        return
    text = script.index.text[script.base :]
    callbacks, variables = [*_returning_callbacks(extension, script, text)], [*_late_variables(script, text)]
    if not (callbacks or variables):
        return
    for read in extension.searches.early_reads(script, callbacks, variables):
        name, api = quoted(read.name), ".".join(read.api)
        message = f"{name} is still undefined here: only code that {quoted(api)} calls later sets it"
        if read.is_result:
            message = f"{name} returns nothing: what the callback of {quoted(api)} returns is lost"
        yield RULE.at(
            *script.place(read.span),
            message,
            api=api,
            help="use the value in the callback, or `await` the promise",
        )


@in_each_script
def _reads_of_absent_tab(extension: Extension, script: Script) -> Iterator[Finding]:
    if not any(read.of.path[-1] == "getCurrent" for read in script.facts.field_reads):
        return
    from extlint_rules.helpers.missing_tabs import reads_of_absent_tab

    for read in reads_of_absent_tab(extension, script):
        if not is_unreachable(extension, script, read.guards):
            yield RULE.at(
                *script.place(read.span),
                "`tabs.getCurrent` gives no tab here: a background or popup is in none",
                api="tabs.getCurrent",
                help="use `tabs.query({active: true, currentWindow: true})`",
            )


@in_each_script
def _reads_in_other_tabs(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields a finding for each use of a field of tabs that browsers hide in some of them."""
    if not script.facts.hidden_reads:
        return
    from extlint_rules.helpers.other_tabs import failing_reads, pages_without_fields

    for name, read in failing_reads(extension, script):
        yield RULE.at(
            *script.place(read.span),
            f"{quoted(name)} of tabs is undefined without the permission {quoted(TABS)} "
            f"{pages_without_fields(extension)}",
            api=".".join(read.of.path),
            help=f'test {quoted(name)} before, or add "{TABS}" to the permissions '
            f"in {extension.manifest_source}",
        )


def _late_variables(script: Script, text: bytes) -> Iterator[int]:
    """Yields the offsets of variables that are declared without a value, and assigned near a later call."""
    declared = [(found[1], found.start(1)) for found in _DECLARED.finditer(text)]
    if declared:
        starts = [call.span[0] for call in script.facts.calls]
        near = merged((start, start + _MAX_BYTES_OF_CHAIN) for start in starts)
        assigned = {name for span in near for name in _ASSIGNED.findall(text, *span)}
        yield from (at for name, at in declared if name in assigned and at < max(starts))


def _returning_callbacks(extension: Extension, script: Script, text: bytes) -> Iterator[ByteSpan]:
    """Yields the last arguments of calls that are callbacks with a `return` statement."""
    for call in script.facts.calls:
        last = call.arguments[-1] if call.arguments else None
        if not isinstance(last, FunctionValue) or last.span is None:
            continue
        if _RETURN.search(text, *last.span) is not None:
            function = function_at(extension, call.path)
            if function is not None and function.callback is not None:
                yield last.span


@in_each_script
def _reads_of_removed(extension: Extension, script: Script) -> Iterator[Finding]:
    for read in script.facts.field_reads:
        key = _changed_key(read)
        if key is None or is_unreachable(extension, script, read.guards):
            continue
        removal = _removal_of(extension, read.of.path, key)
        if removal is not None:
            yield RULE.at(
                *script.place(read.span),
                f"{quoted(_NEW)} is undefined if {quoted(key)} is removed, as {quoted(removal)} does",
                api=".".join(read.of.path),
                help=f"test {quoted(_NEW)} before",
            )


def _changed_key(read: FieldRead) -> str | None:
    """Returns the key whose new value has the field that is read as if the value existed."""
    of = read.of
    is_change = of.path[0] == "storage" and of.path[-1] == "onChanged" and of.delivery is Delivery.LISTENER
    if not is_change or of.index != 0 or len(of.steps) != 2 or of.steps[1] != _NEW:
        return None
    is_handled = read.guards.failure >= FailureHandling.REPORTED or read.guards.unknown
    return None if is_handled or read.tested or read.of_tested or read.replaced else of.steps[0]


def _removal_of(extension: Extension, event: ApiPath, key: str) -> str | None:
    """Returns the function by which the package certainly removes a key from the area of an event."""
    areas = {event[1]} & _AREAS if len(event) > 2 else _used_areas(extension)
    if len(areas) != 1:
        return None
    removals = _removals(extension)
    for area in areas:
        if key in removals.get(("storage", area, "remove"), ()):
            return f"storage.{area}.remove"
        if ("storage", area, "clear") in removals:
            return f"storage.{area}.clear"
    return None


@query(is_of_package=True)
def _used_areas(extension: Extension) -> AbstractSet[str]:
    """The areas of the storage that a package names."""
    return {
        reference.path[1]
        for script in extension.scripts
        for reference in script.facts.references
        if reference.path[0] == "storage" and reference.path[1:2] and reference.path[1] in _AREAS
    }


@query
def _removals(extension: Extension) -> dict[ApiPath, frozenset[str]]:
    """The keys that calls certainly remove, by function."""
    found: dict[ApiPath, frozenset[str]] = {}
    for _, _, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        if call.path[0] == "storage" and call.path[-1] in {"clear", "remove"}:
            keys = frozenset(_texts(call.arguments[0])) if call.arguments else frozenset[str]()
            found[call.path] = found.get(call.path, frozenset()) | keys
    return found


def _texts(value: Value) -> Iterator[str]:
    for each in value.items if isinstance(value, ArrayValue) else (value,):
        if isinstance(each, Literal) and isinstance(each.value, str):
            yield each.value


@in_each_script
def _calls_without_tab(extension: Extension, script: Script) -> Iterator[Finding]:
    if not any(call.path[0] == "webRequest" for call in script.facts.calls):
        return
    from extlint_rules.helpers.missing_tabs import calls_without_tab

    for call, tab in calls_without_tab(extension, script):
        api = ".".join(call.path)
        yield RULE.at(
            *script.place(tab.span or call.callee),
            f"`tabId` of {quoted('.'.join(tab.path))} is -1 for a request without a tab, "
            f"which {quoted(api)} refuses",
            api=api,
            help="test that `tabId` is not -1",
        )
