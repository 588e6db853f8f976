"""Observations of real objects are added to the facts, and types without observations are marked."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from extlint_facts.corrections.rows import StaleCorrectionError
from extlint_facts.recorded.objects import RecordedObjects, complete_results, load, merge, write
from extlint_facts.results import CALLBACK, LISTENER, PROMISE, RETURN, ResultTypes

STRING = {"type": "string"}

SHOP: dict[str, Any] = {
    "namespace": "shop",
    "properties": {"main": {"$ref": "Counter"}},
    "types": [
        {"id": "Item", "type": "object", "properties": {"name": STRING, "maker": {"$ref": "Maker"}}},
        {"id": "Maker", "type": "object", "properties": {"name": STRING}},
        {"id": "Order", "type": "object", "properties": {"number": STRING}},
        {"id": "Open", "type": "object", "properties": {"a": STRING}, "additionalProperties": True},
        {
            "id": "Counter",
            "type": "object",
            "functions": [
                {"name": "last", "type": "function", "parameters": [], "returns": {"$ref": "Open"}}
            ],
        },
    ],
    "functions": [
        {
            "name": "order",
            "type": "function",
            "async": "callback",
            "parameters": [
                {"name": "order", "$ref": "Order"},
                {
                    "name": "callback",
                    "type": "function",
                    "parameters": [{"name": "items", "type": "array", "items": {"$ref": "Item"}}],
                },
            ],
        },
        {
            "name": "pair",
            "type": "function",
            "async": "callback",
            "parameters": [
                {
                    "name": "callback",
                    "type": "function",
                    "parameters": [{"name": "one", **STRING}, {"name": "other", **STRING}],
                }
            ],
        },
        {"name": "first", "type": "function", "parameters": [], "returns": {"$ref": "Item"}},
    ],
    "events": [
        {
            "name": "onSale",
            "type": "function",
            "parameters": [
                {
                    "name": "sale",
                    "choices": [
                        {"type": "null"},
                        {"type": "object", "properties": {"item": {"$ref": "Item"}}},
                    ],
                }
            ],
        }
    ],
}


def test_result_types_are_found() -> None:
    assert sorted(ResultTypes([SHOP]).objects()) == ["shop.Item", "shop.Maker", "shop.onSale.sale.1"]


@pytest.mark.parametrize(
    ("path", "passed", "index", "steps", "expected"),
    [
        pytest.param("shop.first", RETURN, 0, [], ["shop.Item"], id="return value"),
        pytest.param("shop.order", PROMISE, 0, ["[]"], ["shop.Item"], id="an item of what is promised"),
        pytest.param("shop.order", CALLBACK, 0, ["[]", "maker"], ["shop.Maker"], id="a field"),
        pytest.param("shop.order", CALLBACK, 1, [], [], id="a value too many"),
        pytest.param("shop.pair", CALLBACK, 1, [], ["shop.pair.callback.other"], id="a second value"),
        pytest.param("shop.pair", PROMISE, 0, [], [], id="a promise of two values"),
        pytest.param("shop.onSale", LISTENER, 0, ["item"], ["shop.Item"], id="one of two choices"),
        pytest.param("shop.main.last", RETURN, 0, [], ["shop.Open"], id="of an object with methods"),
        pytest.param("shop.onSale", LISTENER, 0, ["none"], [], id="a field that is not listed"),
        pytest.param("shop.none", RETURN, 0, [], [], id="no member"),
        pytest.param("none.first", RETURN, 0, [], [], id="no namespace"),
    ],
)
def test_places_of_results_are_resolved(
    path: str, passed: str, index: int, steps: list[str], expected: list[str]
) -> None:
    namespaces = ResultTypes([SHOP])
    places = namespaces.values_at(path, passed, index) or []
    for step in steps:
        places = namespaces.step_into(step, places)
    assert [each.at for each in namespaces.resolve(places)] == expected


def completed(browser: str, *found: RecordedObjects) -> dict[str, Any]:
    shop = deepcopy(SHOP)
    complete_results([shop], browser, found)
    return {each["id"]: each for each in shop["types"]}


def test_fields_are_added_and_unseen_types_are_marked() -> None:
    record = RecordedObjects(
        "firefox", "153", "", ["shop.Item"], {"shop.Item": {"price": {"type": "number"}}}
    )
    types = completed("firefox", record)
    assert types["Item"]["properties"]["price"] == {"type": "number"}
    marked = {name: each.get("unseen", False) for name, each in types.items()}
    assert marked == {"Item": False, "Maker": True, "Order": False, "Open": False, "Counter": False}


def test_nothing_is_marked_if_schemas_define_the_results() -> None:
    assert not any("unseen" in each for each in completed("chrome").values())


def test_record_of_one_browser_does_not_apply_to_another() -> None:
    record = RecordedObjects(
        "firefox", "153", "", ["shop.Item"], {"shop.Item": {"price": {"type": "number"}}}
    )
    assert "price" not in completed("chrome", record)["Item"]["properties"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param(
            RecordedObjects("chrome", "156", "", ["shop.Gone"]),
            "nothing in chrome gives a shop.Gone",
            id="missing type",
        ),
        pytest.param(
            RecordedObjects("chrome", "156", "", [], {"shop.Order": {"x": STRING}}),
            "nothing in chrome gives a shop.Order",
            id="no result",
        ),
        pytest.param(
            RecordedObjects("chrome", "156", "", [], {"shop.Item": {"name": STRING}}),
            "shop.Item in chrome has name without it",
            id="the package has it now",
        ),
    ],
)
def test_unnecessary_record_is_an_error(row: RecordedObjects, message: str) -> None:
    with pytest.raises(StaleCorrectionError, match=message):
        completed("chrome", row)


def test_earlier_observations_are_preserved() -> None:
    before = RecordedObjects("chrome", "156", "", ["b"], {"b": {"x": STRING}})
    after = merge(before, ["a"], {"b": {"x": {"type": "any"}, "y": STRING}})
    assert after == RecordedObjects("chrome", "156", "", ["a", "b"], {"b": {"x": STRING, "y": STRING}})


def test_rows_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "objects.json"
    row = RecordedObjects("chrome", "156", "python judge", ["a"], {"a": {"x": STRING}})
    write([row], path)
    assert load(path) == [row]


@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_each_browser_has_one_record(browser: str) -> None:
    (row,) = (each for each in load() if each.browser == browser)
    assert row.version
    assert row.command.startswith("python -m extlint_judge objects --browser ")
    assert len(row.seen) > 90
