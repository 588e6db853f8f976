"""Sample values generated for types, and their source text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.facts.values import (
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
)
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import YES, Environment
from extlint.schema.matching.match import match
from extlint.schema.model import SchemaSet
from extlint.schema.types import parse_type
from extlint_judge.members.samples import SAMPLES, find_value, source_of

ENV = Environment(SchemaSet("firefox", engine=Engine.GECKO), Engine.GECKO, 3)

LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "enum": ["b", "c"]},
        {"type": "string", "minLength": 3},
        {"type": "integer", "minimum": 7},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "function"},
        {"type": "any"},
        {"type": "null"},
    ]
)
TYPES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda items: {"type": "array", "items": items, "minItems": 2}),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(
            lambda properties: {"type": "object", "properties": properties}
        ),
        st.lists(inner, min_size=1, max_size=2).map(lambda choices: {"choices": choices}),
    ),
    max_leaves=6,
)


@given(node=TYPES)
def test_sample_matches_its_type(node: dict[str, Any]) -> None:
    kind = parse_type(node, "test")
    value = find_value(kind, ENV)
    assert value is not None
    assert match(value, kind, ENV) is YES


def test_unmatched_pattern_has_no_sample() -> None:
    assert find_value(parse_type({"type": "string", "pattern": "^zz$"}, "test"), ENV) is None


@pytest.mark.parametrize(
    ("value", "source"),
    [
        pytest.param(Literal(Kind.STRING, 'a"b'), '"a\\"b"', id="a string"),
        pytest.param(Literal(Kind.NUMBER, 3.0), "3", id="a whole number"),
        pytest.param(Literal(Kind.NUMBER, 1.5), "1.5", id="a fraction"),
        pytest.param(Literal(Kind.NUMBER, float("nan")), "NaN", id="NaN"),
        pytest.param(Literal(Kind.BOOLEAN, True), "true", id="a boolean"),
        pytest.param(Literal(Kind.NULL), "null", id="null"),
        pytest.param(Literal(Kind.UNDEFINED), "undefined", id="undefined"),
        pytest.param(ObjectValue({"a b": Field(ArrayValue())}), '{"a b": []}', id="an object"),
        pytest.param(ArrayValue((Literal(Kind.NULL), FunctionValue(()))), "[null, () => {}]", id="an array"),
        pytest.param(InstanceValue("RegExp"), "new RegExp()", id="an instance"),
    ],
)
def test_value_is_converted_to_source(value: Value, source: str) -> None:
    assert source_of(value) == source


def test_every_value_has_distinct_source() -> None:
    assert len({source_of(value) for value in SAMPLES.values()}) == len(SAMPLES)
