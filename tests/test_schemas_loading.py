"""The contents of the schema package: targets, their schemas, and facts about browsers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extlint_schemas import (
    TARGETS,
    browser_support,
    browsers_with,
    dialect,
    json_schema,
    json_schema_texts,
    known_namespaces,
    load,
    schema_files,
    schema_name,
)
from extlint_schemas.merge_patch import merge_patch


def test_reference_target_is_first() -> None:
    assert TARGETS[0] == "reference"


@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "safari"])
def test_target_lists_namespaces_in_file_order(target: str) -> None:
    contents = [json.loads(path.read_text("utf-8")) for path in map(Path, schema_files(target))]
    written = [
        each
        for content in contents
        for each in (content if isinstance(content, list) else content["namespaces"])
    ]
    assert load(target) == written
    assert written


def test_target_is_loaded_once() -> None:
    assert load("reference") is load("reference")


@pytest.mark.parametrize("name", ["opera", "", "Reference", "../reference", "reference/"])
def test_loading_an_unknown_target_raises_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        load(name)


def test_dialect_is_a_draft_7_json_schema() -> None:
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(dialect())
    assert dialect()["$schema"] == "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("member", "browsers"),
    [
        ("management.getAll", ("chrome", "firefox")),
        ("management.get", ("chrome", "firefox")),
        ("management.getSelf", ("chrome", "firefox")),
        ("management.uninstallSelf", ("chrome", "firefox")),
        ("management.setEnabled", ("chrome", "firefox")),
        ("management.onInstalled", ("chrome", "firefox")),
        ("management.install", ("firefox",)),
        ("management.uninstall", ("chrome",)),
        ("management.launchApp", ("chrome",)),
        ("management.LaunchType", ("chrome",)),
        ("management.ExtensionType", ("chrome", "firefox")),
        ("test.assertRejects", ("firefox",)),
        ("test.assertDeepEq", ("firefox",)),
        ("test.checkDeepEq", ("chrome",)),
        ("test.assertBool", ()),
        ("management.getall", ()),
        ("tabs.query", ()),
    ],
    ids=lambda each: each if isinstance(each, str) else " and ".join(each) or "none",
)
def test_browsers_with_a_member_are_known(member: str, browsers: tuple[str, ...]) -> None:
    assert browsers_with(*member.split(".")) == browsers


def test_every_browser_record_has_a_source() -> None:
    assert all(record.source for record in browser_support())


def test_browser_records_are_unique() -> None:
    keys = [(record.browser, record.namespace) for record in browser_support()]
    assert len(set(keys)) == len(keys)
    assert all(len(set(record.members)) == len(record.members) for record in browser_support())


@pytest.mark.parametrize(
    "namespace", ["management", "test", "tabs", "tts", "devtools.panels", "menus", "debugger"]
)
def test_namespaces_of_both_browsers_are_known(namespace: str) -> None:
    assert namespace in known_namespaces()


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        ("manifests/edge_2", "manifests/chrome_2"),
        ("manifests/edge_3", "manifests/chrome_3"),
        ("manifests/chrome_3", "manifests/chrome_3"),
        ("manifests/firefox_android_3", "manifests/firefox_android_3"),
    ],
)
def test_schema_alias_loads_the_same_schema(name: str, same_as: str) -> None:
    assert schema_name(name) == same_as
    assert json_schema(name) is json_schema(same_as)


@pytest.mark.parametrize(
    ("name", "bases"),
    [
        ("manifests/chrome_3", ()),
        ("manifests/edge_3", ("manifests/chrome_3",)),
        ("manifests/firefox_android_3", ("manifests/firefox_3",)),
    ],
)
def test_schema_texts_include_those_of_its_base(name: str, bases: tuple[str, ...]) -> None:
    own, *base_texts = json_schema_texts(name)
    assert json.loads(own).get("base") == (bases[0] if bases else None)
    assert [json.loads(each) for each in base_texts] == [json_schema(each) for each in bases]


def test_schema_of_a_browser_edition_differs_from_its_base() -> None:
    desktop, android = (json_schema(f"manifests/{name}_3") for name in ("firefox", "firefox_android"))
    assert desktop["definitions"] == android["definitions"]
    assert "sidebar_action" in json.dumps(desktop)
    assert "sidebar_action" not in json.dumps(android)


@pytest.mark.parametrize(
    ("value", "patch", "expected"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": "b"}, {"c": None}, {"a": "b"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": "foo"}, {"b": {"c": {"d": None}}}, {"a": "foo", "b": {"c": {}}}),
        (["a", "b"], ["c"], ["c"]),
        ({"a": "b"}, [1], [1]),
        ([1, 2], {"a": "b"}, {"a": "b"}),
    ],
)
def test_merge_patch_returns_a_patched_copy(value: object, patch: object, expected: object) -> None:
    before = json.dumps(value)
    assert merge_patch(value, patch) == expected
    assert json.dumps(value) == before
