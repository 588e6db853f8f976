"""Firefox's facts: converted from the package's JSON Schema form back to namespaces of the dialect."""

from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.firefox.bundle import documents
from extlint_facts.firefox.conversion import Converter
from extlint_facts.firefox.manifest import manifest_types, permissions
from extlint_facts.firefox.namespaces import namespaces
from extlint_facts.firefox.type_namespaces import type_namespaces

Document = dict[str, Any]


def make_document(name: str, **parts: Any) -> Document:
    return {"$id": name, "definitions": {}, "refs": {}, "types": {}, **parts}


def namespaces_in(*listed: Document) -> dict[str, dict[str, Any]]:
    by_id = {each["$id"]: each for each in listed}
    return {each["namespace"]: each for each in namespaces(type_namespaces(by_id))}


@pytest.mark.parametrize(
    ("script", "ids"),
    [
        pytest.param("""a=JSON.parse('{"$id":"tabs"}')""", ["tabs"], id="a schema"),
        pytest.param(
            """JSON.parse('{"$id":"a"}'),JSON.parse('{"name":"b"}'),JSON.parse('[1]')""",
            ["a"],
            id="other JSON",
        ),
        pytest.param(
            r"""JSON.parse('{"$id":"it\'s \\"\x41\u0042"}')""", ["it's \"AB"], id="escapes of JavaScript"
        ),
        pytest.param("JSON.parse(text)", [], id="no literal"),
    ],
)
def test_schemas_are_read_from_literals_in_the_script(script: str, ids: list[str]) -> None:
    assert list(documents(script)) == ids


TABS = make_document(
    "tabs",
    types={
        "Tab": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        "Base": {
            "type": "object",
            "min_manifest_version": 3,
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "required": ["a", "b"],
        },
    },
)
OTHER = make_document("other", types={"Own": {"type": "string"}})


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        pytest.param(
            {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {"type": "any"}, "b": {"type": "any", "optional": True}}},
            id="non-required properties are optional",
        ),
        pytest.param(
            {"type": "object", "properties": {"a": {"type": "null"}}},
            {"type": "object", "properties": {"a": {"type": "null", "optional": True}}},
            id="without `required` everything is optional",
        ),
        pytest.param(
            {
                "type": "function",
                "parameters": [{"name": "a", "type": "null"}, {"name": "b", "optional": True}],
            },
            {
                "type": "function",
                "parameters": [{"name": "a", "type": "null"}, {"name": "b", "type": "any", "optional": True}],
            },
            id="parameters keep their own flag",
        ),
        pytest.param(
            {"anyOf": [{"type": "null"}, {"$ref": "#/types/Own"}]},
            {"choices": [{"type": "null"}, {"$ref": "Own"}]},
            id="choices",
        ),
        pytest.param({}, {"type": "any"}, id="no type is any"),
        pytest.param({"value": 1}, {"value": 1}, id="a value has no type"),
        pytest.param({"$ref": "tabs#/types/Tab"}, {"$ref": "tabs.Tab"}, id="a type of another namespace"),
        pytest.param(
            {"allOf": [{"$ref": "#/types/Own"}, {"name": "a", "description": "Text."}]},
            {"$ref": "Own", "name": "a"},
            id="a reference with other keys",
        ),
        pytest.param(
            {"allOf": [{"$ref": "#/types/Own"}, {"max_manifest_version": 2}], "max_manifest_version": 2},
            {"$ref": "Own", "max_manifest_version": 2},
            id="keys next to the allOf",
        ),
        pytest.param(
            {
                "allOf": [
                    {"$ref": "#/types/Own"},
                    {"properties": {"MAX": {"value": 5}}, "required": ["MAX"]},
                ]
            },
            {"$ref": "Own", "properties": {"MAX": {"value": 5}}},
            id="constants of a module",
        ),
        pytest.param(
            {
                "$merge": {
                    "source": {"$ref": "tabs#/types/Base"},
                    "with": {"type": "object", "name": "it", "properties": {"b": {"type": "null"}}},
                }
            },
            {
                "type": "object",
                "name": "it",
                "properties": {"a": {"type": "string"}, "b": {"type": "null", "optional": True}},
            },
            id="imported properties overridden by local ones, without versions",
        ),
        pytest.param(
            {
                "$merge": {
                    "source": {"$ref": "tabs#/types/Base"},
                    "with": {"type": "object", "properties": {"a": {"properties": {"x": {"format": "y"}}}}},
                }
            },
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
            id="annotations on an imported property",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {}},
            {"type": "object", "additionalProperties": {"type": "any"}},
            id="more properties of any type",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": False},
            {"type": "object"},
            id="no additional properties",
        ),
        pytest.param(
            {"type": "object", "patternProperties": {"^a": {"anyOf": [{"type": "null"}]}}},
            {"type": "object", "patternProperties": {"^a": {"choices": [{"type": "null"}]}}},
            id="properties by pattern",
        ),
        pytest.param(
            {"type": "string", "enum": [{"name": "a", "description": "Text."}, "b"]},
            {"type": "string", "enum": ["a", "b"]},
            id="values of an enum",
        ),
        pytest.param(
            {"type": "string", "deprecated": "Use another.", "description": "Text."},
            {"type": "string", "deprecated": True},
            id="sentences",
        ),
        pytest.param(
            {"type": "array", "items": {}, "minItems": 1, "uniqueItems": True},
            {"type": "array", "items": {"type": "any"}, "minItems": 1},
            id="items",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {"description": {"type": "string"}},
                "required": ["description"],
            },
            {"type": "object", "properties": {"description": {"type": "string"}}},
            id="a property whose name is a keyword",
        ),
    ],
)
def test_type_is_converted_back(node: dict[str, Any], expected: dict[str, Any]) -> None:
    converter = Converter(type_namespaces({"tabs": TABS, "other": OTHER}), "other", "other")
    assert converter.type(node) == expected


def test_unknown_form_of_allof_is_an_error() -> None:
    converter = Converter(type_namespaces({"other": OTHER}), "other", "other")
    with pytest.raises(ValueError, match="not a reference with other keys"):
        converter.type({"allOf": [{"type": "string"}, {"maxLength": 1}]})


def test_members_keep_their_availability() -> None:
    function = {
        "name": "get",
        "type": "function",
        "description": "Text.",
        "permissions": ["a", "b"],
        "allowedContexts": ["content"],
        "min_manifest_version": 3,
        "async": "callback",
        "requireUserInput": True,
        "unsupported": True,
        "parameters": [{"name": "callback", "type": "function", "parameters": []}],
    }
    lists = {"filters": [{"name": "f"}], "extraParameters": [{"name": "x"}]}
    event = {"name": "onGet", "permissions": ["a"], **lists}
    found = namespaces_in(make_document("tabs", functions=[function], events=[event], permissions=["tabs"]))
    assert found["tabs"] == {
        "namespace": "tabs",
        "permissions": ["tabs"],
        "functions": [{key: each for key, each in function.items() if key != "description"}],
        "events": [
            {
                "name": "onGet",
                "permissions": ["a"],
                "filters": [{"name": "f", "type": "any"}],
                "extraParameters": [{"name": "x", "type": "any"}],
            }
        ],
    }


def test_property_without_type_becomes_a_nested_namespace() -> None:
    document = make_document(
        "devtools",
        permissions=["manifest:devtools_page"],
        properties={
            "panels": {
                "nocompile": True,
                "allowedContexts": ["devtools"],
                "functions": [{"name": "f", "type": "function", "parameters": [{"$ref": "#/types/Button"}]}],
                "properties": {"themeName": {"type": "string"}},
                "required": ["themeName"],
            },
            "ID": {"value": 1},
            "setting": {"$ref": "#/types/Setting"},
            "lastError": {"type": "object", "optional": True, "properties": {"message": {"type": "string"}}},
        },
        types={"Button": {"type": "object", "functions": []}, "Setting": {"type": "object"}},
    )
    assert namespaces_in(document) == {
        "devtools": {
            "namespace": "devtools",
            "permissions": ["manifest:devtools_page"],
            "types": [{"id": "Setting", "type": "object"}],
            "properties": {
                "ID": {"value": 1},
                "setting": {"$ref": "Setting"},
                "lastError": {
                    "type": "object",
                    "optional": True,
                    "properties": {"message": {"type": "string", "optional": True}},
                },
            },
        },
        "devtools.panels": {
            "namespace": "devtools.panels",
            "allowedContexts": ["devtools"],
            "types": [{"id": "Button", "type": "object", "functions": []}],
            "functions": [{"name": "f", "type": "function", "parameters": [{"$ref": "Button"}]}],
            "properties": {"themeName": {"type": "string"}},
        },
    }


MANIFEST = make_document(
    "manifest",
    types={
        "Base": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        "WebExtensionManifest": {
            "allOf": [
                {
                    "$merge": {
                        "source": {"$ref": "manifest#/types/Base"},
                        "with": {"type": "object", "properties": {"icons": {"type": "object"}}},
                    }
                },
                {"$ref": "theme#/definitions/WebExtensionManifest"},
            ]
        },
        "OptionalPermission": {
            "anyOf": [
                {"type": "string", "enum": ["idle"]},
                {"$ref": "theme#/definitions/OptionalPermission"},
            ]
        },
        "Permission": {
            "anyOf": [
                {"$ref": "#/types/OptionalPermission"},
                {"type": "string", "enum": ["storage"]},
                {"type": "string", "pattern": "^x"},
            ]
        },
    },
)
THEME = make_document(
    "theme",
    definitions={
        "WebExtensionManifest": {"properties": {"theme": {"$ref": "#/types/ThemeType"}}},
        "OptionalPermission": {"anyOf": [{"type": "string", "enum": ["theme"]}]},
    },
    types={
        "ThemeType": {"type": "object", "properties": {"color": {"$ref": "#/types/Color"}}},
        "Color": {"type": "string"},
        "ThemeManifest": {"type": "object"},
        "UpdateInfo": {"type": "object"},
    },
    functions=[{"name": "update", "type": "function", "parameters": [{"$ref": "manifest#/types/ThemeType"}]}],
)


def test_manifest_includes_keys_added_by_every_document() -> None:
    types = manifest_types(type_namespaces({"manifest": MANIFEST, "theme": THEME}))
    whole = next(each for each in types if each["id"] == "WebExtensionManifest")
    assert whole["properties"] == {
        "name": {"type": "string"},
        "icons": {"type": "object", "optional": True},
        "theme": {"$ref": "ThemeType", "optional": True},
    }


def test_types_referenced_by_the_manifest_are_in_its_namespace() -> None:
    found = namespaces_in(MANIFEST, THEME)
    assert [each["id"] for each in found["theme"]["types"]] == ["UpdateInfo"]
    assert {"ThemeType", "Color", "ThemeManifest"} < {each["id"] for each in found["manifest"]["types"]}
    assert found["theme"]["functions"][0]["parameters"] == [{"$ref": "manifest.ThemeType"}]


def test_conflicting_manifest_types_are_an_error() -> None:
    other = make_document("other", types={"ThemeManifest": {"type": "string"}})
    with pytest.raises(ValueError, match="two documents differ in the type ThemeManifest"):
        manifest_types(type_namespaces({"theme": THEME, "other": other}))


def test_permissions_include_those_of_referenced_types() -> None:
    types = manifest_types(type_namespaces({"manifest": MANIFEST, "theme": THEME}))
    assert permissions(types, "Permission") == {"idle", "theme", "storage"}
    assert permissions(types, "OptionalPermission") == {"idle", "theme"}


def test_imported_namespace_supplies_its_types() -> None:
    action = make_document("action", types={"Details": {"type": "object"}})
    imported = make_document(
        "browserAction",
        functions=[{"name": "f", "type": "function", "parameters": [{"$ref": "#/types/Details"}]}],
    )
    assert namespaces_in(action, imported)["browserAction"]["types"] == [{"id": "Details", "type": "object"}]


def test_internal_and_manifest_only_documents_are_not_namespaces() -> None:
    messages = {"$id": "i18nMessages", "types": {"Message": {"type": "object"}}}
    keys = make_document("url_overrides", definitions={"WebExtensionManifest": {"properties": {}}})
    assert namespaces_in(messages, keys) == {}
