"""Finds callbacks and listeners that use more parameters than the API passes to them.

## What it does

Counts the parameters of functions that are passed as the callback of an asynchronous function or as the
listener of an event, and reports the first one that the API never passes and that the function reads.
Parameters that are not read, that have a default value, or to which the function assigns a value are not
reported. Functions that use `arguments`, that other code calls with more arguments, or that are not known
are ignored.

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

from collections.abc import Iterator, Sequence
from functools import partial

from extlint.analysis.facts.values import FunctionValue, Value
from extlint.checks.calls.calls import CheckedCall, check_call, checked_calls
from extlint.checks.calls.environment import matching_environment
from extlint.checks.portability.other_browsers import is_for_another_build
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.matching.bases import accepted_bases
from extlint.schema.matching.callback import first_surplus_parameter
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event
from extlint.schema.types import Parameter
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted

RULE = RULES["callback-parameters"]


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each such function, at the first surplus parameter that it reads."""
    for checked in checked_calls(extension, *script.location):
        found = _function_and_parameters(extension, checked)
        surplus = None if found is None else _first_surplus_parameter(extension, checked, *found)
        passes_all = partial(_passes_all, checked=checked)
        if found is None or surplus is None or is_for_another_build(extension, checked.guards, passes_all):
            continue
        noun = "listeners" if isinstance(checked.member, Event) else "callback"
        yield RULE.at(
            checked.script.path,
            checked.script.span(surplus),
            f"{quoted(checked.api)} passes {_passed_phrase(found[1])} to its {noun}; "
            "this parameter is always undefined",
            api=checked.api,
            general=f"{quoted(checked.api)} never passes this parameter to its {noun}",
        )


def _function_and_parameters(
    extension: Extension, checked: CheckedCall
) -> tuple[FunctionValue, Sequence[Parameter]] | None:
    """Returns the callback or listener in a call, and the parameters passed to it, or None if unknown."""
    is_event = isinstance(checked.member, Event)
    function, passed = _listener(checked) if is_event else _callback(checked, matching_environment(extension))
    return (function, passed) if isinstance(function, FunctionValue) and passed is not None else None


def _first_surplus_parameter(
    extension: Extension, checked: CheckedCall, function: FunctionValue, passed: Sequence[Parameter]
) -> ByteSpan | None:
    """Returns the span of the first parameter that is read but never passed, or None."""
    is_event = isinstance(checked.member, Event)
    return first_surplus_parameter(function, _max_passed(extension, passed, is_event))


def _passes_all(extension: Extension, checked: CheckedCall) -> bool:
    """Whether another browser accepts the same call, and passes all parameters that are read."""
    there = check_call(extension, checked.script, checked.call)
    if there is None or there.problems:
        return False
    found = _function_and_parameters(extension, there)
    return found is not None and _first_surplus_parameter(extension, there, *found) is None


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
    if isinstance(member, Event) or member.callback is None or call.open or not call.arguments:
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
