"""The reference schemas against the tables of the specification, row by row, without extra entries.

The rows are this file's own transcription, with types in the notation of the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from extlint_schemas import load

Json = Mapping[str, Any]

REQUIRED, OPTIONAL = True, False


def namespace(name: str) -> Json:
    return next(each for each in load("reference") if each["namespace"] == name)


def find_entry(listed: Iterable[Json], key: str, name: str) -> Json:
    return next(each for each in listed if each.get(key) == name)


def type_notation(node: Json) -> str:
    """Returns a type in the notation of the specification."""
    if "$ref" in node:
        return str(node["$ref"])
    if "choices" in node:
        return " or ".join(map(type_notation, node["choices"]))
    if "isInstanceOf" in node:
        return f"instance of {node['isInstanceOf']}"
    if node["type"] == "array":
        return f"array of {type_notation(node['items'])}"
    return str(node["type"])


# Section 2: resources and their fields.


class FieldRow(NamedTuple):
    type: str
    field: str
    notation: str
    required: bool


FIELDS = [
    FieldRow("IconInfo", "size", "integer", REQUIRED),
    FieldRow("IconInfo", "url", "string", REQUIRED),
    FieldRow("ExtensionInfo", "id", "string", REQUIRED),
    FieldRow("ExtensionInfo", "name", "string", REQUIRED),
    FieldRow("ExtensionInfo", "shortName", "string", REQUIRED),
    FieldRow("ExtensionInfo", "description", "string", REQUIRED),
    FieldRow("ExtensionInfo", "version", "string", REQUIRED),
    FieldRow("ExtensionInfo", "versionName", "string", OPTIONAL),
    FieldRow("ExtensionInfo", "mayDisable", "boolean", REQUIRED),
    FieldRow("ExtensionInfo", "enabled", "boolean", REQUIRED),
    FieldRow("ExtensionInfo", "disabledReason", "ExtensionDisabledReason", OPTIONAL),
    FieldRow("ExtensionInfo", "type", "ExtensionType", REQUIRED),
    FieldRow("ExtensionInfo", "homepageUrl", "string", OPTIONAL),
    FieldRow("ExtensionInfo", "updateUrl", "string", OPTIONAL),
    FieldRow("ExtensionInfo", "optionsUrl", "string", REQUIRED),
    FieldRow("ExtensionInfo", "icons", "array of IconInfo", OPTIONAL),
    FieldRow("ExtensionInfo", "permissions", "array of string", REQUIRED),
    FieldRow("ExtensionInfo", "hostPermissions", "array of string", REQUIRED),
    FieldRow("ExtensionInfo", "installType", "ExtensionInstallType", REQUIRED),
]


def properties(type_name: str) -> Json:
    node = find_entry(namespace("management")["types"], "id", type_name)
    assert node["type"] == "object"
    fields: Json = node["properties"]
    return fields


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: f"{row.type}.{row.field}")
def test_field_matches_its_row_and_has_a_description(row: FieldRow) -> None:
    node = properties(row.type)[row.field]
    assert type_notation(node) == row.notation
    assert node.get("optional", False) is not row.required
    assert node["description"]


@pytest.mark.parametrize("type_name", ["IconInfo", "ExtensionInfo"])
def test_object_has_only_the_fields_of_its_table_in_order(type_name: str) -> None:
    assert list(properties(type_name)) == [row.field for row in FIELDS if row.type == type_name]
    assert "additionalProperties" not in find_entry(namespace("management")["types"], "id", type_name)


ENUMS = {
    "ExtensionDisabledReason": ["unknown", "permissions_increase"],
    "ExtensionType": ["extension"],
    "ExtensionInstallType": ["development", "normal", "sideload", "other"],
}


def enum_value(item: str | Json) -> str:
    return item if isinstance(item, str) else str(item["name"])


@pytest.mark.parametrize(("type_name", "values"), ENUMS.items(), ids=ENUMS)
def test_enum_has_its_values(type_name: str, values: list[str]) -> None:
    node = find_entry(namespace("management")["types"], "id", type_name)
    assert node["type"] == "string"
    assert [enum_value(item) for item in node["enum"]] == values


@pytest.mark.parametrize("install_type", ENUMS["ExtensionInstallType"])
def test_install_type_has_a_description(install_type: str) -> None:
    node = find_entry(namespace("management")["types"], "id", "ExtensionInstallType")
    assert find_entry(node["enum"], "name", install_type)["description"]


ALTERNATIVES = {
    "ExpectedError": ["string", "instance of RegExp", "function"],
    "Promise": ["object", "instance of Promise"],
}


@pytest.mark.parametrize(("type_name", "choices"), ALTERNATIVES.items(), ids=ALTERNATIVES)
def test_choices_type_has_all_alternatives(type_name: str, choices: list[str]) -> None:
    node = find_entry(namespace("test")["types"], "id", type_name)
    assert list(map(type_notation, node["choices"])) == choices
    objects = [choice for choice in node["choices"] if choice["type"] == "object"]
    assert all(choice["additionalProperties"] is True for choice in objects)


def test_promise_may_be_a_thenable_object() -> None:
    thenable = find_entry(namespace("test")["types"], "id", "Promise")["choices"][0]
    assert thenable["properties"] == {"then": {"type": "function"}}


def test_extension_id_is_a_plain_string() -> None:
    node = find_entry(namespace("manifest")["types"], "id", "ExtensionID")
    assert {**node, "description": ""} == {"id": "ExtensionID", "type": "string", "description": ""}


def test_management_extends_the_manifest_permissions() -> None:
    node = find_entry(namespace("manifest")["types"], "$extend", "Permission")
    assert node["choices"] == [{"type": "string", "enum": ["management"]}]


# Section 4: operations. A parameter with a question mark is optional.

CALLBACK = "callback?: function"


class OperationRow(NamedTuple):
    namespace: str
    name: str
    parameters: tuple[str, ...] = ()
    result: str | None = None
    permission: str | None = None
    unsupported: bool = False
    asynchronous: str | bool = False
    ambiguous: bool = False
    note: bool = False


OPERATIONS = [
    OperationRow(
        "management",
        "getAll",
        (CALLBACK,),
        result="result: array of ExtensionInfo",
        permission="management",
        unsupported=True,
        asynchronous="callback",
        note=True,
    ),
    OperationRow(
        "management",
        "get",
        ("id: manifest.ExtensionID", CALLBACK),
        result="result: ExtensionInfo",
        permission="management",
        unsupported=True,
        asynchronous="callback",
        note=True,
    ),
    OperationRow(
        "management",
        "getSelf",
        (CALLBACK,),
        result="result: ExtensionInfo",
        asynchronous="callback",
        note=True,
    ),
    OperationRow(
        "management",
        "uninstallSelf",
        ("options?: object", CALLBACK),
        result="",
        asynchronous="callback",
        note=True,
    ),
    OperationRow("test", "notifyFail", ("message: string",), note=True),
    OperationRow("test", "notifyPass", ("message?: string",), note=True),
    OperationRow("test", "log", ("message: string",), note=True),
    OperationRow("test", "sendMessage", ("arg1?: any", "arg2?: any"), ambiguous=True, note=True),
    OperationRow("test", "fail", ("message?: any",)),
    OperationRow("test", "succeed", ("message?: any",)),
    OperationRow("test", "assertTrue", ("test?: any", "message?: string"), ambiguous=True),
    OperationRow("test", "assertFalse", ("test?: any", "message?: string"), ambiguous=True),
    OperationRow(
        "test",
        "assertBool",
        ("test: string or boolean", "expected: boolean", "message?: string"),
        unsupported=True,
    ),
    OperationRow("test", "checkDeepEq", ("expected: any", "actual: any"), unsupported=True, ambiguous=True),
    OperationRow("test", "assertEq", ("expected?: any", "actual?: any", "message?: string"), ambiguous=True),
    OperationRow("test", "assertNoLastError", unsupported=True),
    OperationRow("test", "assertLastError", ("expectedError: string",), unsupported=True),
    OperationRow(
        "test",
        "assertRejects",
        ("promise: Promise", "expectedError?: ExpectedError", "message?: string"),
        asynchronous=True,
    ),
    OperationRow(
        "test", "assertThrows", ("func: function", "expectedError?: ExpectedError", "message?: string")
    ),
]


def parameter_notation(node: Json) -> str:
    return f"{node['name']}{'?' * node.get('optional', False)}: {type_notation(node)}"


def operation_node(row: OperationRow) -> Json:
    return find_entry(namespace(row.namespace)["functions"], "name", row.name)


each_operation = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.namespace}.{row.name}")


@each_operation
def test_operation_has_its_parameters_in_order(row: OperationRow) -> None:
    assert tuple(map(parameter_notation, operation_node(row)["parameters"])) == row.parameters


@each_operation
def test_operation_passes_its_result_only_to_the_callback(row: OperationRow) -> None:
    node = operation_node(row)
    callbacks = [each for each in node["parameters"] if each["name"] == "callback"]
    results = [", ".join(map(parameter_notation, each["parameters"])) for each in callbacks]
    assert results == ([] if row.result is None else [row.result])
    assert "returns" not in node


@each_operation
def test_operation_has_its_permission_and_status(row: OperationRow) -> None:
    node = operation_node(row)
    assert node.get("permissions", []) == ([] if row.permission is None else [row.permission])
    assert node.get("unsupported", False) is row.unsupported


@each_operation
def test_operation_has_its_flags_and_description(row: OperationRow) -> None:
    node = operation_node(row)
    assert node.get("async", False) == row.asynchronous
    assert node.get("allowAmbiguousOptionalArguments", False) is row.ambiguous
    assert bool(node.get("description")) is row.note


UNINSTALL_OPTIONS = [
    ("showConfirmDialog", "boolean", {"default": False}),
    ("dialogMessage", "string", {}),
]


def uninstall_options() -> Json:
    row = find_entry(namespace("management")["functions"], "name", "uninstallSelf")
    fields: Json = row["parameters"][0]["properties"]
    return fields


@pytest.mark.parametrize(
    ("field", "kind", "default"), UNINSTALL_OPTIONS, ids=[row[0] for row in UNINSTALL_OPTIONS]
)
def test_uninstall_option_matches_its_row(field: str, kind: str, default: Json) -> None:
    node = uninstall_options()[field]
    assert node["description"]
    assert {**node, "description": ""} == {"type": kind, "optional": True, "description": "", **default}


# Section 5: permissions and contexts. Section 6: events.

PERMISSIONS = [
    ("management.getAll", ["management"]),
    ("management.get", ["management"]),
    ("management.getSelf", []),
    ("management.uninstallSelf", []),
]


@pytest.mark.parametrize(("api", "permissions"), PERMISSIONS, ids=[row[0] for row in PERMISSIONS])
def test_permissions_are_on_functions_not_on_the_namespace(api: str, permissions: list[str]) -> None:
    owner, _, name = api.partition(".")
    assert find_entry(namespace(owner)["functions"], "name", name).get("permissions", []) == permissions
    assert "permissions" not in namespace(owner)


def test_test_namespace_is_only_in_the_content_context() -> None:
    assert namespace("test")["allowedContexts"] == namespace("test")["defaultContexts"] == ["content"]
    assert "permissions" not in namespace("test")


def test_management_namespace_has_no_contexts() -> None:
    assert not {"allowedContexts", "defaultContexts"}.intersection(namespace("management"))


def test_members_have_no_contexts() -> None:
    assert not [
        node for node in every_node(load("reference")) if "allowedContexts" in node and "name" in node
    ]


EVENTS = [("test", "onMessage", ["message: string", "argument: any"])]


@pytest.mark.parametrize(
    ("owner", "event", "arguments"), EVENTS, ids=[f"{row[0]}.{row[1]}" for row in EVENTS]
)
def test_event_has_its_listener_arguments_and_description(
    owner: str, event: str, arguments: list[str]
) -> None:
    node = find_entry(namespace(owner)["events"], "name", event)
    assert list(map(parameter_notation, node["parameters"])) == arguments
    assert node["description"]
    assert not {"permissions", "unsupported", "extraParameters"}.intersection(node)


def test_only_management_events_are_hidden() -> None:
    assert namespace("management")["eventsNotShown"] is True
    assert "eventsNotShown" not in namespace("test")


# Nothing is in the schemas without a row.


def every_node(node: Any) -> Iterator[Json]:
    if isinstance(node, dict):
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from every_node(each)


def test_namespaces_match_the_specification() -> None:
    assert {each["namespace"] for each in load("reference")} == {"management", "manifest", "test"}
    assert len(load("reference")) == 3


@pytest.mark.parametrize("owner", ["management", "test", "manifest"])
def test_operations_match_the_tables_in_order(owner: str) -> None:
    listed = [row.name for row in OPERATIONS if row.namespace == owner]
    assert [node["name"] for node in namespace(owner).get("functions", [])] == listed


@pytest.mark.parametrize("owner", ["management", "test", "manifest"])
def test_events_match_the_table(owner: str) -> None:
    listed = [name for where, name, _ in EVENTS if where == owner]
    assert [node["name"] for node in namespace(owner).get("events", [])] == listed


@pytest.mark.parametrize(
    ("owner", "types"),
    [
        ("management", {"IconInfo", "ExtensionInfo", *ENUMS}),
        ("test", set(ALTERNATIVES)),
        ("manifest", {"ExtensionID", "Permission"}),
    ],
    ids=["management", "test", "manifest"],
)
def test_types_match_the_specification(owner: str, types: set[str]) -> None:
    assert {node.get("id") or node["$extend"] for node in namespace(owner)["types"]} == types


def test_uninstall_options_match_the_table_in_order() -> None:
    assert list(uninstall_options()) == [field for field, _, _ in UNINSTALL_OPTIONS]


@pytest.mark.parametrize("owner", ["management", "test", "manifest"])
def test_namespaces_have_no_properties(owner: str) -> None:
    assert "properties" not in namespace(owner)


def test_values_are_not_narrowed_beyond_the_specification() -> None:
    narrowing = {"minimum", "maximum", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"}
    assert not [node for node in every_node(load("reference")) if narrowing.intersection(node)]
