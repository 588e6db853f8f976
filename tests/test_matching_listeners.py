"""Listeners and callbacks: the arguments of event methods, and parameters that are always undefined."""

from __future__ import annotations

import pytest
from matching_values import FUNCTION, UNDEFINED, environment, js, parameters

from extlint.analysis.facts.values import UNKNOWN, FunctionValue, Value
from extlint.schema.engine import Engine
from extlint.schema.matching.call import judge_listener_call
from extlint.schema.model import Availability, Event
from extlint_rules.callback_parameters import first_surplus_parameter

PLAIN = Event("onMessage", Availability())
WITH_FILTER = Event("onFiltered", Availability(), extra=parameters({"type": "integer", "name": "filter"}))
WITH_OPTIONAL_FILTER = Event(
    "onFiltered", Availability(), extra=parameters({"type": "integer", "name": "filter", "optional": True})
)

VALID: list[tuple[str, Event, str, list[object]]] = [
    ("a listener", PLAIN, "addListener", [FUNCTION]),
    ("something as a listener", PLAIN, "addListener", [UNKNOWN]),
    ("an unknown number of arguments", PLAIN, "addListener", [...]),
    ("a listener to remove", PLAIN, "removeListener", [FUNCTION]),
    ("more than the listener to remove", PLAIN, "removeListener", [FUNCTION, 1]),
    ("a listener to ask for", PLAIN, "hasListener", [FUNCTION]),
    ("nothing to ask for", PLAIN, "hasListeners", []),
    ("a listener and its filter", WITH_FILTER, "addListener", [FUNCTION, 1]),
    ("no filter to remove it by", WITH_FILTER, "removeListener", [FUNCTION]),
    ("no filter where none is needed", WITH_OPTIONAL_FILTER, "addListener", [FUNCTION]),
    ("undefined for an optional filter", WITH_OPTIONAL_FILTER, "addListener", [FUNCTION, UNDEFINED]),
    ("a method that is not judged", PLAIN, "addRules", []),
]
INVALID: list[tuple[Event, str, list[object], str]] = [
    (PLAIN, "addListener", [], "`listener` is required"),
    (PLAIN, "removeListener", [], "`listener` is required"),
    (PLAIN, "hasListener", [], "`listener` is required"),
    (PLAIN, "addListener", [10], "`listener` must be a function, not the number 10"),
    (PLAIN, "removeListener", [None], "`listener` must be a function, not null"),
    (PLAIN, "addListener", [FUNCTION, {}], "`e` takes 1 argument, but 2 are passed"),
    (WITH_FILTER, "addListener", [FUNCTION], "`e` takes 2 arguments, but 1 is passed"),
    (WITH_FILTER, "addListener", [FUNCTION, "x"], '`filter` must be an integer, not the string "x"'),
]


def judge(event: Event, method: str, arguments: list[object], engine: Engine = Engine.GECKO) -> list[str]:
    values: tuple[Value, ...] = tuple(js(each) for each in arguments if each is not ...)
    found = judge_listener_call("e", event, method, values, ... in arguments, environment(engine))
    return [problem.message for problem in found]


@pytest.mark.parametrize("engine", [Engine.GECKO, Engine.CHROMIUM])
@pytest.mark.parametrize(
    ("event", "method", "arguments"), [pytest.param(*each[1:], id=each[0]) for each in VALID]
)
def test_valid_listener_call_is_accepted(
    event: Event, method: str, arguments: list[object], engine: Engine
) -> None:
    assert judge(event, method, arguments, engine) == []


@pytest.mark.parametrize(
    ("event", "method", "arguments", "message"),
    [pytest.param(*each, id=f"{each[1]}: {each[3]}") for each in INVALID],
)
def test_invalid_listener_call_is_reported(
    event: Event, method: str, arguments: list[object], message: str
) -> None:
    assert judge(event, method, arguments) == [message]


def test_chromium_ignores_listeners_of_other_types() -> None:
    message = "`listener` must be a function, not the number 10"
    assert judge(PLAIN, "addListener", [10], Engine.CHROMIUM) == [message]
    assert judge(PLAIN, "addListener", [FunctionValue()], Engine.CHROMIUM) == []


PARAMETERS = ((1, 2), (4, 5), (7, 8))
READ = frozenset(PARAMETERS)


@pytest.mark.parametrize(
    ("function", "passed", "surplus"),
    [
        pytest.param(FunctionValue(PARAMETERS, read=READ), 1, (4, 5), id="two too many"),
        pytest.param(FunctionValue(PARAMETERS, read=READ), 0, (1, 2), id="nothing is passed"),
        pytest.param(FunctionValue(PARAMETERS, read=READ), 3, None, id="all are passed"),
        pytest.param(FunctionValue(PARAMETERS, read=READ), 4, None, id="more are passed"),
        pytest.param(FunctionValue(PARAMETERS), 1, None, id="none is read"),
        pytest.param(FunctionValue(PARAMETERS, read=frozenset({(7, 8)})), 1, (7, 8), id="the last is read"),
        pytest.param(FunctionValue(None), 0, None, id="unknown parameters"),
        pytest.param(FunctionValue(PARAMETERS, read=READ, has_rest=True), 1, None, id="takes the rest"),
        pytest.param(
            FunctionValue(PARAMETERS, read=READ, uses_arguments=True), 1, None, id="reads arguments"
        ),
        pytest.param(FunctionValue(PARAMETERS, read=READ, is_class=True), 1, None, id="a class"),
    ],
)
def test_surplus_parameters(function: FunctionValue, passed: int, surplus: tuple[int, int] | None) -> None:
    assert first_surplus_parameter(function, passed) == surplus
