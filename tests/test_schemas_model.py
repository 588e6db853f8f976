"""The model of a target's API, from schemas in the dialect."""

from __future__ import annotations

from typing import Any

import pytest

from extlint.checks.api.schema_path import find_schema_path
from extlint.schema.model import Constant, Event, Function, Member, Namespace, SchemaSet
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
from extlint.targets.target import schema_set


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
def test_a_type_is_read(node: dict[str, Any], kind: Type) -> None:
    assert parse_type(node, "api") == kind


@pytest.mark.parametrize("node", [{}, {"type": "text"}, {"type": None}], ids=["nothing", "unknown", "null"])
def test_what_is_no_type_is_a_value_error(node: dict[str, Any]) -> None:
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
def test_an_async_callback_is_optional_unless_said_otherwise(
    optional: dict[str, Any], expected: bool
) -> None:
    found = function(**{"async": "done"}, parameters=[{**CALLBACK, **optional}])
    assert found.parameters[0].optional is expected
    assert found.async_ == "done"


def test_a_function_parameter_that_async_does_not_name_is_required() -> None:
    found = function(parameters=[CALLBACK])
    assert found.parameters[0].optional is False
    assert found.callback is None
    assert found.result is None


def test_the_result_of_a_function_is_what_its_callback_is_passed() -> None:
    found = function(**{"async": "done"}, parameters=[CALLBACK])
    assert found.callback is not None
    assert found.callback.name == "done"
    assert found.result == (Parameter("count", NumberType(True)),)


def test_a_promise_only_function_has_no_callback() -> None:
    found = function(**{"async": True}, parameters=[{"name": "id", "type": "string"}])
    assert found.async_ is True
    assert found.callback is None


def test_chromium_s_asynchronous_result_is_a_trailing_callback_that_may_be_left_out() -> None:
    found = function(
        parameters=[{"name": "id", "type": "string"}],
        returns_async={"name": "done", "parameters": [{"name": "count", "type": "integer"}]},
    )
    assert [each.name for each in found.parameters] == ["id", "done"]
    assert found.parameters[1].optional
    assert found.result == (Parameter("count", NumberType(True)),)


def test_chromium_s_callback_without_a_promise_is_required() -> None:
    found = function(returns_async={"name": "done", "does_not_support_promises": "never did"})
    assert found.parameters == (Parameter("done", FunctionType(None)),)
    assert found.async_ is None


def test_an_enum_of_strings_is_a_member_and_other_types_are_not() -> None:
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


def test_a_namespace_property_is_a_member_with_or_without_a_type() -> None:
    found = namespace(properties={"MAX": {"value": 20}, "name": {"type": "string"}})
    assert [
        (name, members[0].type) for name, members in found.members.items() if isinstance(members[0], Constant)
    ] == [
        ("MAX", None),
        ("name", StringType()),
    ]


def test_an_event_has_what_its_listener_is_passed_and_what_add_listener_takes() -> None:
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


def test_an_event_may_not_say_what_its_listener_is_passed() -> None:
    found = member("onDone", events=[{"name": "onDone", "type": "function"}])
    assert isinstance(found, Event)
    assert found.listener is None


def test_a_member_s_own_contexts_come_before_the_namespace_s_default_ones() -> None:
    functions = [
        {"name": "own", "type": "function", "parameters": [], "allowedContexts": ["devtools"]},
        {"name": "default", "type": "function", "parameters": []},
    ]
    found = namespace(allowedContexts=["content_only"], defaultContexts=["content"], functions=functions)
    assert found.availability.contexts == ("content_only",)
    assert found.members["own"][0].availability.contexts == ("devtools",)
    assert found.members["default"][0].availability.contexts == ("content",)


def test_a_name_can_stand_for_one_member_for_each_manifest_version() -> None:
    functions = [
        {"name": "f", "type": "function", "parameters": [], "max_manifest_version": 2},
        {"name": "f", "type": "function", "parameters": [], "min_manifest_version": 3},
    ]
    found = namespace(functions=functions).members["f"]
    assert [each.availability.versions for each in found] == [Versions(2, 2), Versions(3, 3)]


def test_a_member_tells_its_permissions_and_marks() -> None:
    there = function(permissions=["a", "b"], unsupported=True, deprecated="Use g.").availability
    assert there.permissions == (("a", "b"),)
    assert there.unsupported
    assert there.deprecated


def parts(*listed: dict[str, Any]) -> SchemaSet:
    return SchemaSet("made up", listed)


def test_parts_of_a_namespace_from_several_schemas_are_one_namespace() -> None:
    schemas = parts(
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


def test_extend_adds_properties_to_an_object_and_choices_to_a_choice() -> None:
    schemas = parts(
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


def test_a_type_that_is_only_extended_is_the_sum_of_what_is_added() -> None:
    found = namespace(
        types=[
            {"$extend": "Permission", "choices": [{"type": "string", "enum": ["a"]}]},
            {"$extend": "Permission", "choices": [{"type": "string", "enum": ["b"]}]},
        ]
    ).type("Permission")
    assert isinstance(found, ChoicesType)
    assert [each.type for each in found.choices] == [StringType(("a",)), StringType(("b",))]


def test_a_type_imports_the_properties_of_another_and_its_own_win() -> None:
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


def test_types_that_import_each_other_end() -> None:
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


def test_a_namespace_imports_the_members_of_another_without_its_permissions() -> None:
    schemas = parts(
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


def test_what_nothing_defines_resolves_to_nothing() -> None:
    schemas = parts({"namespace": "api"})
    assert schemas.resolve(RefType("api", "Missing")) is None
    assert schemas.resolve(RefType("missing", "T")) is None
    assert schemas.namespace("missing") is None


def test_the_reference_target_is_made_once() -> None:
    assert schema_set("reference") is schema_set("reference")
    assert schema_set("reference").target == "reference"


def test_an_unknown_target_is_a_key_error() -> None:
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


def test_every_reference_of_the_reference_target_leads_to_a_type() -> None:
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
    "what an object lacks": (
        "shelf.near.got",
        (["shelf", "shelf.near"], "got", ("get", "onChanged", "SIZE")),
    ),
    "what every object has": ("shelf.near.toString", (["shelf", "shelf.near"], "toString", None)),
    "a field of a value": ("shelf.id.length", (["shelf", "shelf.id"], "length", None)),
    "what a namespace lacks": ("shelf.far", (["shelf"], "far", ("old", "near", "id"))),
    "what this manifest version lacks": ("shelf.old", (["shelf"], "old", None)),
    "what namespaces are in": ("tools", ([], "", None)),
    "a namespace in another name": ("tools.panels", (["tools.panels"], "", None)),
    "its function": ("tools.panels.create", (["tools.panels", "tools.panels.create"], "", None)),
    "no namespace beside it": ("tools.other.create", ([], "other.create", ("panels",))),
}


@pytest.mark.parametrize(("name", "expected"), ROUTES.values(), ids=ROUTES.keys())
def test_a_path_leads_through_namespaces_members_and_objects(
    name: str, expected: tuple[list[str], str, tuple[str, ...] | None]
) -> None:
    found = find_schema_path(SchemaSet("made up", AREAS), tuple(name.split(".")), 3)
    assert found is not None
    stops = [".".join(stop.path) for stop in found.elements]
    assert (stops, ".".join(found.rest), found.known_names) == expected


def test_a_path_of_another_namespace_leads_nowhere() -> None:
    assert find_schema_path(SchemaSet("made up", AREAS), ("drawer", "get"), 3) is None


def test_a_stored_namespace_is_read_when_somebody_asks_for_it() -> None:
    read: list[str] = []

    def parts() -> list[dict[str, Any]]:
        read.append("shelf")
        return AREAS[:1]

    schemas = SchemaSet("made up", stored={"shelf": parts})
    assert schemas.names == ("shelf",)
    assert not read
    assert schemas.resolve(RefType("shelf", "Area")) == schemas.resolve(RefType("shelf", "Area")) is not None
    assert read == ["shelf"]
