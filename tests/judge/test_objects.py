"""Compares observations of real objects with the facts, and observes some in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from thorough import some

from extlint_facts.results import ResultTypes
from extlint_judge.browsers.processes import find
from extlint_judge.commands.objects import REASONS
from extlint_judge.explained import rows
from extlint_judge.objects import chromium as observe_chromium
from extlint_judge.objects import comparison as compare_objects
from extlint_judge.objects import firefox as observe_firefox
from extlint_judge.objects.observations import (
    ContextReport,
    Observations,
    PassedValues,
    Steps,
    merge,
    read,
    write,
)
from extlint_judge.objects.scenario_extension import callbacks_of, manifest_of

STRING = {"type": "string"}

STATE = {"type": "string", "enum": ["new", {"name": "used"}]}

SHOP: dict[str, Any] = {
    "namespace": "shop",
    "types": [
        {
            "id": "Item",
            "type": "object",
            "properties": {"name": STRING, "open": {"type": "any"}, "state": STATE},
        },
        {"id": "Maker", "type": "object", "properties": {"maker": STRING, "city": STRING}},
    ],
    "functions": [
        {
            "name": "either",
            "type": "function",
            "returns": {"choices": [{"$ref": "Item"}, {"$ref": "Maker"}, STRING]},
        },
        {
            "name": "anything",
            "type": "function",
            "returns": {"type": "object", "additionalProperties": {"$ref": "Item"}},
        },
    ],
    "events": [{"name": "onSale", "type": "function", "parameters": [{"name": "item", "$ref": "Item"}]}],
}

Places = list[tuple[Steps, list[str]]]


def compared(path: str, given: str, *places: Places) -> compare_objects.ObjectComparison:
    observed = Observations("chromium", "156", [PassedValues(path, given, len(places), list(places))], [])
    return compare_objects.compare(observed, ResultTypes([SHOP]))


def objects(**fields: str) -> Places:
    return [((), ["object"]), *(((name,), [kind]) for name, kind in fields.items())]


@pytest.mark.parametrize(
    ("path", "passed", "places", "expected"),
    [
        pytest.param("shop.onSale", "listener", [objects(name="string")], [], id="as the facts say"),
        pytest.param("shop.onSale", "listener", [objects()], [], id="not every field is always there"),
        pytest.param("shop.onSale", "listener", [objects(name="undefined")], [], id="undefined is ignored"),
        pytest.param(
            "shop.onSale",
            "listener",
            [objects(price="number")],
            [("shop.Item.price", "number", "absent")],
            id="field missing from the facts",
        ),
        pytest.param(
            "shop.onSale",
            "listener",
            [objects(name="integer")],
            [("shop.Item.name", "integer", "string")],
            id="another kind of value",
        ),
        pytest.param(
            "shop.onSale",
            "listener",
            [[((), ["object"]), (("state",), ["string", "=new", "=used"])]],
            [],
            id="values of an enumeration",
        ),
        pytest.param(
            "shop.onSale",
            "listener",
            [[((), ["object"]), (("state",), ["string", "=old"]), (("name",), ["string", "=old"])]],
            [("shop.Item.state", '"old"', "no such value")],
            id="value missing from an enumeration",
        ),
        pytest.param(
            "shop.onSale",
            "listener",
            [objects(), [((), ["string"])]],
            [("shop.onSale", "2 values", "1 values")],
            id="a value too many",
        ),
        pytest.param(
            "shop.onSale",
            "listener",
            [[*objects(open="object"), (("open", "x"), ["string"])]],
            [],
            id="field of any type",
        ),
        pytest.param(
            "shop.either",
            "return",
            [objects(maker="string", age="number")],
            [("shop.Maker.age", "number", "absent")],
            id="the type that is nearest",
        ),
        pytest.param(
            "shop.anything",
            "return",
            [[*objects(one="object"), (("one", "price"), ["number"])]],
            [("shop.Item.price", "number", "absent")],
            id="a value of a dictionary",
        ),
        pytest.param(
            "shop.none", "return", [objects(x="string")], [], id="returned member missing from the facts"
        ),
    ],
)
def test_differences_from_the_facts_are_listed(
    path: str, passed: str, places: list[Places], expected: list[tuple[str, str, str]]
) -> None:
    found = compared(path, passed, *places).comparison.different
    assert [(each.path, each.browser, each.facts) for each in found] == expected


def test_observed_fields_are_suggested() -> None:
    found = compared(
        "shop.onSale", "listener", objects(price="integer", parts="array", box="object", a="null")
    )
    assert found.seen == {"shop.Item"}
    assert found.fields == {
        "shop.Item": {
            "a": {"type": "any", "optional": True},
            "box": {"type": "object", "additionalProperties": {"type": "any"}, "optional": True},
            "parts": {"type": "array", "items": {"type": "any"}, "optional": True},
            "price": {"type": "number", "optional": True},
        }
    }


def test_observations_of_several_contexts_are_merged() -> None:
    one = PassedValues("shop.onSale", "listener", 1, [objects(name="string")])
    other = PassedValues("shop.onSale", "listener", 2, [objects(name="null"), None])
    found = merge([ContextReport("page", [one], {}, {}), ContextReport("background", [other], {}, {})])
    assert found == [
        PassedValues("shop.onSale", "listener", 2, [[((), ["object"]), (("name",), ["null", "string"])], []])
    ]


def test_observations_round_trip(tmp_path: Path) -> None:
    observed = Observations(
        "firefox", "153", [PassedValues("shop.onSale", "listener", 1, [objects(name="null")])], ["x"]
    )
    write(observed, tmp_path / "seen.json")
    assert read(tmp_path / "seen.json") == observed


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_every_row_has_a_reason(browser: str) -> None:
    assert all(row.why and row.at for row in rows(browser, REASONS))


@pytest.mark.parametrize(("browser", "called_back"), some([("chromium", True), ("firefox", False)], 2))
def test_real_browser_objects_are_observed(browser: str, called_back: bool, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    manifest = manifest_of(browser, 3, ["alarms", "declarativeNetRequest", "storage"])
    callbacks = ["alarms.get", "alarms.getAll"] if called_back else []
    play = observe_chromium.reports if browser == "chromium" else observe_firefox.reports
    unseen: list[str] = []
    reports = list(play(command, [(manifest, callbacks)], tmp_path, unseen, ("storage.js",)))
    merged = {(each.path, each.given): each for each in merge(reports)}
    assert not any(each.stuck for each in reports)
    places = dict(merged["alarms.getAll", "callback" if called_back else "promise"].places[0] or ())
    assert set(places["[]", "scheduledTime"]) <= {"integer", "number"}
    assert ("alarms.onAlarm", "listener") in merged
    assert ("storage.onChanged", "listener") in merged


def test_functions_with_a_callback_are_found() -> None:
    from extlint_judge.facts import schemas_of

    found = callbacks_of(schemas_of("chromium"), 3)
    assert "tabs.query" in found
    assert "devtools.inspectedWindow.eval" in found
    assert "runtime.getManifest" not in found
