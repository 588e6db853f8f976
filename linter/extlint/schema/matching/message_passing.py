"""Checks calls that send messages, whose arguments browsers assign before they check them.

`runtime.sendMessage` takes a message between an optional extension and optional options. The values decide
which argument is which, differently in each browser. Verified in Chromium 156 and Firefox 153.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Typed, Union, Value
from extlint.schema.matching.bases import ABSENT, bases
from extlint.schema.matching.call import CallProblem, judge_call
from extlint.schema.matching.environment import Environment, Problem
from extlint.schema.matching.serialization import Copy, copy_problems
from extlint.schema.model import Function
from extlint.schema.types import Parameter
from extlint.schema.words.values import described_value
from extlint.text.patterns import lazy

ID, MESSAGE, OPTIONS, CALLBACK = "extensionId", "message", "options", "callback"

_EXTENSION_ID = lazy("[a-pA-P]{32}|")
_FIRST_OF_TWO = (
    "with two arguments, the first is the extension id, "
    "unless the second is null, undefined or an empty object"
)
_OMITTED = Literal(Kind.NULL)


class SendCall(Struct, frozen=True):
    """A call that sends something, in one possible interpretation of its arguments."""

    extension: Value = _OMITTED
    message: Value | None = None
    options: Value = _OMITTED
    callback: Value = _OMITTED
    rest: tuple[Value, ...] = ()


Parameters: TypeAlias = tuple[Parameter, ...]
Values: TypeAlias = tuple[Value, ...]
Problems: TypeAlias = tuple[CallProblem, ...]


def judge_function_call(
    api: str, name: str, function: Function, arguments: Values, is_open: bool, env: Environment
) -> Problems:
    """Returns the certain mistakes in the arguments of a call of the function `api`, written `name`.

    With `is_open`, any number of unknown arguments follows.
    """
    judge = None if is_open else JUDGES.get(api)
    if judge is not None:
        return judge(name, function.parameters, arguments, env)
    return judge_call(name, function.parameters, arguments, is_open, env, ambiguous=function.ambiguous)


def _to_extension(name: str, parameters: Parameters, arguments: Values, env: Environment) -> Problems:
    """Checks `runtime.sendMessage` and `extension.sendRequest`, which has no options."""
    if not arguments or len(arguments) > len(parameters):
        return judge_call(name, parameters, arguments, False, env)
    ways = (
        _interpretations_in_firefox(arguments, env)
        if env.is_gecko
        else _interpretations_in_chromium(arguments, len(parameters) == 4, env)
    )
    first: Problems = ()
    for way in ways:
        if env.is_gecko:
            found = tuple(_problems_in_firefox(way, arguments, env))
        else:
            found = tuple(_problems_in_chromium(way, name, parameters, arguments, env))
        if not found:
            return ()
        first = first or found
    return first


def _without_callback(arguments: Values, env: Environment) -> Iterator[tuple[Values, Value]]:
    """Yields the possible splits of the arguments into those before the callback, and the callback."""
    for is_callback in _possible_results(bases(arguments[-1], env), frozenset({"function"})):
        yield (arguments[:-1], arguments[-1]) if is_callback else (arguments, _OMITTED)


def _interpretations_in_chromium(
    arguments: Values, has_options: bool, env: Environment
) -> Iterator[SendCall]:
    """Yields the interpretations of the arguments that are possible in Chromium."""
    for remaining, callback in _without_callback(arguments, env):
        match remaining:
            case ():
                yield SendCall(callback=callback)
            case (message,):
                yield SendCall(message=message, callback=callback)
            case (one, other):
                for is_id in _possible_results(bases(one, env), ABSENT | {"string"}):
                    if is_id or not has_options:
                        yield SendCall(one, other, callback=callback)
                    else:
                        yield SendCall(message=one, options=other, callback=callback)
            case (extension, message, options) if has_options:
                yield SendCall(extension, message, options, callback)
            case _:
                yield SendCall(rest=arguments)


def _problems_in_chromium(
    way: SendCall, name: str, parameters: Parameters, arguments: Values, env: Environment
) -> Iterator[CallProblem]:
    if way.rest:
        yield from judge_call(name, parameters, way.rest, False, env)
        return
    if way.message is None:
        yield from copy_problems(Copy.MESSAGE, arguments[-1], env)
        return
    options = (way.options,) * (len(parameters) - 3)
    ordered = (way.extension, _OMITTED, *options, way.callback)
    found = judge_call(name, parameters, ordered, False, env) or tuple(_invalid_extension_id(way.extension))
    yield from found or copy_problems(Copy.MESSAGE, way.message, env)


def _interpretations_in_firefox(arguments: Values, env: Environment) -> Iterator[SendCall]:
    for remaining, callback in _without_callback(arguments, env):
        match remaining:
            case ():
                yield SendCall(callback=callback)
            case (message,):
                yield SendCall(message=message, callback=callback)
            case (one, other):
                empty = _is_empty(other, env)
                if empty is not False:
                    yield SendCall(message=one, options=other, callback=callback)
                if empty is not True:
                    yield SendCall(one, other, callback=callback)
            case (extension, message, options, *rest):
                yield SendCall(extension, message, options, callback, tuple(rest))


def _problems_in_firefox(way: SendCall, arguments: Values, env: Environment) -> Iterator[CallProblem]:
    """Yields the problems in Firefox, which no longer has options and requires an empty object."""
    if way.message is None:
        yield from copy_problems(Copy.MESSAGE, arguments[-1], env)
        return
    if _is_empty(way.options, env) is False:
        yield _refused(OPTIONS, way.options, "an empty object")
    elif not bases(way.extension, env) & (ABSENT | {"string"}) and not _may_be_falsy(way.extension):
        is_message = way.options is _OMITTED
        yield _refused(ID, way.extension, "a string", _FIRST_OF_TWO if is_message else None)
    elif way.rest and not bases(way.rest[0], env) & (ABSENT | {"function"}):
        yield _refused(CALLBACK, way.rest[0], "a function")
    else:
        yield from copy_problems(Copy.MESSAGE, way.message, env)


def _to_tab(name: str, parameters: Parameters, arguments: Values, env: Environment) -> Problems:
    """Checks `tabs.sendMessage`: the tab, the message, and the optional arguments."""
    sent = arguments[1:2]
    plain = (*arguments[:1], *(Literal(Kind.NULL, None, each.span) for each in sent), *arguments[2:])
    found = judge_call(name, parameters, plain, False, env)
    return found or tuple(copy_problems(Copy.MESSAGE, sent[0], env))


def _to_port(name: str, parameters: Parameters, arguments: Values, env: Environment) -> Problems:
    """Checks `runtime.connect`: the extension, and the name of the port."""
    found = judge_call(name, parameters, arguments, False, env)
    return found or tuple(() if env.is_gecko else _invalid_extension_id(*arguments[:1]))


def _invalid_extension_id(*extension: Value) -> Iterator[CallProblem]:
    """Yields a problem for an extension that is not a valid extension id in Chromium."""
    for each in extension:
        text = each.value if isinstance(each, Literal) else None
        if isinstance(text, str) and not _EXTENSION_ID.fullmatch(text):
            yield _refused(ID, each, "an extension id, which is 32 letters from a to p")


def _refused(name: str, value: Value, expected: str, tip: str | None = None) -> CallProblem:
    message = f"`{name}` must be {expected}, not {described_value(value)}"
    return CallProblem("invalid-argument", value.span, message, _refusal(value), tip)


def _refusal(value: Value) -> str:
    return Problem(value.span, "value", found=described_value(value)).refusal


def _possible_results(possible: frozenset[str], expected: frozenset[str]) -> Iterator[bool]:
    """Yields True if a value of these kinds may be of a wanted one, and False if it may be of another."""
    if possible & expected:
        yield True
    if possible - expected:
        yield False


def _is_empty(value: Value, env: Environment) -> bool | None:
    """Whether a value is null, undefined or an object without keys, or None if unknown."""
    found = bases(value, env)
    if found <= ABSENT:
        return True
    if not found & (ABSENT | {"object", "array", "binary"}):
        return False
    if isinstance(value, ObjectValue):
        if any(not each.maybe_absent for each in value.fields.values()):
            return False
        return None if value.fields or value.open else True
    if isinstance(value, ArrayValue):
        return False if value.items else None if value.open else True
    return None


def _may_be_falsy(value: Value) -> bool:
    """Whether a value may be falsy."""
    if isinstance(value, Literal):
        return not value.value or value.value != value.value
    return isinstance(value, Typed | Union)


REORDERED_FUNCTIONS = ("runtime.sendMessage", "extension.sendRequest")
"""The functions whose arguments are reordered first."""

JUDGES: Mapping[str, Callable[[str, Parameters, Values, Environment], Problems]] = {
    **dict.fromkeys(REORDERED_FUNCTIONS, _to_extension),
    "tabs.sendMessage": _to_tab,
    "tabs.sendRequest": _to_tab,
    "runtime.connect": _to_port,
}
"""The checks for calls of functions that pass messages."""
