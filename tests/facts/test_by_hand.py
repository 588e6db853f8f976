"""Corrections by hand: each changes what it names, and says so when it is no longer needed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from extlint_facts.by_hand import ROWS, Row, StaleRowError, correct, rows


def namespaces() -> list[dict[str, Any]]:
    return [
        {
            "namespace": "tabs",
            "permissions": ["a", "b"],
            "functions": [{"name": "get"}, {"name": "get"}],
            "events": [
                {
                    "name": "onMoved",
                    "parameters": [{"name": "tab", "type": "any"}],
                    "extraParameters": [{"name": "filter", "type": "any"}],
                }
            ],
            "types": [
                {"id": "Tab", "properties": {"url": {"type": "any"}}, "functions": [{"name": "go"}]},
                {"id": "Some", "choices": [{"type": "null"}, {"type": "array", "items": {"type": "any"}}]},
                {"id": "Rest", "type": "object", "additionalProperties": {"type": "any"}},
            ],
        },
        {"namespace": "tabs.inner", "properties": {"ID": {"value": 1}}},
    ]


def a_row(at: str, **keys: Any) -> Row:
    return Row("firefox", [at], keys, "it is so", "a page", "2026")


@pytest.mark.parametrize(
    ("at", "where"),
    [
        ("tabs", lambda found: [found[0]]),
        ("tabs.get", lambda found: found[0]["functions"]),
        ("tabs.onMoved", lambda found: found[0]["events"]),
        ("tabs.onMoved.tab", lambda found: found[0]["events"][0]["parameters"]),
        ("tabs.onMoved.filter", lambda found: found[0]["events"][0]["extraParameters"]),
        ("tabs.Tab", lambda found: found[0]["types"][:1]),
        ("tabs.Some.1", lambda found: found[0]["types"][1]["choices"][1:]),
        ("tabs.Some.1.items", lambda found: [found[0]["types"][1]["choices"][1]["items"]]),
        ("tabs.Rest.additionalProperties", lambda found: [found[0]["types"][2]["additionalProperties"]]),
        ("tabs.Tab.go", lambda found: found[0]["types"][0]["functions"]),
        ("tabs.Tab.url", lambda found: [found[0]["types"][0]["properties"]["url"]]),
        ("tabs.inner", lambda found: [found[1]]),
        ("tabs.inner.ID", lambda found: [found[1]["properties"]["ID"]]),
    ],
)
def test_a_row_gives_keys_to_what_it_names(at: str, where: Any) -> None:
    found = namespaces()
    correct(found, [a_row(at, since="1")])
    assert [each["since"] for each in where(found)] == ["1"] * len(where(found))


def test_properties_are_added_to_those_that_are_there() -> None:
    found = namespaces()
    correct(found, [a_row("tabs.inner", properties={"MORE": {"value": 2}})])
    assert found[1]["properties"] == {"ID": {"value": 1}, "MORE": {"value": 2}}


def test_a_row_that_adds_what_is_there_is_stale() -> None:
    with pytest.raises(StaleRowError, match=r"tabs\.inner in firefox is so without it"):
        correct(namespaces(), [a_row("tabs.inner", properties={"ID": {"value": 1}})])


def test_null_takes_a_key_away() -> None:
    found = namespaces()
    correct(found, [a_row("tabs", permissions=None)])
    assert "permissions" not in found[0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (a_row("tabs.nothing", since="1"), "there is no tabs.nothing in firefox"),
        (a_row("tabs.Some.2", since="1"), "there is no tabs.Some.2 in firefox"),
        (a_row("nothing", since="1"), "there is no nothing in firefox"),
        (a_row("tabs", permissions=["a", "b"]), "tabs in firefox is so without it"),
        (a_row("tabs.get", permissions=None), "tabs.get in firefox is so without it"),
    ],
)
def test_a_row_that_is_not_needed_is_an_error(row: Row, said: str) -> None:
    with pytest.raises(StaleRowError, match=said):
        correct(namespaces(), [row])


def test_every_committed_row_says_why_where_from_and_how_old() -> None:
    listed = json.loads(ROWS.read_text("utf-8"))
    known = [row for browser in ("chrome", "firefox") for row in rows(browser)]
    assert len(known) == len(listed)
    assert all(row.keys and row.why and row.source and row.dated for row in known)
