"""The format of fact files: one order, a line for each part of wide nodes, the same bytes each time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint_facts.ordering import ordered
from extlint_facts.serialization import WIDTH, namespace_files, to_text


@pytest.mark.parametrize(
    ("node", "text"),
    [
        pytest.param(
            {"optional": True, "type": "string", "name": "a"},
            '{"name":"a","type":"string","optional":true}',
            id="keys",
        ),
        pytest.param(
            {"type": "object", "properties": {"b": {"type": "any"}, "a": {"type": "any"}}},
            '{"type":"object","properties":{"a":{"type":"any"},"b":{"type":"any"}}}',
            id="the names of properties",
        ),
        pytest.param(
            {"namespace": "n", "functions": [{"name": "b"}, {"name": "a"}]},
            '{"namespace":"n","functions":[{"name":"a"},{"name":"b"}]}',
            id="functions",
        ),
        pytest.param(
            {"functions": [{"name": "a", "type": "function"}, {"name": "a"}]},
            '{"functions":[{"name":"a","type":"function"},{"name":"a"}]}',
            id="overloads keep their order",
        ),
        pytest.param(
            {"parameters": [{"name": "b"}, {"name": "a"}]},
            '{"parameters":[{"name":"b"},{"name":"a"}]}',
            id="parameters keep their order",
        ),
        pytest.param(
            {"types": [{"id": "b"}, {"$extend": "a"}]}, '{"types":[{"$extend":"a"},{"id":"b"}]}', id="types"
        ),
        pytest.param({"permissions": ["b", "a"]}, '{"permissions":["a","b"]}', id="alternative permissions"),
        pytest.param({"default": {"b": 1, "a": 2}}, '{"default":{"b":1,"a":2}}', id="values left unchanged"),
        pytest.param(
            {"additionalProperties": {"optional": True, "type": "any"}},
            '{"additionalProperties":{"type":"any","optional":true}}',
            id="nested types",
        ),
        pytest.param({"additionalProperties": True}, '{"additionalProperties":true}', id="a bare true"),
    ],
)
def test_unordered_keys_are_sorted(node: dict[str, Any], text: str) -> None:
    assert to_text(ordered(node)) == text + "\n"


def test_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        ordered({"name": "a", "description": "text"})


def test_wide_node_has_a_line_for_each_part() -> None:
    long = "x" * (WIDTH // 2)
    assert to_text({"a": [long, long], "b": {}}).splitlines() == [
        "{",
        ' "a":[',
        f'  "{long}",',
        f'  "{long}"',
        " ],",
        ' "b":{}',
        "}",
    ]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=60,
)


@given(JSON_VALUES)
@settings(max_examples=examples(40))
def test_text_round_trips(document: Any) -> None:
    assert json.loads(to_text(document)) == document


def test_browser_has_an_index_and_a_file_per_top_level_namespace() -> None:
    named = [{"namespace": name} for name in ("tabs", "devtools.panels", "devtools")]
    files = namespace_files("firefox", named, {"permissions": ["tabs"]})
    assert {path: json.loads(text) for path, text in files.items()} == {
        "firefox/devtools.json": {
            "namespaces": [{"namespace": "devtools"}, {"namespace": "devtools.panels"}],
        },
        "firefox/tabs.json": {"namespaces": [{"namespace": "tabs"}]},
        "firefox/index.json": {
            "namespaces": {
                "devtools": "devtools.json",
                "devtools.panels": "devtools.json",
                "tabs": "tabs.json",
            },
            "needing": {},
            "permissions": ["tabs"],
        },
    }
