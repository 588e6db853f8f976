"""The schemas of manifests: generated from the facts and manual rows, and valid JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from extlint.text.formats.registry import FORMATS
from extlint_facts import renewal
from extlint_facts.corrections.rows import StaleCorrectionError, Subject
from extlint_facts.corrections.types import apply_changes, apply_type_changes, changes
from extlint_facts.manifests.documents import documents, files
from extlint_facts.manifests.editions import patch_between
from extlint_facts.manifests.json_schema import SchemaBuilder
from extlint_schemas import json_schema, json_schema_names

COMMITTED = renewal.committed(renewal.SCHEMAS)
GENERATED = {path: text for path, text in COMMITTED.items() if path.startswith("manifests/")}
FACTS = {path: text for path, text in COMMITTED.items() if path not in GENERATED}
TARGETS = ("chrome", "edge", "firefox", "firefox_android", "safari")
SCHEMAS = [name for name in json_schema_names() if name.startswith("manifests/")]


def test_committed_schemas_match_the_facts() -> None:
    assert files(FACTS) == GENERATED


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("version", [2, 3])
def test_loaded_schemas_match_the_facts(target: str, version: int) -> None:
    expected = documents(FACTS)[target, version]
    loaded = json_schema(f"manifests/{target}_{version}")
    assert json.dumps({**loaded, "title": ""}) == json.dumps({**expected, "title": ""})


@pytest.mark.parametrize(
    ("target", "base", "is_the_same"), [("edge", "chrome", True), ("firefox_android", "firefox", False)]
)
@pytest.mark.parametrize("version", [2, 3])
def test_edition_is_stored_as_a_patch(target: str, base: str, is_the_same: bool, version: int) -> None:
    stored = json.loads(GENERATED[f"manifests/{target}_{version}.json"])
    assert stored["base"] == f"manifests/{base}_{version}"
    assert ("patch" not in stored) == is_the_same


def test_each_target_and_version_has_one_schema() -> None:
    assert [f"manifests/{name}_{version}" for name in TARGETS for version in (2, 3)] == SCHEMAS


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_valid_and_names_known_formats(name: str) -> None:
    schema = json_schema(name)
    Draft7Validator.check_schema(schema)
    assert set(formats(schema)) <= FORMATS.keys()
    assert "extlint_facts renew" in schema["$comment"]


def formats(node: Any) -> set[str]:
    if isinstance(node, list):
        return {name for each in node for name in formats(each)}
    if not isinstance(node, dict):
        return set()
    own = {node["format"]} if isinstance(node.get("format"), str) else set()
    return own | {name for each in node.values() for name in formats(each)}


MANIFEST = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "old": {"type": "string", "optional": True, "max_manifest_version": 2},
        "shown": {"$ref": "manifest.Shown", "optional": True},
        "list": {
            "optional": True,
            "choices": [
                {"type": "array", "max_manifest_version": 2, "items": {"type": "string"}},
                {"type": "array", "min_manifest_version": 3, "items": {"$ref": "manifest.Shown"}},
            ],
        },
    },
}
TYPES = {"manifest.Shown": {"id": "Shown", "type": "object", "properties": {"at": {"type": "integer"}}}}


def schema_of(node: dict[str, Any], version: int) -> dict[str, Any]:
    return SchemaBuilder(TYPES, "chrome", version).schema(node)


@pytest.mark.parametrize(
    ("version", "value", "is_right"),
    [
        (2, {"name": "a"}, True),
        (2, {}, False),
        (2, {"name": 1}, False),
        (2, {"name": "a", "nme": "a"}, False),
        (2, {"name": "a", "old": "b"}, True),
        (3, {"name": "a", "old": "b"}, False),
        (2, {"name": "a", "list": ["b"]}, True),
        (3, {"name": "a", "list": ["b"]}, False),
        (3, {"name": "a", "list": [{"at": 1}]}, True),
        (3, {"name": "a", "list": [{"at": "1"}]}, False),
        (2, {"name": "a", "list": [{"at": 1}]}, False),
    ],
)
def test_type_is_converted_to_a_schema_of_one_version(version: int, value: object, is_right: bool) -> None:
    builder = SchemaBuilder(TYPES, "chrome", version)
    schema = {**builder.schema(MANIFEST), "definitions": builder.definitions}
    assert Draft7Validator(schema).is_valid(value) == is_right


@pytest.mark.parametrize(
    ("at", "keys", "expected"),
    [
        ("name", {"format": "locale"}, {"type": "string", "format": "locale"}),
        ("name", {"type": "integer"}, {"type": "integer"}),
        ("shown", {"type": "string"}, {"type": "string"}),
        ("shown/at", {"minimum": 1}, {"at": {"type": "integer", "minimum": 1}}),
        ("shown/more", {"type": "string"}, {"at": {"type": "integer"}, "more": {"type": "string"}}),
    ],
)
def test_row_changes_only_its_place(at: str, keys: dict[str, Any], expected: Any) -> None:
    whole = apply_changes(TYPES, MANIFEST, [(at, keys)])
    schema = schema_of(whole, 3)["properties"][at.partition("/")[0]]
    assert schema.get("properties", schema) == expected
    assert TYPES["manifest.Shown"]["properties"] == {"at": {"type": "integer"}}


@pytest.mark.parametrize("at", ["nothing/below", "name/below", "list/*", "shown/[]"])
def test_row_for_a_missing_place_is_stale(at: str) -> None:
    with pytest.raises(StaleCorrectionError):
        apply_changes(TYPES, MANIFEST, [(at, {"type": "string"})])


def test_row_changes_a_type_at_every_reference() -> None:
    types = apply_type_changes(TYPES, [("manifest.Shown/at", {"minimum": 1})])
    schema = SchemaBuilder(types, "chrome", 3).schema({"$ref": "manifest.Shown", "optional": True})
    assert schema == {"$ref": "#/definitions/manifest.Shown"}
    assert types["manifest.Shown"]["properties"] == {"at": {"type": "integer", "minimum": 1}}
    with pytest.raises(StaleCorrectionError):
        apply_type_changes(TYPES, [("manifest.Shown/at/more", {"minimum": 1})])


@pytest.mark.parametrize("of", ["manifest", "request rule"])
@pytest.mark.parametrize("browser", ["firefox", "chrome"])
def test_each_browser_has_changes(browser: str, of: Subject) -> None:
    assert changes(browser, of)


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1, "b": 2}, {"a": 1}, {"b": None}),
        ({"a": 1}, {"a": 2, "b": {"c": []}}, {"a": 2, "b": {"c": []}}),
        ({"a": {"b": 1, "c": 2}, "d": {"e": 3}}, {"a": {"b": 1}, "d": {"e": 3}}, {"a": {"c": None}}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
    ],
)
def test_patch_contains_only_the_differences(before: Any, after: Any, patch: Any) -> None:
    assert patch_between(before, after) == patch


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"a": 1}, {"a": None}, id="a null"),
        pytest.param({}, {"a": {"b": None}}, id="a null in what is new"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="another order"),
        pytest.param({"b": 2}, {"a": 1, "b": 2}, id="a new key before others"),
    ],
)
def test_inexpressible_patch_is_an_error(before: Any, after: Any) -> None:
    with pytest.raises(ValueError, match="no JSON Merge Patch"):
        patch_between(before, after)
