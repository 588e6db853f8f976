"""Finds promises that are used where the value in them was meant.

## What it does

Under `--target firefox` and `--target chrome`, checks how a script uses the result of functions that return
a promise, such as `tabs.query` and `storage.local.get`. It reports properties that no promise has, loops over
a promise, conditions that are a promise, and comparisons of one with a string, a number or a boolean. Nothing
is reported where the script tests for the property or for a promise, and for `chrome` in Manifest V2, whose
functions return nothing. The same holds for `async` functions that the script declares, if it uses the API,
and properties of what `fetch` and the methods of its response (`response.json()`) return.

## Why is this bad

The property is always undefined: `browser.tabs.query({}).length` is not the number of tabs, and a method
fails with "browser.tabs.query(...).forEach is not a function". Destructuring (`const [tab] = ...`) fails with
"is not iterable". A promise is always true as a condition: `if (browser.permissions.contains(...))`.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {},
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.tabs.onCreated.addListener(async () => {
  const tabs = browser.tabs.query({});
  await browser.action.setBadgeText({ text: String(tabs.length) });
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Tab counter",
  "version": "1.0",
  "action": {},
  "background": {"scripts": ["background.js"]}
}
```

```js background.js
browser.tabs.onCreated.addListener(async () => {
  const tabs = await browser.tabs.query({});
  await browser.action.setBadgeText({ text: String(tabs.length) });
});
```

`--fix --unsafe-fixes` adds `await`, and `async` to a function that only browsers call, or code that ignores
the result or awaits it. It changes neither listeners whose results count, such as those of messages and
blocked requests, nor functions with later code that has to run at once, such as `event.preventDefault()`.
Outside of functions it adds `await` only in modules of pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, ContextKind
from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.facts.values import (
    OBJECT_MEMBERS,
    ApiResult,
    Delivery,
    FunctionValue,
    Kind,
    Literal,
    Typed,
    Value,
    options_of,
)
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import function_at
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted

RULE = RULES["missing-await"]

_PROMISE_MEMBERS = OBJECT_MEMBERS | PROMISE_METHODS
_OPERATOR_LENGTH = 3
"""The maximum number of characters between a call and a property of its result: `?.[`."""

_PRIMITIVE = frozenset({Kind.BIGINT, Kind.BOOLEAN, Kind.NUMBER, Kind.STRING})
_WAITING = frozenset({ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN})
"""The contexts whose modules may wait at their top level."""

_ENGINES = frozenset({Engine.GECKO, Engine.CHROMIUM})
_FAILING_IN_CHROMIUM = ("runtime", "getBackgroundPage")
"""The function whose promise Chromium always rejects, which `missing-background-page` reports."""

Mistake: TypeAlias = tuple[ByteSpan, ApiResult, Guards, str]
"""The span of the mistake, the result that is a promise, the guards before it, and the message."""

_ALWAYS_TRUE = "is always true"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such property, at its name, and for each comparison, at the other value."""
    if engine_of(extension.target.name) in _ENGINES:
        yield from _findings(extension)


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    engine = engine_of(extension.target.name)
    yield from _findings_about_own_functions(extension, script)
    mistakes = (*_reads(extension, script), *_comparisons(extension, script), *_conditions(extension, script))
    for span, of, guards, what in mistakes:
        if is_unreachable(extension, script, guards) or _gets_callback(extension, script, of, span):
            continue
        if engine is Engine.CHROMIUM and of.path == _FAILING_IN_CHROMIUM:
            continue
        if not unavailabilities_of(extension, of.path, script.contexts):
            api = ".".join(of.path)
            yield RULE.at(
                *script.place(span),
                f"{quoted(api)} returns a promise, which {what}",
                api=api,
                help="`await` it first",
                fix=_fix(extension, script, span),
            )


def _findings_about_own_functions(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields the findings about promises of asynchronous functions that the script declares."""
    for each in script.facts.unawaited if script.contexts else ():
        if each.of is not None or each.member in OBJECT_MEMBERS:
            continue
        if not is_unreachable(extension, script, each.guards):
            what = _ALWAYS_TRUE if each.member is None else f"has no {_property(each.member)}"
            yield RULE.at(
                *script.place(each.span),
                f"{quoted(each.function)} returns a promise, which {what}",
                help="`await` it first",
            )


def _fix(extension: Extension, script: Script, span: ByteSpan) -> Fix | None:
    from extlint.manifest.edits.script_fixes import fix_by_edits

    edits = extension.searches.edits_awaiting(
        script,
        span,
        at_top_level=_may_wait_at_top_level(script),
        before_listeners=BACKGROUND_CONTEXTS.isdisjoint(each.kind for each in script.contexts),
    )
    is_async_new = any(each.text == "async " for each in edits or ())
    message = "Add `await`, and make the function `async`" if is_async_new else "Add `await`"
    return fix_by_edits(script.path, script.index, script.base, edits, message)


def _may_wait_at_top_level(script: Script) -> bool:
    """Whether a script is only a module of pages: while a background waits, its events are lost."""
    return bool(script.contexts) and all(each.is_module and each.kind in _WAITING for each in script.contexts)


def _reads(extension: Extension, script: Script) -> Iterator[Mistake]:
    """Yields the reads of members that no promise has."""
    for read in script.facts.field_reads:
        is_tested = read.tested and not _is_storage_result(read.of)
        if read.name in _PROMISE_MEMBERS or is_tested or not _is_promise(extension, read.of):
            continue
        if not _is_tested(script, read.of):
            yield read.span, read.of, read.guards, f"has no {_property(read.name)}"


def _comparisons(extension: Extension, script: Script) -> Iterator[Mistake]:
    """Yields the comparisons with a primitive value, which no promise equals."""
    for each in script.facts.comparisons:
        values = options_of(each.with_)
        is_primitive = bool(values) and all(map(_is_primitive, values))
        if is_primitive and each.with_.span is not None and _is_promise(extension, each.of):
            yield each.with_.span, each.of, each.guards, "never equals a primitive value"


def _conditions(extension: Extension, script: Script) -> Iterator[Mistake]:
    """Yields the promises that are used as conditions, unless the script tests if there is one."""
    for each in script.facts.unawaited:
        if each.of is not None and _is_promise(extension, each.of) and not _is_tested(script, each.of):
            yield each.span, each.of, each.guards, _ALWAYS_TRUE


def _gets_callback(extension: Extension, script: Script, result: ApiResult, at: ByteSpan) -> bool:
    """Whether a result may be that of a call with a callback, which returns nothing."""
    function = function_at(extension, result.path)
    calls = [each for each in script.facts.calls if each.path == result.path]
    direct = [each for each in calls if each.span[1] <= at[0] <= each.span[1] + _OPERATOR_LENGTH]
    if function is None or function.callback is None:
        return False
    return bool(calls) and all(
        each.open
        or len(each.arguments) >= len(function.parameters)
        or isinstance(each.arguments[-1] if each.arguments else None, FunctionValue)
        for each in direct or calls
    )


def _is_primitive(value: Value) -> bool:
    """Whether a value is a string, a number or a boolean."""
    return isinstance(value, Literal | Typed) and value.kind in _PRIMITIVE


def _is_storage_result(result: ApiResult) -> bool:
    """Whether a result has the requested keys, and is tested for them and not for its kind."""
    return result.path[0] == "storage" and result.path[-1] == "get"


def _is_promise(extension: Extension, result: ApiResult) -> bool:
    """Whether a result is the return value of a call, and a promise."""
    if result.delivery is not Delivery.RETURN or result.steps:
        return False
    if result.root != "browser" and extension.manifest_version != 3:
        return False
    function = function_at(extension, result.path)
    return function is not None and function.async_ is not None


def _property(name: str) -> str:
    return "items" if name.isdigit() else quoted(name)


def _is_tested(script: Script, result: ApiResult) -> bool:
    """Whether the script tests if the same function returns a promise at all."""
    return any(
        each.name in PROMISE_METHODS and each.of.path == result.path for each in script.facts.field_reads
    )
