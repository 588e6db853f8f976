"""Soundness of matching: less knowledge of a value never makes a result more certain."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matching_values import SCHEMAS, api_type, parameters
from thorough import examples

from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
)
from extlint.schema.engine import Engine
from extlint.schema.matching.bases import accepted_bases, bases
from extlint.schema.matching.call import judge_call
from extlint.schema.matching.environment import YES, Environment, No, Verdict
from extlint.schema.matching.match import match, match_optional
from extlint.schema.types import Parameter
from extlint.schema.words.types import described_type
from extlint.schema.words.values import described_value

KEYS = st.sampled_from(["a", "b", "then", "x", "next"])
STRINGS = st.sampled_from(["", "a", "low", "lwo", "http://a", "\U0001f600", "2016-03-04", "__MSG_a__"])
VERSIONS = st.sampled_from([{}, {"max_manifest_version": 2}, {"min_manifest_version": 3}])
PLAIN_TYPES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.sampled_from(
        [
            {"type": "any"},
            {"type": "null"},
            {"type": "boolean"},
            {"type": "boolean", "enum": [True]},
            {"type": "integer"},
            {"type": "integer", "minimum": 1, "maximum": 3},
            {"type": "number"},
            {"type": "number", "minimum": 1},
            {"type": "string"},
            {"type": "string", "enum": ["a", "low"]},
            {"type": "string", "minLength": 1, "maxLength": 2},
            {"type": "string", "pattern": "^[a-z]*$"},
            {"type": "string", "format": "url"},
            {"type": "function"},
            {"type": "binary"},
            {"type": "object", "isInstanceOf": "RegExp"},
            {"type": "object", "additionalProperties": True},
        ]
    ),
    st.sampled_from(["Level", "Point", "Tree", "Circle", "ExpectedError", "Promise", "no.where"]).map(
        lambda name: {"$ref": name}
    ),
)


def containers(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    marks = st.sampled_from([{}, {}, {"optional": True}, {"unsupported": True}, {"onError": "warn"}])
    members = st.builds(lambda node, mark, version: {**node, **mark, **version}, inner, marks, VERSIONS)
    versioned = st.builds(lambda node, version: {**node, **version}, inner, VERSIONS)
    limits = st.sampled_from([{}, {"minItems": 2}, {"maxItems": 1}])
    additional_properties = st.one_of(
        st.sampled_from([{}, {"additionalProperties": True}]), inner.map(_additional)
    )
    return st.one_of(
        st.builds(lambda items, limit: {"type": "array", "items": items, **limit}, members, limits),
        st.builds(
            lambda properties, patterns, other: {
                "type": "object",
                "properties": properties,
                "patternProperties": patterns,
                **other,
            },
            st.dictionaries(KEYS, members, max_size=3),
            st.dictionaries(st.sampled_from(["^[ab]$", r"(.)\1"]), inner, max_size=1),
            additional_properties,
        ),
        st.lists(versioned, min_size=1, max_size=3).map(lambda choices: {"choices": choices}),
    )


def _additional(node: dict[str, Any]) -> dict[str, Any]:
    return {"additionalProperties": node}


TYPES = st.recursive(PLAIN_TYPES, containers, max_leaves=6)
SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.sampled_from(
        [
            Literal(Kind.NULL),
            Literal(Kind.UNDEFINED),
            Literal(Kind.BIGINT, 1),
            Typed(Kind.SYMBOL),
            FunctionValue((), span=(0, 1)),
            FunctionValue(is_class=True),
            InstanceValue("RegExp"),
            InstanceValue("Promise"),
            InstanceValue("Map"),
            InstanceValue("Uint8Array"),
        ]
    ),
    st.booleans().map(lambda flag: Literal(Kind.BOOLEAN, flag)),
    st.sampled_from([0.0, -0.0, 1.0, 2.5, 2.0**31, 2.0**53, nan, inf]).map(
        lambda number: Literal(Kind.NUMBER, number)
    ),
    STRINGS.map(lambda text: Literal(Kind.STRING, text)),
)
CONCRETE: st.SearchStrategy[Value] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: ArrayValue(tuple(items))),
        st.dictionaries(KEYS, inner.map(Field), max_size=3).map(ObjectValue),
    ),
    max_leaves=6,
)
MATCHING: dict[str, list[Value]] = {
    "null": [Literal(Kind.NULL)],
    "boolean": [Literal(Kind.BOOLEAN, True), Literal(Kind.BOOLEAN, False)],
    "integer": [Literal(Kind.NUMBER, 2.0), Literal(Kind.NUMBER, 4.0)],
    "number": [Literal(Kind.NUMBER, 2.5), Literal(Kind.NUMBER, -1.0)],
    "string": [Literal(Kind.STRING, text) for text in ("a", "low", "http://a")],
    "function": [FunctionValue((), span=(0, 1))],
    "binary": [InstanceValue("Uint8Array")],
}
"""Values that often match a type, since a test without matches covers little."""


@st.composite
def nearly_matching(draw: st.DrawFn, node: dict[str, Any]) -> Value:
    """Returns a value that matches a type, except that parts of it may be wrong."""
    if draw(st.integers(0, 9)) == 0:
        return draw(CONCRETE)
    if node.get("optional") and draw(st.integers(0, 3)) == 0:
        return Literal(draw(st.sampled_from([Kind.NULL, Kind.UNDEFINED])))
    if "choices" in node:
        return draw(nearly_matching(draw(st.sampled_from(node["choices"]))))
    match node:
        case {"isInstanceOf": name}:
            return InstanceValue(name)
        case {"type": "array", "items": items}:
            return ArrayValue(tuple(draw(st.lists(nearly_matching(items), max_size=3))))
        case {"type": "object"}:
            declared = node.get("properties", {})
            left_out = {key for key in declared if draw(st.integers(0, 4)) == 0}
            fields = {
                key: Field(draw(nearly_matching(each)))
                for key, each in declared.items()
                if key not in left_out
            }
            additional = node.get("additionalProperties")
            if isinstance(additional, dict) or draw(st.integers(0, 4)) == 0:
                more = nearly_matching(additional) if isinstance(additional, dict) else CONCRETE
                fields["more"] = Field(draw(more))
            return ObjectValue(fields)
        case {"type": str(name)} if name in MATCHING:
            return draw(st.sampled_from(MATCHING[name]))
    return draw(CONCRETE)


@st.composite
def types_and_values(draw: st.DrawFn) -> tuple[dict[str, Any], Value]:
    node = draw(TYPES)
    return node, draw(nearly_matching(node))


@st.composite
def calls(draw: st.DrawFn) -> tuple[tuple[Parameter, ...], list[Value]]:
    """Returns parameters, and arguments for most of them. Few of the optional ones are omitted."""
    marks = st.sampled_from([{}, {"optional": True}, {"optional": True}])
    nodes = [{**each, **draw(marks)} for each in draw(st.lists(TYPES, max_size=4))]
    arguments = [draw(nearly_matching(node)) for node in nodes if draw(st.integers(0, 4))]
    return parameters(*nodes), arguments[: draw(st.sampled_from([4, 4, 1]))]


ENVIRONMENTS = st.builds(
    Environment, st.just(SCHEMAS), st.sampled_from([Engine.GECKO, Engine.CHROMIUM]), st.sampled_from([2, 3])
)


@st.composite
def blurred(draw: st.DrawFn, value: Value) -> Value:
    """Returns a less precise value, which may be the original one or others."""
    match draw(st.sampled_from(["keep", "keep", "keep", "kind", "unknown", "either"])):
        case "kind" if (some := _kind(value)) is not None:
            return Typed(some)
        case "unknown":
            nothing: tuple[Value, ...] = (UNKNOWN, Api(("test",)), NOTHING)
            return draw(st.sampled_from(nothing))
        case "either":
            alternatives = draw(st.lists(CONCRETE, max_size=2))
            return Union(
                (draw(blurred(value)), *alternatives) if draw(st.booleans()) else (*alternatives, value)
            )
    match value:
        case ArrayValue(items=items):
            known = draw(st.integers(0, len(items)))
            is_open = known < len(items) or draw(st.booleans())
            return ArrayValue(tuple(draw(blurred(item)) for item in items[:known]), is_open)
        case ObjectValue(fields=fields):
            known_keys = [key for key in fields if draw(st.integers(0, 3))]
            found = {
                key: Field(draw(blurred(fields[key].value)), maybe_absent=draw(st.booleans()))
                for key in known_keys
            }
            if draw(st.booleans()):
                found["extra"] = Field(draw(CONCRETE), maybe_absent=True)
            return ObjectValue(found, len(known_keys) < len(fields) or draw(st.booleans()))
    return value


def _kind(value: Value) -> Kind | None:
    match value:
        case Literal(kind=some):
            return some
        case ArrayValue():
            return Kind.ARRAY
        case FunctionValue():
            return Kind.FUNCTION
        case ObjectValue() | InstanceValue():
            return Kind.OBJECT
    return None


@given(types_and_values(), ENVIRONMENTS, st.data())
@settings(max_examples=examples(100))
def test_less_precise_value_is_judged_less_certainly(
    case: tuple[dict[str, Any], Value], env: Environment, data: st.DataObject
) -> None:
    node, value = case
    less = data.draw(blurred(value))
    exact, blurry = match(value, api_type(node), env), match(less, api_type(node), env)
    if isinstance(blurry, No):
        assert isinstance(exact, No)
    if blurry is YES:
        assert exact is YES


@given(types_and_values(), ENVIRONMENTS, st.data())
@settings(max_examples=examples(100))
def test_every_problem_has_a_message(
    case: tuple[dict[str, Any], Value], env: Environment, data: st.DataObject
) -> None:
    node, value = case
    found = match(data.draw(blurred(value)), api_type(node), env)
    for problem in found.problems if isinstance(found, No) else ():
        assert problem.message("value").isprintable()
        assert isinstance(problem.help, str | None)
    assert described_type(api_type(node), env)
    assert described_value(value)


@given(calls(), ENVIRONMENTS, st.data())
@settings(max_examples=examples(100))
def test_less_precise_call_is_judged_less_certainly(
    call: tuple[tuple[Parameter, ...], list[Value]], env: Environment, data: st.DataObject
) -> None:
    declared, arguments = call
    known = data.draw(st.integers(0, len(arguments)))
    less = tuple(data.draw(blurred(each)) for each in arguments[:known])
    is_open = known < len(arguments) or data.draw(st.booleans())
    if judge_call("f", declared, less, is_open, env):
        assert judge_call("f", declared, tuple(arguments), False, env)


@pytest.mark.parametrize("engine", [Engine.GECKO, Engine.CHROMIUM])
@given(calls())
@settings(max_examples=examples(100))
def test_verdict_on_exact_arguments_matches_the_browser_algorithm(
    engine: Engine, call: tuple[tuple[Parameter, ...], list[Value]]
) -> None:
    declared, arguments = call
    env = Environment(SCHEMAS, engine, 2)
    if any(accepted_bases(each.type, env) is None for each in declared):
        return
    found = judge_call("f", declared, tuple(arguments), False, env)
    assert bool(found) == _is_rejected(declared, arguments, env)


def _is_rejected(declared: tuple[Parameter, ...], arguments: list[Value], env: Environment) -> bool:
    """Whether browsers reject a call: the first assignment by base types is fully checked."""
    slots: list[tuple[Parameter, Value]] = []

    def left_out(parameter: int, argument: int) -> bool:
        return declared[parameter].optional and assign(parameter + 1, argument)

    def taken(parameter: int, argument: int) -> bool:
        if argument == len(arguments) or not _may_take(declared[parameter], arguments[argument], env):
            return False
        slots.append((declared[parameter], arguments[argument]))
        if assign(parameter + 1, argument + 1):
            return True
        slots.pop()
        return False

    def assign(parameter: int, argument: int) -> bool:
        if parameter == len(declared):
            return argument == len(arguments)
        ways = [left_out, taken] if env.is_gecko else [taken, left_out]
        return any(way(parameter, argument) for way in ways)

    if not assign(0, 0):
        return True
    return any(isinstance(_full_check(parameter, value, env), No) for parameter, value in slots)


def _may_take(parameter: Parameter, value: Value, env: Environment) -> bool:
    if parameter.optional and isinstance(value, Literal) and value.kind in (Kind.NULL, Kind.UNDEFINED):
        return True
    return bases(value, env) <= (accepted_bases(parameter.type, env) or frozenset())


def _full_check(parameter: Parameter, value: Value, env: Environment) -> Verdict:
    return (match_optional if parameter.optional else match)(value, parameter.type, env)
