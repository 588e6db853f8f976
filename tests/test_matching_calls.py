"""Calls: the assignment of arguments to parameters, and the mistakes in them."""

from __future__ import annotations

from typing import Any

import pytest
from matching_values import (
    FUNCTION,
    NUMBER,
    OBJECT,
    PROMISE,
    REGEXP,
    STRING,
    UNDEFINED,
    environment,
    js,
    one_of,
    parameters,
)

from extlint.analysis.facts.values import UNKNOWN, Field, Kind, Literal, ObjectValue, Value
from extlint.checks.calls.calls import MESSAGE_FUNCTIONS
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem, judge_call
from extlint.schema.matching.message_passing import JUDGES

ANY = {"type": "any"}
INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
CALLBACK = {"type": "function"}
RECORD = {"type": "object", "properties": {"x": {**INTEGER, "optional": True}}}


def optional(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "optional": True}


MESSAGE = [{**TEXT, "name": "message"}]
OPTIONAL_THEN_REQUIRED = [optional(INTEGER), FLAG]
OPTIONAL_IN_THE_MIDDLE = [TEXT, optional(INTEGER), FLAG]
TWO_OPTIONAL_ANY = [optional(ANY), optional(ANY)]
OPTIONS_AND_CALLBACK = [
    {**optional(RECORD), "name": "options"},
    {**optional(CALLBACK), "name": "callback"},
]
ASSERT_REJECTS: list[dict[str, Any]] = [
    {"$ref": "Promise", "name": "promise"},
    {"$ref": "ExpectedError", "name": "expectedError", "optional": True},
    {**optional(TEXT), "name": "message"},
]
LEVEL = [{"$ref": "Level", "name": "level"}]

VALID: list[tuple[str, list[dict[str, Any]], list[object]]] = [
    ("a string", MESSAGE, ["x"]),
    ("some string", MESSAGE, [STRING]),
    ("something", MESSAGE, [UNKNOWN]),
    ("a string or not", MESSAGE, [one_of("x", 1)]),
    ("an unknown number of arguments", MESSAGE, [...]),
    ("more arguments may follow", MESSAGE, ["x", ...]),
    ("an optional parameter left out", OPTIONAL_THEN_REQUIRED, [True]),
    ("an optional parameter given", OPTIONAL_THEN_REQUIRED, [1, True]),
    ("null for an optional parameter", OPTIONAL_THEN_REQUIRED, [None, True]),
    ("undefined for an optional parameter", OPTIONAL_THEN_REQUIRED, [UNDEFINED, True]),
    ("an optional parameter left out in the middle", OPTIONAL_IN_THE_MIDDLE, ["x", True]),
    ("all three parameters", OPTIONAL_IN_THE_MIDDLE, ["x", 1, True]),
    ("anything for anything", TWO_OPTIONAL_ANY, [FUNCTION, 1]),
    ("only a callback", OPTIONS_AND_CALLBACK, [FUNCTION]),
    ("only options", OPTIONS_AND_CALLBACK, [{"x": 1}]),
    ("options and callback", OPTIONS_AND_CALLBACK, [{"x": 1}, FUNCTION]),
    ("null and callback", OPTIONS_AND_CALLBACK, [None, FUNCTION]),
    ("no arguments", OPTIONS_AND_CALLBACK, []),
    ("options or a callback", OPTIONS_AND_CALLBACK, [one_of({}, FUNCTION)]),
    ("an error's text, or its message", ASSERT_REJECTS, [PROMISE, "x"]),
    ("an error and a message", ASSERT_REJECTS, [PROMISE, REGEXP, "x"]),
    ("a required parameter may be among those that follow", ASSERT_REJECTS, [...]),
]

INVALID: list[tuple[list[dict[str, Any]], list[object], str, str]] = [
    (MESSAGE, [], "wrong-argument-count", "`message` is required"),
    (MESSAGE, ["x", 1, 2], "wrong-argument-count", "`ns.f` takes 1 argument, but 3 are passed"),
    (MESSAGE, ["x", UNDEFINED], "wrong-argument-count", "`ns.f` takes 1 argument, but 2 are passed"),
    (MESSAGE, ["x", "y", ...], "wrong-argument-count", "`ns.f` takes 1 argument, but at least 2 are passed"),
    (MESSAGE, [UNDEFINED], "invalid-argument", "`message` must be a string, not undefined"),
    (MESSAGE, [None], "invalid-argument", "`message` must be a string, not null"),
    (MESSAGE, [5], "invalid-argument", "`message` must be a string, not the number 5"),
    (MESSAGE, [5, ...], "invalid-argument", "`message` must be a string, not the number 5"),
    (MESSAGE, [one_of(5, True)], "invalid-argument", "`message` must be a string, not the number 5 or true"),
    (MESSAGE, [NUMBER], "invalid-argument", "`message` must be a string, not a number"),
    ([], [1], "wrong-argument-count", "`ns.f` takes no arguments, but 1 is passed"),
    (OPTIONAL_IN_THE_MIDDLE, ["x"], "wrong-argument-count", "`ns.f` takes 2 or 3 arguments, but 1 is passed"),
    (OPTIONAL_IN_THE_MIDDLE, [], "wrong-argument-count", "`a` and `c` are required"),
    (
        OPTIONS_AND_CALLBACK,
        [1, 2, 3],
        "wrong-argument-count",
        "`ns.f` takes at most 2 arguments, but 3 are passed",
    ),
    (OPTIONAL_THEN_REQUIRED, [5], "invalid-argument", "`b` must be a boolean, not the number 5"),
    (OPTIONAL_THEN_REQUIRED, [5, None], "invalid-argument", "`b` must be a boolean, not null"),
    (OPTIONAL_IN_THE_MIDDLE, [True, "x"], "invalid-argument", "`a` must be a string, not true"),
    (
        OPTIONS_AND_CALLBACK,
        ["x"],
        "invalid-argument",
        'argument 1 of `ns.f` must be an object or a function, not the string "x"',
    ),
    (OPTIONS_AND_CALLBACK, [FUNCTION, {}], "invalid-argument", "`options` must be an object, not a function"),
    (
        OPTIONS_AND_CALLBACK,
        [{}, {}],
        "invalid-argument",
        "`callback` must be a function, not an empty object",
    ),
    (
        OPTIONS_AND_CALLBACK,
        [{"x": "1"}],
        "invalid-argument",
        '`options.x` must be an integer, not the string "1"',
    ),
    (
        LEVEL,
        ["hihg"],
        "invalid-argument",
        '`level` must be one of "low", "normal" or "high", not the string "hihg"',
    ),
    (
        ASSERT_REJECTS,
        [FUNCTION],
        "invalid-argument",
        "`promise` must be an object with `then` or a Promise, not a function",
    ),
    (
        ASSERT_REJECTS,
        [PROMISE, 5],
        "invalid-argument",
        "argument 2 of `ns.f` must be a string, a RegExp or a function, not the number 5",
    ),
]


def judge(
    nodes: list[dict[str, Any]],
    arguments: list[object],
    engine: Engine = Engine.GECKO,
    *,
    ambiguous: bool = False,
) -> tuple[CallProblem, ...]:
    values: tuple[Value, ...] = tuple(js(each) for each in arguments if each is not ...)
    is_open = ... in arguments
    env = environment(engine)
    return judge_call("ns.f", parameters(*nodes), values, is_open, env, ambiguous=ambiguous)


@pytest.mark.parametrize("engine", [Engine.GECKO, Engine.CHROMIUM])
@pytest.mark.parametrize(("nodes", "arguments"), [pytest.param(*each[1:], id=each[0]) for each in VALID])
def test_valid_call_is_accepted(nodes: list[dict[str, Any]], arguments: list[object], engine: Engine) -> None:
    if engine is Engine.CHROMIUM and nodes == TWO_OPTIONAL_ANY:
        arguments = [1, {}]
    assert judge(nodes, arguments, engine) == ()


@pytest.mark.parametrize(
    ("nodes", "arguments", "rule", "message"), [pytest.param(*each, id=each[3]) for each in INVALID]
)
def test_invalid_call_is_reported(
    nodes: list[dict[str, Any]], arguments: list[object], rule: str, message: str
) -> None:
    assert [(each.rule, each.message) for each in judge(nodes, arguments)] == [(rule, message)]


@pytest.mark.parametrize(
    "arguments", [[], [1, 2, 3], ["x", "y", "z"]], ids=["too few", "too many", "of wrong types"]
)
def test_ambiguous_function_is_not_checked(arguments: list[object]) -> None:
    assert judge(OPTIONAL_THEN_REQUIRED, arguments, ambiguous=True) == ()


def test_optional_arguments_bind_right_in_firefox_and_left_in_chromium() -> None:
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    nodes = [optional(RECORD), optional(texts)]
    assert judge(nodes, [{"x": 1}], Engine.CHROMIUM) == ()
    (problem,) = judge(nodes, [{"x": 1}], Engine.GECKO)
    assert problem.message == "`b.x` must be a string, not the number 1"
    assert judge(nodes, [{"x": "1"}], Engine.GECKO) == ()
    (problem,) = judge(nodes, [{"x": "1"}], Engine.CHROMIUM)
    assert problem.message == '`a.x` must be an integer, not the string "1"'


def test_unknown_assignment_is_reported_only_if_all_fail() -> None:
    nodes = [optional(RECORD), optional(CALLBACK)]
    assert judge(nodes, [OBJECT]) == ()
    assert judge(nodes, [one_of({"x": "1"}, FUNCTION)]) == ()
    (problem,) = judge(nodes, [UNKNOWN, 5])
    assert problem.message == "`b` must be a function, not the number 5"
    (problem,) = judge(nodes, [{"x": "1"}, UNKNOWN])
    assert problem.message == '`a.x` must be an integer, not the string "1"'


def test_later_assignment_may_be_valid() -> None:
    either = one_of(FUNCTION, {"x": "1"})
    assert judge([optional(CALLBACK), optional(RECORD)], [either], Engine.GECKO) == ()
    assert judge([optional(RECORD), optional(CALLBACK)], [either], Engine.CHROMIUM) == ()
    assert judge([optional(CALLBACK), RECORD], [either], Engine.GECKO) != ()


def test_each_wrong_value_in_an_object_is_one_problem() -> None:
    value = ObjectValue(
        {
            "x": Field(Literal(Kind.STRING, "1", (14, 17)), (11, 12)),
            "z": Field(UNKNOWN, (19, 20)),
        },
        span=(10, 22),
    )
    found = judge([RECORD, CALLBACK], [value, FUNCTION])
    assert [(each.rule, each.span) for each in found] == [
        ("invalid-argument", (14, 17)),
        ("invalid-argument", (19, 20)),
    ]


def test_missing_property_is_reported_at_the_object() -> None:
    (problem,) = judge([{"$ref": "Point"}], [ObjectValue({"x": Field(js(1))}, span=(5, 9))])
    assert (problem.span, problem.message) == ((5, 9), "`a.y` is required")


def test_wrong_argument_count_covers_all_arguments_and_shows_the_signature() -> None:
    (problem,) = judge(OPTIONAL_IN_THE_MIDDLE, ["x"])
    assert problem.span is None
    assert problem.help == "call it as `ns.f(a, b?, c)`"


def test_nearest_value_is_suggested() -> None:
    (problem,) = judge(LEVEL, ["hihg"])
    assert problem.help == "did you mean `high`?"


def test_many_arguments_take_bounded_time() -> None:
    nodes = [optional(ANY) for _ in range(7)]
    assert judge(nodes, [UNKNOWN] * 7) == ()
    assert judge(nodes, [UNKNOWN] * 100_000)[0].rule == "wrong-argument-count"
    many = parameters(*[optional(CALLBACK)] * 60)
    wrong = (*[UNKNOWN] * 30, js(5))
    assert len(judge_call("f", many, wrong, False, environment())) == 1


def test_message_checkers_cover_all_message_functions() -> None:
    assert {name.rpartition(".")[2] for name in JUDGES} == MESSAGE_FUNCTIONS
