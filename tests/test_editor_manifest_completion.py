"""Completion of keys and values in manifests. `|` is the cursor."""

from __future__ import annotations

import pytest
from editor_cases import completed, items_at
from hypothesis import given
from hypothesis import strategies as st

from extlint.services.editor.documents.loose_json import read_loosely
from extlint.text.json.reader import read_json

MANIFEST = "manifest.json"

KEYS = {
    "an empty object": ("{|}", {"manifest_version", "name", "version", "background"}),
    "after a comma": ('{"manifest_version": 3, |}', {"action", "permissions"}),
    "on a line without a comma": ('{\n  "manifest_version": 3\n  |\n}', {"action"}),
    "in a key": ('{"manifest_version": 3, "ba|": {}}', {"background"}),
    "in an unfinished key": ('{"manifest_version": 3,\n "ba|\n "name": "a"}', {"background"}),
    "in an unfinished text": ('{"manifest_version": 3, "background": {|', {"service_worker", "type"}),
    "in an object": ('{"manifest_version": 3, "background": {|}}', {"service_worker", "type"}),
    "in an item": ('{"manifest_version": 3, "content_scripts": [{|}]}', {"matches", "js"}),
    "in deep objects": (
        '{"manifest_version": 3, "commands": {"x": {"suggested_key": {|}}}}',
        {"default", "mac"},
    ),
    "in a theme": ('{"manifest_version": 3, "theme": {"colors": {|}}}', {"frame", "toolbar"}),
}


@pytest.mark.parametrize(("text", "expected"), KEYS.values(), ids=KEYS)
def test_keys_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= items_at(text, MANIFEST).keys()


VALUES = {
    "a number": ('{"manifest_version": |}', {"2", "3"}),
    "a string": ('{"manifest_version": 3, "background": {"type": "|"}}', {"module", "classic"}),
    "no value yet": ('{"manifest_version": 3, "background": {"type": |}}', {"module"}),
    "a truth value": ('{"manifest_version": 3, "content_scripts": [{"all_frames": |}]}', {"true", "false"}),
    "a permission": ('{"manifest_version": 3, "permissions": ["|"]}', {"tabs", "storage"}),
    "another permission": ('{"manifest_version": 3, "permissions": ["tabs", |]}', {"storage"}),
    "an optional permission": ('{"manifest_version": 3, "optional_permissions": ["|', {"tabs"}),
    "a host": ('{"manifest_version": 3, "host_permissions": ["|"]}', {"<all_urls>"}),
    "a pattern": ('{"manifest_version": 3, "content_scripts": [{"matches": ["|"]}]}', {"<all_urls>"}),
}


@pytest.mark.parametrize(("text", "expected"), VALUES.values(), ids=VALUES)
def test_values_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= items_at(text, MANIFEST).keys()


NOTHING = {
    "a comment": '{ // |\n "name": "a"}',
    "after a value": '{"name": "a" |}',
    "after the object": "{} |",
    "a free text": '{"name": "|"}',
    "an unknown object": '{"unknown": {|}}',
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_other_places_have_no_completions(text: str) -> None:
    assert not items_at(text, MANIFEST)


COMPLETED = {
    "a key": ("{|}", "name", '{"name": |}'),
    "a word": ("{na|}", "name", '{"name": |}'),
    "a key in quotes": ('{"na|"}', "name", '{"name": |}'),
    "a key with a value": ('{"na|me": "a"}', "name", '{"name|": "a"}'),
    "an unfinished key": ('{"na|\n}', "name", '{"name": |\n}'),
    "an unfinished key before another": (
        '{"manifest_version": 3,\n "ba|\n "name": "a"}',
        "background",
        '{"manifest_version": 3,\n "background": |\n "name": "a"}',
    ),
    "a string": (
        '{"manifest_version": 3, "permissions": ["ta|"]}',
        "tabs",
        '{"manifest_version": 3, "permissions": ["tabs|"]}',
    ),
    "an unfinished string": (
        '{"manifest_version": 3, "permissions": ["ta|]}',
        "tabs",
        '{"manifest_version": 3, "permissions": ["tabs"|]}',
    ),
    "a new item": (
        '{"manifest_version": 3, "permissions": [|]}',
        "tabs",
        '{"manifest_version": 3, "permissions": ["tabs"|]}',
    ),
    "a new value": ('{"manifest_version":|}', "3", '{"manifest_version": 3|}'),
}


@pytest.mark.parametrize(("text", "label", "expected"), COMPLETED.values(), ids=COMPLETED)
def test_an_item_replaces_what_was_typed(text: str, label: str, expected: str) -> None:
    assert completed(text, label, MANIFEST) == expected


def test_keys_and_permissions_that_exist_are_not_offered_again() -> None:
    assert "name" not in items_at('{"name": "a", |}', MANIFEST)
    assert "name" not in items_at('{|, "name": "a"}', MANIFEST)
    assert "name" in items_at('{"na|me": "a"}', MANIFEST)
    assert "tabs" not in items_at('{"permissions": ["|", "tabs"]}', MANIFEST)


def test_keys_depend_on_the_manifest_version() -> None:
    assert "browser_action" not in items_at('{"manifest_version": 3, |}', MANIFEST)
    assert "browser_action" in items_at('{"manifest_version": 2, |}', MANIFEST)
    assert "scripts" not in items_at('{"manifest_version": 3, "background": {|}}', MANIFEST, ["chrome"])
    found = items_at('{"manifest_version": 3, "background": {|}}', MANIFEST)
    assert found["scripts"].detail == "array – only Firefox"


def test_required_keys_come_first() -> None:
    found = items_at('{"manifest_version": 3, |}', MANIFEST)
    assert min(found.values(), key=lambda each: each.sort).label == "name"
    assert found["name"].detail == "string – required"


def test_keys_and_permissions_have_a_documentation() -> None:
    assert "**Versions:**" in items_at("{|}", MANIFEST)["background"].documentation
    assert "Asks users" in items_at('{"permissions": ["|"]}', MANIFEST)["tabs"].documentation


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 999_999) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_valid_texts_are_read_as_by_browsers(value: object) -> None:
    import json

    text = json.dumps(value)
    root = read_loosely(text).root
    assert root is not None
    exact = read_json(text.encode()).root
    assert exact is not None
    assert root.plain == exact.plain


def test_commands_of_browsers_are_completed() -> None:
    text = '{"manifest_version": 3, "sidebar_action": {}, "commands": {|}}'
    assert "_execute_sidebar_action" in items_at(text, MANIFEST, ["firefox"])
    assert "_execute_sidebar_action" not in items_at(text.replace("sidebar", "no"), MANIFEST, ["firefox"])
