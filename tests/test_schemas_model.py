"""The model of a target's API, from schemas in the dialect."""

from __future__ import annotations

from typing import Any

import pytest

from extlint.checks.api.schema_path import find_schema_path
from extlint.schema.model import Constant, Event, Function, Member, Namespace, SchemaSet
from extlint.schema.targets import schema_set
from extlint.schema.types import (
    AnyType,
    ArrayType,
    BooleanType,
    ChoicesType,
    FunctionType,
    NumberType,
    ObjectType,
    Parameter,
    RefType,
    StringType,
    Type,
    Versions,
    parse_type,
)


def namespace(**keys: Any) -> Namespace:
    found = SchemaSet("made up", [{"namespace": "api", **keys}]).namespace("api")
    assert found is not None
    return found


def member(name: str, **keys: Any) -> Member:
    (found,) = namespace(**keys).members[name]
    return found


def function(**keys: Any) -> Function:
    found = member("f", functions=[{"name": "f", "type": "function", "parameters": [], **keys}])
    assert isinstance(found, Function)
    return found


CALLBACK = {"name": "done", "type": "function", "parameters": [{"name": "count", "type": "integer"}]}


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        pytest.param({"type": "any"}, AnyType(), id="any value"),
        pytest.param({"type": "boolean", "enum": [True]}, BooleanType((True,)), id="only true"),
        pytest.param({"type": "integer", "minimum": 1}, NumberType(True, 1), id="a whole number from one"),
        pytest.param(
            {"type": "string", "enum": ["a", {"name": "b"}]}, StringType(("a", "b")), id="both enum forms"
        ),
        pytest.param({"type": "array"}, ArrayType(AnyType()), id="an array of anything"),
        pytest.param(
            {"type": "array", "items": {"$ref": "T", "onError": "warn"}},
            ArrayType(RefType("api", "T"), items_on_error="warn"),
            id="an array that drops bad items",
        ),
        pytest.param({"$ref": "T"}, RefType("api", "T"), id="a type of the same namespace"),
        pytest.param(
            {"$ref": "devtools.panels.T"}, RefType("devtools.panels", "T"), id="a type of another one"
        ),
        pytest.param({"type": "function"}, FunctionType(None), id="a function of unknown parameters"),
        pytest.param(
            {"type": "function", "parameters": []}, FunctionType(()), id="a function of no parameters"
        ),
        pytest.param({"type": "object"}, ObjectType(), id="an object without properties"),
        pytest.param({"type": "object", "properties": []}, ObjectType(), id="a list for no properties"),
        pytest.param(
            {"isInstanceOf": "RegExp"},
            ObjectType(additional=AnyType(), is_instance_of="RegExp"),
            id="an instance",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": True},
            ObjectType(additional=AnyType()),
            id="an open object",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "any"}},
            ObjectType(additional=AnyType(), additional_is_dictionary=True),
            id="a dictionary",
        ),
    ],
)
def test_type_is_parsed(node: dict[str, Any], kind: Type) -> None:
    assert parse_type(node, "api") == kind


@pytest.mark.parametrize("node", [{}, {"type": "text"}, {"type": None}], ids=["nothing", "unknown", "null"])
def test_parsing_an_invalid_type_raises_value_error(node: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a type"):
        parse_type(node, "api")


@pytest.mark.parametrize(
    ("optional", "expected"),
    [
        pytest.param({}, True, id="not said: the callback that async names is optional"),
        pytest.param({"optional": False}, False, id="said to be required"),
        pytest.param({"optional": True}, True, id="said to be optional"),
    ],
)
def test_async_callback_is_optional_by_default(optional: dict[str, Any], expected: bool) -> None:
    found = function(**{"async": "done"}, parameters=[{**CALLBACK, **optional}])
    assert found.parameters[0].optional is expected
    assert found.async_ == "done"


def test_function_parameter_without_async_is_required() -> None:
    found = function(parameters=[CALLBACK])
    assert found.parameters[0].optional is False
    assert found.callback is None
    assert found.result is None


def test_function_result_has_the_callback_parameters() -> None:
    found = function(**{"async": "done"}, parameters=[CALLBACK])
    assert found.callback is not None
    assert found.callback.name == "done"
    assert found.result == (Parameter("count", NumberType(True)),)


def test_promise_only_function_has_no_callback() -> None:
    found = function(**{"async": True}, parameters=[{"name": "id", "type": "string"}])
    assert found.async_ is True
    assert found.callback is None


def test_chromium_returns_async_is_an_optional_trailing_callback() -> None:
    found = function(
        parameters=[{"name": "id", "type": "string"}],
        returns_async={"name": "done", "parameters": [{"name": "count", "type": "integer"}]},
    )
    assert [each.name for each in found.parameters] == ["id", "done"]
    assert found.parameters[1].optional
    assert found.result == (Parameter("count", NumberType(True)),)


def test_chromium_callback_without_promises_is_required() -> None:
    found = function(returns_async={"name": "done", "does_not_support_promises": "never did"})
    assert found.parameters == (Parameter("done", FunctionType(None)),)
    assert found.async_ is None


def test_only_string_enum_types_are_members() -> None:
    found = namespace(
        types=[
            {"id": "Color", "type": "string", "enum": ["red"]},
            {"id": "Name", "type": "string"},
            {"id": "Box", "type": "object"},
        ]
    )
    assert list(found.members) == ["Color"]
    assert found.members["Color"] == (
        Constant("Color", found.members["Color"][0].availability, RefType("api", "Color")),
    )
    assert found.type_names == ("Color", "Name", "Box")


def test_namespace_property_is_a_member_even_without_type() -> None:
    found = namespace(properties={"MAX": {"value": 20}, "name": {"type": "string"}})
    assert [
        (name, members[0].type) for name, members in found.members.items() if isinstance(members[0], Constant)
    ] == [
        ("MAX", None),
        ("name", StringType()),
    ]


def test_event_has_listener_and_extra_parameters() -> None:
    found = member(
        "onDone",
        events=[
            {
                "name": "onDone",
                "type": "function",
                "parameters": [{"name": "id", "type": "string"}],
                "extraParameters": [{"name": "filter", "type": "any", "optional": True}],
            }
        ],
    )
    assert isinstance(found, Event)
    assert found.listener == (Parameter("id", StringType()),)
    assert found.extra == (Parameter("filter", AnyType(), True),)


def test_event_listener_parameters_may_be_unknown() -> None:
    found = member("onDone", events=[{"name": "onDone", "type": "function"}])
    assert isinstance(found, Event)
    assert found.listener is None


def test_member_contexts_override_the_namespace_defaults() -> None:
    functions = [
        {"name": "own", "type": "function", "parameters": [], "allowedContexts": ["devtools"]},
        {"name": "default", "type": "function", "parameters": []},
    ]
    found = namespace(allowedContexts=["content_only"], defaultContexts=["content"], functions=functions)
    assert found.availability.contexts == ("content_only",)
    assert found.members["own"][0].availability.contexts == ("devtools",)
    assert found.members["default"][0].availability.contexts == ("content",)


def test_name_may_have_a_member_per_manifest_version() -> None:
    functions = [
        {"name": "f", "type": "function", "parameters": [], "max_manifest_version": 2},
        {"name": "f", "type": "function", "parameters": [], "min_manifest_version": 3},
    ]
    found = namespace(functions=functions).members["f"]
    assert [each.availability.versions for each in found] == [Versions(2, 2), Versions(3, 3)]


def test_member_has_permissions_and_status() -> None:
    there = function(permissions=["a", "b"], unsupported=True, deprecated="Use g.").availability
    assert there.permissions == (("a", "b"),)
    assert there.unsupported
    assert there.deprecated


def schemas_of(*listed: dict[str, Any]) -> SchemaSet:
    return SchemaSet("made up", listed)


def test_namespace_parts_from_several_schemas_are_merged() -> None:
    schemas = schemas_of(
        {
            "namespace": "api",
            "permissions": ["a"],
            "functions": [{"name": "f", "type": "function", "parameters": []}],
        },
        {"namespace": "other"},
        {"namespace": "api", "eventsNotShown": True, "properties": {"MAX": {"value": 1}}},
    )
    found = schemas.namespace("api")
    assert schemas.names == ("api", "other")
    assert found is not None
    assert list(found.members) == ["f", "MAX"]
    assert found.open_events
    assert found.availability.permissions == (("a",),)


def test_extend_adds_properties_and_choices() -> None:
    schemas = schemas_of(
        {
            "namespace": "api",
            "types": [
                {"id": "Box", "type": "object", "properties": {"a": {"type": "string"}}},
                {"id": "Id", "choices": [{"type": "integer"}]},
            ],
        },
        {
            "namespace": "api",
            "types": [
                {"$extend": "Box", "properties": {"b": {"type": "boolean", "optional": True}}},
                {"$extend": "Id", "choices": [{"type": "string"}]},
            ],
        },
    )
    box, identifier = schemas.resolve(RefType("api", "Box")), schemas.resolve(RefType("api", "Id"))
    assert isinstance(box, ObjectType)
    assert {name: each.optional for name, each in box.properties.items()} == {"a": False, "b": True}
    assert isinstance(identifier, ChoicesType)
    assert [each.type for each in identifier.choices] == [NumberType(True), StringType()]


def test_type_without_definition_has_all_extensions() -> None:
    found = namespace(
        types=[
            {"$extend": "Permission", "choices": [{"type": "string", "enum": ["a"]}]},
            {"$extend": "Permission", "choices": [{"type": "string", "enum": ["b"]}]},
        ]
    ).type("Permission")
    assert isinstance(found, ChoicesType)
    assert [each.type for each in found.choices] == [StringType(("a",)), StringType(("b",))]


def test_own_properties_override_imported_ones() -> None:
    found = namespace(
        types=[
            {
                "id": "Base",
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            },
            {"id": "Own", "type": "object", "$import": "Base", "properties": {"b": {"type": "integer"}}},
        ]
    ).type("Own")
    assert isinstance(found, ObjectType)
    assert {name: each.type for name, each in found.properties.items()} == {
        "a": StringType(),
        "b": NumberType(True),
    }


def test_import_cycle_of_types_terminates() -> None:
    found = namespace(
        types=[
            {"id": "A", "type": "object", "$import": "B", "properties": {"a": {"type": "string"}}},
            {"id": "B", "type": "object", "$import": "A", "properties": {"b": {"type": "string"}}},
        ]
    )
    for name in ("A", "B"):
        kind = found.type(name)
        assert isinstance(kind, ObjectType)
        assert set(kind.properties) == {"a", "b"}


def test_namespace_import_excludes_permissions() -> None:
    schemas = schemas_of(
        {
            "namespace": "old",
            "permissions": ["old"],
            "allowedContexts": ["content"],
            "max_manifest_version": 2,
            "types": [{"id": "Color", "type": "string", "enum": ["red"]}],
            "functions": [{"name": "f", "type": "function", "parameters": []}],
            "properties": {"MAX": {"value": 1}},
        },
        {
            "namespace": "new",
            "$import": "old",
            "types": [{"id": "Color", "type": "string", "enum": ["blue"]}],
        },
    )
    found = schemas.namespace("new")
    assert found is not None
    assert set(found.members) == {"f", "MAX", "Color"}
    assert found.type("Color") == StringType(("blue",))
    assert found.availability.permissions == ()
    assert found.availability.contexts == ()
    assert 3 in found.availability.versions


def test_undefined_reference_is_unresolved() -> None:
    schemas = schemas_of({"namespace": "api"})
    assert schemas.resolve(RefType("api", "Missing")) is None
    assert schemas.resolve(RefType("missing", "T")) is None
    assert schemas.namespace("missing") is None


def test_reference_schema_set_is_cached() -> None:
    assert schema_set("reference") is schema_set("reference")
    assert schema_set("reference").target == "reference"


def test_unknown_target_raises_key_error() -> None:
    with pytest.raises(KeyError):
        schema_set("opera")


def references(kind: Type | None) -> list[RefType]:
    match kind:
        case RefType():
            return [kind]
        case ArrayType():
            return references(kind.items)
        case ChoicesType():
            return [ref for each in kind.choices for ref in references(each.type)]
        case FunctionType():
            return [ref for each in kind.parameters or () for ref in references(each.type)]
        case ObjectType():
            return [ref for each in kind.properties.values() for ref in references(each.type)]
    return []


def test_all_references_of_the_reference_target_resolve() -> None:
    schemas = schema_set("reference")
    kinds: list[Type | None] = []
    for name in schemas.names:
        described = schemas.namespace(name)
        assert described is not None
        kinds += [described.type(each) for each in described.type_names]
        for each in (each for members in described.members.values() for each in members):
            if isinstance(each, Function):
                kinds += [parameter.type for parameter in each.parameters]
    found = [ref for kind in kinds for ref in references(kind)]
    assert RefType("manifest", "ExtensionID") in found
    assert not [ref for ref in found if schemas.resolve(ref) is None]


AREAS: list[dict[str, Any]] = [
    {
        "namespace": "shelf",
        "permissions": ["shelf"],
        "types": [
            {
                "id": "Area",
                "type": "object",
                "functions": [{"name": "get", "type": "function", "parameters": []}],
                "events": [{"name": "onChanged", "type": "function", "parameters": []}],
                "properties": {"SIZE": {"value": 5}},
            }
        ],
        "properties": {"near": {"$ref": "Area"}, "id": {"type": "string"}},
        "functions": [{"name": "old", "type": "function", "max_manifest_version": 2, "parameters": []}],
    },
    {"namespace": "tools.panels", "functions": [{"name": "create", "type": "function", "parameters": []}]},
]

ROUTES = {
    "a namespace": ("shelf", (["shelf"], "", None)),
    "a function of an object": ("shelf.near.get", (["shelf", "shelf.near", "shelf.near.get"], "", None)),
    "a method of an event of an object": (
        "shelf.near.onChanged.addListener",
        (["shelf", "shelf.near", "shelf.near.onChanged"], "addListener", None),
    ),
    "a member missing from an object": (
        "shelf.near.got",
        (["shelf", "shelf.near"], "got", ("get", "onChanged", "SIZE")),
    ),
    "an inherited object member": ("shelf.near.toString", (["shelf", "shelf.near"], "toString", None)),
    "a field of a value": ("shelf.id.length", (["shelf", "shelf.id"], "length", None)),
    "a member missing from a namespace": ("shelf.far", (["shelf"], "far", ("old", "near", "id"))),
    "a member missing in this manifest version": ("shelf.old", (["shelf"], "old", None)),
    "a parent of namespaces": ("tools", ([], "", None)),
    "a namespace in another name": ("tools.panels", (["tools.panels"], "", None)),
    "its function": ("tools.panels.create", (["tools.panels", "tools.panels.create"], "", None)),
    "an undefined sibling namespace": ("tools.other.create", ([], "other.create", ("panels",))),
}


@pytest.mark.parametrize(("name", "expected"), ROUTES.values(), ids=ROUTES.keys())
def test_schema_path_follows_namespaces_members_and_objects(
    name: str, expected: tuple[list[str], str, tuple[str, ...] | None]
) -> None:
    found = find_schema_path(SchemaSet("made up", AREAS), tuple(name.split(".")), 3)
    assert found is not None
    stops = [".".join(stop.path) for stop in found.elements]
    assert (stops, ".".join(found.rest), found.known_names) == expected


def test_schema_path_of_unknown_namespace_is_not_found() -> None:
    assert find_schema_path(SchemaSet("made up", AREAS), ("drawer", "get"), 3) is None


def test_stored_namespace_is_read_on_first_use() -> None:
    read: list[str] = []

    def parts() -> list[dict[str, Any]]:
        read.append("shelf")
        return AREAS[:1]

    schemas = SchemaSet("made up", stored={"shelf": parts})
    assert schemas.names == ("shelf",)
    assert not read
    assert schemas.resolve(RefType("shelf", "Area")) == schemas.resolve(RefType("shelf", "Area")) is not None
    assert read == ["shelf"]
