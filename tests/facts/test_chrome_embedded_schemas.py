"""Merging Chromium's own schemas into the declarations of chrome-types."""

from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.chrome.embedded_schemas import EmbeddedSchemas, complete, mark_unasked

ANY = {"type": "any"}


def completed(
    documented: dict[str, Any], embedded: dict[str, Any], *types: dict[str, Any], named: tuple[Any, ...] = ()
) -> dict[str, Any]:
    """Returns the type n.T after the browser's n.T, along with other types, was merged into it."""
    facts = [{"namespace": "n", "types": [{"id": "T", **documented}, *named]}]
    complete(
        facts, EmbeddedSchemas("b", "1", [{"namespace": "n", "types": [{"id": "n.T", **embedded}, *types]}])
    )
    mark_unasked(facts)
    found: dict[str, Any] = facts[0]["types"][0]
    return {key: each for key, each in found.items() if key != "id"}


def objects(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


NUMBER, INTEGER, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
OPTIONAL = {"optional": True}


@pytest.mark.parametrize(
    ("documented", "requested", "expected"),
    [
        pytest.param(NUMBER, INTEGER, INTEGER, id="a number that is whole"),
        pytest.param(NUMBER, NUMBER, NUMBER, id="a number that is not"),
        pytest.param(
            NUMBER,
            {**INTEGER, "minimum": 0, "maximum": 9},
            {**INTEGER, "minimum": 0, "maximum": 9},
            id="bounds",
        ),
        pytest.param(
            {**NUMBER, "minimum": 1}, {**NUMBER, "minimum": 0}, {**NUMBER, "minimum": 1}, id="known"
        ),
        pytest.param(
            NUMBER,
            {**NUMBER, "minimum": 0.1, "maximum": 10.0},
            {**NUMBER, "maximum": 10},
            id="no whole bound",
        ),
        pytest.param(TEXT, {**TEXT, "minimum": 0}, TEXT, id="a bound that this type cannot have"),
        pytest.param(
            {**TEXT, "enum": ["a", "c"]},
            {**TEXT, "enum": ["a", "b"]},
            {**TEXT, "enum": ["a", "c", "b"]},
            id="values",
        ),
        pytest.param(
            objects(a=TEXT), objects(a=TEXT, b=INTEGER), objects(a=TEXT, b=INTEGER | OPTIONAL), id="a key"
        ),
        pytest.param(
            objects(), objects(b=INTEGER), objects(b=INTEGER), id="type without other documentation"
        ),
        pytest.param(
            {"type": "object", "additionalProperties": ANY},
            {"type": "object"},
            {"type": "object"},
            id="no keys",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": ANY},
            {"type": "object", "additionalProperties": ANY},
            {"type": "object", "additionalProperties": ANY},
            id="any keys",
        ),
        pytest.param(
            objects(a={"type": "array", "items": NUMBER}),
            objects(a={"type": "array", "items": INTEGER}),
            objects(a={"type": "array", "items": INTEGER}),
            id="nested types",
        ),
        pytest.param(
            {**TEXT, **OPTIONAL},
            {"choices": [TEXT, INTEGER]},
            {"choices": [TEXT, INTEGER], **OPTIONAL},
            id="choices",
        ),
        pytest.param(
            {"choices": [NUMBER, TEXT]},
            {"choices": [INTEGER, TEXT]},
            {"choices": [INTEGER, TEXT]},
            id="each choice",
        ),
        pytest.param(
            {"type": "object", "functions": [{"name": "send", "parameters": []}]},
            objects(send={"type": "function"}),
            {"type": "object", "functions": [{"name": "send", "parameters": []}], "properties": {}},
            id="method excluded from the properties",
        ),
    ],
)
def test_type_is_completed(
    documented: dict[str, Any], requested: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert completed(documented, requested) == expected


def test_undocumented_type_is_added_with_its_reference() -> None:
    facts: list[dict[str, Any]] = [{"namespace": "n", "types": [{"id": "T", **objects()}]}]
    more = {"id": "n.More", **objects(x=INTEGER)}
    embedded = [{"namespace": "n", "types": [{"id": "n.T", **objects(a={"$ref": "n.More"})}, more]}]
    complete(facts, EmbeddedSchemas("b", "1", embedded))
    mark_unasked(facts)
    assert facts[0]["types"] == [
        {"id": "T", **objects(a={"$ref": "More"})},
        {"id": "More", **objects(x=INTEGER)},
    ]


def function(*parameters: str, **more: Any) -> dict[str, Any]:
    named = [{"name": name.rstrip("?"), **TEXT, **(OPTIONAL if "?" in name else {})} for name in parameters]
    return {"name": "f", "type": "function", "parameters": named, **more}


@pytest.mark.parametrize(
    ("documented", "requested", "expected"),
    [
        pytest.param(function("a"), function("a"), ["a"], id="the same"),
        pytest.param(function("a", "c"), function("a", "b?", "c"), ["a", "b", "c"], id="one between"),
        pytest.param(function("a"), function("a", "b?"), ["a", "b"], id="one behind"),
        pytest.param(function("a", "b"), function("a"), ["a", "b"], id="one of another version"),
        pytest.param(function("a"), function("a", "b"), ["a"], id="undocumented parameter"),
    ],
)
def test_missing_parameters_are_added(
    documented: dict[str, Any], requested: dict[str, Any], expected: list[str]
) -> None:
    facts: list[dict[str, Any]] = [{"namespace": "n", "functions": [documented]}]
    complete(facts, EmbeddedSchemas("b", "1", [{"namespace": "n", "functions": [requested]}]))
    assert [each["name"] for each in facts[0]["functions"][0]["parameters"]] == expected


def test_only_unverified_objects_are_marked() -> None:
    facts: list[dict[str, Any]] = [
        {"namespace": "asked", "types": [{"id": "T", **objects(a=objects())}, {"id": "New", **objects()}]},
        {
            "namespace": "other",
            "types": [{"id": "T", **objects()}, {"id": "Open", "additionalProperties": ANY}],
        },
        {"namespace": "devtools.panels", "types": [{"id": "T", **objects()}]},
    ]
    types = [{"id": "asked.T", **objects(a=objects())}]
    complete(facts, EmbeddedSchemas("b", "1", [{"namespace": "asked", "types": types}]))
    mark_unasked(facts)
    assert facts == [
        {
            "namespace": "asked",
            "types": [{"id": "T", **objects(a=objects())}, {"id": "New", **objects(), "unasked": True}],
        },
        {
            "namespace": "other",
            "types": [{"id": "T", **objects(), "unasked": True}, {"id": "Open", "additionalProperties": ANY}],
        },
        {"namespace": "devtools.panels", "types": [{"id": "T", **objects()}]},
    ]
