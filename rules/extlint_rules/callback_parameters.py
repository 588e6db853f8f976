"""Finds callbacks and listeners that use more parameters than the API passes to them.

## What it does

Counts the parameters of functions that are passed as the callback of an asynchronous function or as
the listener of an event, and reports the first that the API never fills and that the function reads.
A parameter that stands there and is not read does no harm; neither does one that has a default, or that the
function puts something else into. Functions that use `arguments`, functions that other code calls with more
arguments, and functions that are not known are left alone.

## Why is this bad

Such a parameter is always `undefined`. The code that reads it does not do what it seems to do.

## Example

```js background.js
browser.management.getSelf((self, error) => {
  if (error) console.error(error);
});
```

## Use instead

```js background.js
browser.management.getSelf((self) => {
  if (browser.runtime.lastError) console.error(browser.runtime.lastError);
});
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.judgment.calls import JudgedCall, environment, judged_calls
from extlint.matching.bases import accepted
from extlint.matching.callback import surplus_parameters
from extlint.matching.environment import Environment
from extlint.rule import Rule
from extlint.schema.model import Event
from extlint.schema.types import Parameter
from extlint.values import FunctionValue, Value
from extlint.wording import listed, quoted

RULE = Rule("callback-parameters", Severity.WARNING, about_uses=True)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such function, at the first surplus parameter that it reads."""
    env = environment(extension)
    for judged in judged_calls(extension):
        is_event = isinstance(judged.member, Event)
        function, passed = _listener(judged) if is_event else _callback(judged, env)
        if isinstance(function, FunctionValue) and passed is not None:
            surplus = surplus_parameters(function, _most_passed(extension, passed, is_event))
            if surplus is not None:
                yield RULE.at(
                    judged.script.path,
                    judged.script.span(surplus),
                    f"{quoted(judged.api)} passes {_phrase(passed)} to its {_noun(is_event)}; "
                    "this parameter is never given",
                    api=judged.api,
                    general=f"{quoted(judged.api)} never gives this parameter to its {_noun(is_event)}",
                )


def _most_passed(extension: Extension, passed: Sequence[Parameter], is_event: bool) -> int:
    """How many arguments the function gets at most.

    Firefox hands the result of a function to its callback, whether its schema tells of one or not
    (`permissions.remove`, ExtensionChild.sys.mjs).
    """
    tells_nothing = not passed and not is_event and extension.schemas.browser == "firefox"
    return 1 if tells_nothing else len(passed)


def _listener(judged: JudgedCall) -> tuple[Value | None, Sequence[Parameter] | None]:
    """The function that a call adds to an event, and what the event passes to it."""
    call, member = judged.call, judged.member
    if not isinstance(member, Event) or call.path[-1] != "addListener" or not call.arguments:
        return None, None
    return call.arguments[0], member.listener


def _callback(judged: JudgedCall, env: Environment) -> tuple[Value | None, Sequence[Parameter] | None]:
    """The last argument, if it is certainly for the callback, and what that is passed."""
    call, member = judged.call, judged.member
    if isinstance(member, Event) or member.callback is None or call.open or not call.arguments:
        return None, None
    others = member.parameters[:-1]
    if len(call.arguments) != len(member.parameters) and any(_takes_function(each, env) for each in others):
        return None, None
    return call.arguments[-1], member.result


def _takes_function(parameter: Parameter, env: Environment) -> bool:
    bases = accepted(parameter.type, env)
    return bases is None or "function" in bases


def _phrase(passed: Sequence[Parameter]) -> str:
    names = listed([quoted(each.name) for each in passed], "and") if passed else ""
    return f"only {names}" if passed else "nothing"


def _noun(is_event: bool) -> str:
    return "listeners" if is_event else "callback"
