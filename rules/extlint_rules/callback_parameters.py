"""Finds callbacks, listeners and injected functions that use more parameters than the API passes to them.

## What it does

Counts the parameters of functions that are passed as the callback of an asynchronous function or as the
listener of an event, and reports the first one that the API never passes and that the function reads. The
function that `scripting.executeScript` injects gets only the items of `args`.
Parameters that are not read, that have a default value, that the function reads only with an alternative
(`?.`, `??`), or to which it assigns a value are not reported. Functions that use `arguments`, that other code
calls with more arguments, or that are not known are ignored.

## Why is this bad

The parameter is always `undefined`, so the code that reads it does not do what it seems to do. The error is
in `runtime.lastError`, which Chrome prints as "Unchecked runtime.lastError" if no code reads it.

## Example

```js background.js
chrome.tabs.create({ url: "https://example.com/" }, (tab, error) => {
  if (error) console.error(error);
});
```

## Use instead

```js background.js
chrome.tabs.create({ url: "https://example.com/" }, (tab) => {
  if (chrome.runtime.lastError) console.error(chrome.runtime.lastError.message);
});
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.script_facts import INJECTION
from extlint.analysis.facts.values import ArrayValue, FunctionValue, ObjectValue, Value
from extlint.checks.calls.calls import CheckedCall, check_call, checked_calls
from extlint.checks.calls.types import matching_environment
from extlint.checks.other_browsers import is_for_another_build
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.matching.bases import accepted_bases
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event, Function
from extlint.schema.types import Parameter
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted


def first_surplus_parameter(function: FunctionValue, passed: int) -> ByteSpan | None:
    """Returns the first parameter that a callback reads and the API never passes, or None.

    `passed` is the number of arguments that the API passes. Returns None as well if this is unknown: the
    parameters are unknown, or the function may read `arguments` or has a rest parameter. A class cannot be
    called, and is not checked.
    """
    if function.parameters is None or function.is_class or function.has_rest or function.uses_arguments:
        return None
    return next((each for each in function.parameters[passed:] if each in function.read), None)


RULE = RULES["callback-parameters"]


class _Passing(Struct, frozen=True):
    """A function that browsers call, the number of arguments that they pass, and how a message says so."""

    function: FunctionValue
    count: int
    what: str
    where: str


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each such function, at the first surplus parameter that it reads."""
    for checked in checked_calls(extension, *script.location):
        for source in _SOURCES:
            passing = source(extension, checked)
            surplus = _surplus_parameter(passing)
            is_passed = partial(_is_passed, checked=checked, source=source)
            if passing is None or surplus is None:
                continue
            if not is_for_another_build(extension, checked.guards, is_passed):
                yield RULE.at(
                    *checked.script.place(surplus),
                    f"{quoted(checked.api)} passes {passing.what} to {passing.where}; "
                    "this parameter is always undefined",
                    api=checked.api,
                    general=f"{quoted(checked.api)} never passes this parameter to {passing.where}",
                )


def _surplus_parameter(passing: _Passing | None) -> ByteSpan | None:
    """Returns the span of the first parameter that is read but never passed, or None."""
    return None if passing is None else first_surplus_parameter(passing.function, passing.count)


def _is_passed(extension: Extension, checked: CheckedCall, source: _Source) -> bool:
    """Whether another browser accepts the same call, and passes all parameters that are read."""
    there = check_call(extension, checked.script, checked.call)
    if there is None or there.problems:
        return False
    passing = source(extension, there)
    return passing is not None and _surplus_parameter(passing) is None


def _passed_on(extension: Extension, checked: CheckedCall) -> _Passing | None:
    """Returns the callback or the listener in a call, if it is known what is passed to it."""
    is_event = isinstance(checked.member, Event)
    function, passed = _listener(checked) if is_event else _callback(checked, matching_environment(extension))
    if not isinstance(function, FunctionValue) or passed is None:
        return None
    count = _max_passed(extension, passed, is_event)
    return _Passing(function, count, _passed_phrase(passed), "its listeners" if is_event else "its callback")


def _injected(_: Extension, checked: CheckedCall) -> _Passing | None:
    """Returns the function that a call injects into pages, which gets the items of `args`."""
    options = checked.call.arguments[0] if checked.call.arguments else None
    if checked.call.path != INJECTION or not isinstance(options, ObjectValue) or options.open:
        return None
    function, args = options.fields.get("func"), options.fields.get("args")
    if function is None or function.maybe_absent or not isinstance(function.value, FunctionValue):
        return None
    if args is None:
        return _Passing(function.value, 0, f"nothing without {quoted('args')}", quoted("func"))
    if args.maybe_absent or not isinstance(args.value, ArrayValue) or args.value.open:
        return None
    count = len(args.value.items)
    what = f"only the {count} items of" if count > 1 else "only the item of" if count else "nothing from"
    return _Passing(function.value, count, f"{what} {quoted('args')}", quoted("func"))


_Source: TypeAlias = Callable[[Extension, CheckedCall], _Passing | None]

_SOURCES: tuple[_Source, ...] = (_passed_on, _injected)
"""The ways in which a call gives browsers a function that they call."""


def _max_passed(extension: Extension, passed: Sequence[Parameter], is_event: bool) -> int:
    """Returns the maximum number of arguments passed to the function.

    Firefox passes the result of a function to its callback even if its schema does not declare one
    (`permissions.remove`, ExtensionChild.sys.mjs).
    """
    has_undeclared_result = not passed and not is_event and extension.schemas.engine is Engine.GECKO
    return 1 if has_undeclared_result else len(passed)


def _listener(checked: CheckedCall) -> tuple[Value | None, Sequence[Parameter] | None]:
    """Returns the function that a call adds to an event, and the parameters that the event passes to it."""
    call, member = checked.call, checked.member
    if not isinstance(member, Event) or call.path[-1] != "addListener" or not call.arguments:
        return None, None
    return call.arguments[0], member.listener


def _callback(checked: CheckedCall, env: Environment) -> tuple[Value | None, Sequence[Parameter] | None]:
    """Returns the last argument, if it is certainly the callback, and the parameters passed to it."""
    call, member = checked.call, checked.member
    if not isinstance(member, Function) or member.callback is None or call.open or not call.arguments:
        return None, None
    other_parameters = member.parameters[:-1]
    if len(call.arguments) != len(member.parameters) and any(
        _accepts_function(each, env) for each in other_parameters
    ):
        return None, None
    return call.arguments[-1], member.result


def _accepts_function(parameter: Parameter, env: Environment) -> bool:
    bases = accepted_bases(parameter.type, env)
    return bases is None or "function" in bases


def _passed_phrase(passed: Sequence[Parameter]) -> str:
    names = listed([quoted(each.name) for each in passed], "and") if passed else ""
    return f"only {names}" if passed else "nothing"
