"""The types of the schema dialect, parsed from JSON into plain classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field


class AnyType(Struct, frozen=True):
    """Any value."""


class NullType(Struct, frozen=True):
    """Only null."""


class BooleanType(Struct, frozen=True):
    """true or false; `enum` narrows it to those listed."""

    enum: tuple[bool, ...] | None = None


class NumberType(Struct, frozen=True):
    """A number, or a whole number if `integer`; the range includes both ends."""

    integer: bool = False
    minimum: float | None = None
    maximum: float | None = None


class StringType(Struct, frozen=True):
    """A string. Lengths are in UTF-16 units; `pattern` is a JavaScript regular expression.

    `lower_case` is true if the browser converts a string to lower case before checking it.
    """

    enum: tuple[str, ...] | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    lower_case: bool = False


class BinaryType(Struct, frozen=True):
    """An ArrayBuffer or a view of one (Chromium only)."""


class ArrayType(Struct, frozen=True):
    """An array of items of one type."""

    items: Type
    min_items: int | None = None
    max_items: int | None = None
    items_on_error: str | None = None


class FunctionType(Struct, frozen=True):
    """A function. `parameters` are the values that the browser passes to it, or None if unknown."""

    parameters: tuple[Parameter, ...] | None = None


class ObjectType(Struct, frozen=True):
    """An object.

    `additional` is the type of unlisted properties, or None if they are rejected. `additional_is_dictionary`
    distinguishes a schema from a bare `true`, which Chromium ignores. `unasked` is true if it is unknown
    whether the browser accepts unlisted properties. `unseen` is true if objects that the browser returns may
    have unlisted properties, false if they were observed not to, or None if the schema does not specify it.
    `is_instance_of` names a constructor; the contents of such an object are not checked. `has_methods` is
    true if objects that the browser returns have functions or events, which are not among `properties`.
    """

    properties: Mapping[str, Property] = field(default_factory=dict)
    pattern_properties: Mapping[str, Type] = field(default_factory=dict)
    additional: Type | None = None
    additional_is_dictionary: bool = False
    ignore_additional: bool = False
    unasked: bool = False
    unseen: bool | None = None
    is_instance_of: str | None = None
    has_methods: bool = False


class ChoicesType(Struct, frozen=True):
    """Any of several types, tried in order."""

    choices: tuple[Choice, ...]


class RefType(Struct, frozen=True):
    """A type that is defined elsewhere, by namespace and id."""

    namespace: str
    name: str


Type: TypeAlias = (
    AnyType
    | NullType
    | BooleanType
    | NumberType
    | StringType
    | BinaryType
    | ArrayType
    | FunctionType
    | ObjectType
    | ChoicesType
    | RefType
)


class Versions(Struct, frozen=True):
    """The manifest versions in which an item exists, both ends included."""

    minimum: int = 2
    maximum: int = 3

    def __contains__(self, manifest_version: int) -> bool:
        return self.minimum <= manifest_version <= self.maximum


EVERY_VERSION = Versions()


class Choice(Struct, frozen=True):
    """One way to satisfy a `ChoicesType`, for some manifest versions."""

    type: Type
    versions: Versions = EVERY_VERSION


class Property(Struct, frozen=True):
    """A property of an object type."""

    type: Type
    optional: bool = False
    unsupported: bool = False
    on_error: str | None = None
    versions: Versions = EVERY_VERSION
    description: str = ""


class Parameter(Struct, frozen=True):
    """A parameter of a function or callback."""

    name: str
    type: Type
    optional: bool = False
    description: str = ""


def parse_versions(node: Mapping[str, Any]) -> Versions:
    """Returns the manifest versions that a schema node is limited to."""
    return Versions(node.get("min_manifest_version", 2), node.get("max_manifest_version", 3))


def parse_type(node: Mapping[str, Any], namespace: str) -> Type:
    """Returns the type that a schema node describes. `namespace` is the scope of its unqualified references.

    Raises ValueError for a node that is not a type of the dialect.
    """
    if "$ref" in node:
        scope, _, name = node["$ref"].rpartition(".")
        return RefType(scope or namespace, name)
    if "choices" in node:
        return ChoicesType(
            tuple(Choice(parse_type(each, namespace), parse_versions(each)) for each in node["choices"])
        )
    kind = node.get("type")
    if kind is None and "isInstanceOf" in node:
        kind = "object"
    match kind:
        case "any":
            return AnyType()
        case "null":
            return NullType()
        case "binary":
            return BinaryType()
        case "boolean":
            return BooleanType(tuple(node["enum"]) if "enum" in node else None)
        case "integer" | "number":
            return NumberType(kind == "integer", node.get("minimum"), node.get("maximum"))
        case "string":
            return StringType(
                enum_values(node),
                node.get("minLength"),
                node.get("maxLength"),
                node.get("pattern"),
                node.get("format"),
                node.get("preprocess") == "stringToLowerCase",
            )
        case "array":
            items = node.get("items", {"type": "any"})
            return ArrayType(
                parse_type(items, namespace), node.get("minItems"), node.get("maxItems"), items.get("onError")
            )
        case "function":
            listed = node.get("parameters")
            return FunctionType(None if listed is None else parse_parameters(listed, namespace))
        case "object":
            return _parse_object(node, namespace)
    raise ValueError(f"not a type of the schema dialect: {dict(node)!r}")


def enum_values(node: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Returns the strings of an enum, whose items are strings or objects with a name, or None without one."""
    if "enum" not in node:
        return None
    return tuple(item["name"] if isinstance(item, dict) else item for item in node["enum"])


def enum_descriptions(node: Mapping[str, Any]) -> dict[str, str]:
    """Returns the descriptions of the values of an enum, if they have one."""
    return {
        item["name"]: item["description"]
        for item in node.get("enum", ())
        if isinstance(item, dict) and "description" in item
    }


def parse_parameters(listed: list[dict[str, Any]], namespace: str) -> tuple[Parameter, ...]:
    """Returns the parameters of a function, in order."""
    return tuple(
        Parameter(
            each["name"],
            parse_type(each, namespace),
            bool(each.get("optional", False)),
            each.get("description", ""),
        )
        for each in listed
    )


def _parse_object(node: Mapping[str, Any], namespace: str) -> ObjectType:
    additional = node.get("additionalProperties", False)
    is_instance_of = node.get("isInstanceOf")
    if isinstance(additional, dict):
        additional_type: Type | None = parse_type(additional, namespace)
    else:
        additional_type = AnyType() if additional or is_instance_of else None
    return ObjectType(
        {
            name: Property(
                AnyType() if "value" in each and "type" not in each else parse_type(each, namespace),
                bool(each.get("optional", False)),
                bool(each.get("unsupported", False)),
                each.get("onError"),
                parse_versions(each),
                each.get("description", ""),
            )
            for name, each in dict(node.get("properties") or {}).items()
        },
        {key: parse_type(each, namespace) for key, each in node.get("patternProperties", {}).items()},
        additional_type,
        isinstance(additional, dict),
        bool(node.get("ignoreAdditionalProperties", False)),
        bool(node.get("unasked", False)),
        node.get("unseen"),
        is_instance_of,
        "functions" in node or "events" in node,
    )
