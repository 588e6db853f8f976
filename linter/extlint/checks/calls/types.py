"""The types of values in calls, according to the schemas, and the environment in which values match them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import OBJECT_MEMBERS, ApiResult, Delivery
from extlint.analysis.values.constants import ARRAY_MEMBERS, NUMBER_MEMBERS, STRING_MEMBERS
from extlint.checks.api.schema_path import SchemaPath, find_schema_path, schema_path_of
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event, Function, SchemaSet
from extlint.schema.types import (
    ArrayType,
    ChoicesType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    Parameter,
    RefType,
    StringType,
    Type,
)
from extlint.text.wording import quoted


def matching_environment(extension: Extension) -> Environment:
    """Returns the environment in which arguments of this extension are matched."""
    serialization = extension.manifest.get("message_serialization")
    is_cloning = serialization is not None and serialization.value != "json"
    return environment_of(extension.schemas, extension.manifest_version, is_cloning)


@cache
def environment_of(schemas: SchemaSet, manifest_version: int, is_cloning: bool = False) -> Environment:
    """Returns the environment of all extensions with these schemas and this manifest version.

    `is_cloning` is true if the manifest makes Chrome clone messages.
    """
    return Environment(schemas, schemas.engine or Engine.GECKO, manifest_version, is_cloning)


ITEM = "[]"
"""The step from an array to an item."""

LENGTH = "length"
_LENGTH_TYPE = NumberType(integer=True, minimum=0)

MAX_TYPES = 40
"""A value with more types than this has no known type."""

_ORDINALS = {1: "second", 2: "third"}
"""The ordinals of the values passed to a listener after the first one."""

MAX_NESTED_CHOICES = 8
"""Choices nested deeper than this (they may be circular) are not followed."""


_MAX_CACHED = 5_000
"""The maximum number of results, each in one target, whose types are kept for other packages."""


class PossibleType(Struct, frozen=True):
    """A type that a result may have, neither choices nor a reference.

    `name` is its name in the schemas, or None for an inline type.
    """

    type: Type
    name: RefType | None = None


def possible_types(extension: Extension, result: ApiResult) -> tuple[PossibleType, ...]:
    """Returns the possible types of a result, apart from undefined, or an empty tuple if they are unknown.

    A field missing in some of the types is undefined in these, and null has no items.
    """
    version = extension.manifest_version
    return _types_at(
        extension.schemas, version, result.path, result.delivery, result.index, tuple(result.steps)
    )


def is_nothing(extension: Extension, result: ApiResult) -> bool:
    """Whether a result is the value of a call or of its promise that has none, so that it is undefined."""
    found = schema_path_of(extension, result.path)
    if found is None or found.rest or result.steps or not isinstance(found.member, Function):
        return False
    if result.delivery is Delivery.PROMISE:
        return found.member.result == ()
    return result.delivery is Delivery.RETURN and found.member.async_ is None and found.member.returns is None


def api_of(result: ApiResult) -> str:
    """Returns the member that a result is from: `management.getSelf`."""
    return ".".join(result.path)


def result_source(result: ApiResult) -> str:
    """Returns the source of a result, as a phrase: "`management.getSelf` returns"."""
    return f"{quoted(api_of(result))} {'passes' if result.delivery is Delivery.LISTENER else 'returns'}"


def describe_result(result: ApiResult) -> str:
    """Returns a result as a phrase for messages: "`type` in the result of `management.getSelf`"."""
    names = [step for step in result.steps if step != ITEM]
    place = f"{quoted('.'.join(names))} in " if names else ""
    if result.delivery is Delivery.MEMBER:
        return quoted(api_of(result))
    item = "each item of " if result.steps[-1:] == (ITEM,) else ""
    if result.delivery is Delivery.LISTENER:
        later = not result.steps and result.index in _ORDINALS
        what = f"the {_ORDINALS[result.index]} value that" if later else "what"
        return f"{item}{place}{what} {result_source(result)}"
    return f"{item}{place}the result of {quoted(api_of(result))}"


def _type_of_result(found: SchemaPath | None, delivery: Delivery, index: int) -> Type | None:
    """Returns the type of the complete value, before any step into it."""
    if found is None or found.rest:
        return None
    match found.member, delivery:
        case Function(), Delivery.MEMBER:
            return FunctionType()
        case Function(async_=None, returns=returns), Delivery.RETURN | Delivery.PROMISE:
            return returns
        case Function(result=(only,)), Delivery.PROMISE:
            return only.type
        case Function(result=tuple() as passed), Delivery.CALLBACK:
            return _type_at(passed, index)
        case Event(listener=tuple() as passed), Delivery.LISTENER:
            return _type_at(passed, index)
    return None


def _type_at(passed: Sequence[Parameter], index: int) -> Type | None:
    return passed[index].type if index < len(passed) else None


@lru_cache(_MAX_CACHED)
def _types_at(
    schemas: SchemaSet,
    manifest_version: int,
    path: ApiPath,
    delivery: Delivery,
    index: int,
    steps: tuple[str, ...],
) -> tuple[PossibleType, ...]:
    """Returns the possible types of the result of a member; see `possible_types`."""
    returned = _type_of_result(find_schema_path(schemas, path, manifest_version), delivery, index)
    env = environment_of(schemas, manifest_version)
    found = None if returned is None else _flattened([returned], env)
    for step in steps:
        found = None if found is None else _types_at_step(step, found, env)
    return found or ()


def _flattened(kinds: Iterable[Type], env: Environment) -> tuple[PossibleType, ...] | None:
    """Returns the types with choices expanded and references resolved, or None if one cannot be resolved."""
    found: list[PossibleType] = []
    waiting = [(kind, 0) for kind in kinds]
    while waiting:
        kind, depth = waiting.pop(0)
        target = env.resolve(kind)
        if target is None or depth > MAX_NESTED_CHOICES or len(waiting) + len(found) > MAX_TYPES:
            return None
        if isinstance(target, ChoicesType):
            waiting += [(choice.type, depth + 1) for choice in target.choices]
        else:
            found.append(PossibleType(target, kind if isinstance(kind, RefType) else None))
    return tuple(found)


def _types_at_step(
    step: str, types: Sequence[PossibleType], env: Environment
) -> tuple[PossibleType, ...] | None:
    """Returns the types of a field or an item of a value that has one of these types."""
    parts: list[Type] = []
    for each in types:
        match each.type:
            case NullType():
                pass
            case ArrayType(items=items) if step == ITEM:
                parts.append(items)
            case ArrayType() | StringType() if step == LENGTH:
                parts.append(_LENGTH_TYPE)
            case ObjectType(properties=listed) as kind if is_live(kind) and step in listed:
                parts.append(listed[step].type)
            case ObjectType(additional=values) as kind if values is not None and is_map(kind, step):
                parts.append(values)
            case ObjectType() as kind if step != ITEM and is_described(kind) and step not in OBJECT_MEMBERS:
                if step in kind.properties:
                    parts.append(kind.properties[step].type)
                elif kind.unseen:
                    return None
            case _:
                return None
    return _flattened(parts, env)


def is_map(kind: ObjectType, step: str) -> bool:
    """Whether an object has values of one type at any key, and a step leads to one of them."""
    has_others = kind.properties or kind.pattern_properties or kind.has_methods
    return not has_others and step != ITEM and step not in OBJECT_MEMBERS


def is_described(kind: ObjectType) -> bool:
    """Whether the schema lists all fields of an object of this type."""
    is_open = kind.pattern_properties or kind.additional is not None or kind.ignore_additional
    return bool(kind.properties) and not is_open and not kind.has_methods and kind.is_instance_of is None


def is_open(kind: Type) -> bool:
    """Whether an object may have fields that are not listed."""
    return isinstance(kind, ObjectType) and (is_live(kind) if kind.unseen is None else kind.unseen)


def is_live(kind: ObjectType) -> bool:
    """Whether an object has functions or events, like a port, and is not just a record of data."""
    is_event = RefType("events", "Event")
    return kind.has_methods or any(
        isinstance(each.type, FunctionType) or each.type == is_event for each in kind.properties.values()
    )


def fields_of(extension: Extension, possible: PossibleType) -> tuple[str, ...] | None:
    """Returns the fields, functions and events that the schemas list for an object, or None if unknown.

    In browsers, a live object may have more.
    """
    kind, name = possible.type, possible.name
    match kind:
        case ArrayType():
            return ARRAY_MEMBERS
        case StringType():
            return STRING_MEMBERS
        case NumberType():
            return NUMBER_MEMBERS
    if not isinstance(kind, ObjectType):
        return None
    if is_described(kind):
        return tuple(kind.properties)
    owner = None if name is None or not is_live(kind) else extension.schemas.namespace(name.namespace)
    if name is None or owner is None or kind.is_instance_of is not None or kind.pattern_properties:
        return None
    return tuple(dict.fromkeys((*kind.properties, *owner.members_of_type(name.name))))
