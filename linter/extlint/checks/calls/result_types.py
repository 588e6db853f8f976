"""The types of what the API gives to a script, as the schemas have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from extlint.checks.availability.schema_path import OBJECT_PROTOTYPE_MEMBERS, schema_path_of
from extlint.checks.calls.calls import environment
from extlint.extension import Extension
from extlint.matching.environment import Environment
from extlint.schema.model import Event, Function
from extlint.schema.types import (
    ArrayType,
    ChoicesType,
    FunctionType,
    NullType,
    ObjectType,
    Parameter,
    RefType,
    Type,
)
from extlint.script.facts.values import ApiResult, Delivery
from extlint.text.wording import quoted

ITEM = "[]"
"""The step from an array to an item of it."""

MAX_TYPES = 40
"""A value of more types than this is of no known type."""

MAX_NESTED_CHOICES = 8
"""Choices nested deeper than this (they may be circular) are not followed."""


class Possible(Struct, frozen=True):
    """A type that a result may have, neither choices nor a reference.

    `name` is what the schemas call it, None for a type that is written in place.
    """

    type: Type
    name: RefType | None = None


def possible_types(extension: Extension, result: ApiResult) -> tuple[Possible, ...]:
    """The types that a result may have, undefined aside; empty if that is not known.

    Fields that some of the types lack are undefined there, and items of null do not exist.
    """
    env = environment(extension)
    given = _given(extension, result)
    found = None if given is None else _flat([given], env)
    for step in result.steps:
        found = None if found is None else _after(step, found, env)
    return found or ()


def api_of(result: ApiResult) -> str:
    """The member that gave a result: `management.getSelf`."""
    return ".".join(result.path)


def giving(result: ApiResult) -> str:
    """How a result came: "`management.getSelf` returns"."""
    return f"{quoted(api_of(result))} {'passes' if result.given is Delivery.LISTENER else 'returns'}"


def place_of(result: ApiResult) -> str:
    """A result as messages name it: "`type` in the result of `management.getSelf`"."""
    names = [step for step in result.steps if step != ITEM]
    place = f"{quoted('.'.join(names))} in " if names else ""
    item = "each item of " if result.steps[-1:] == (ITEM,) else ""
    is_passed = result.given is Delivery.LISTENER
    whole = f"what {giving(result)}" if is_passed else f"the result of {quoted(api_of(result))}"
    return f"{item}{place}{whole}"


def _given(extension: Extension, result: ApiResult) -> Type | None:
    """The type of the whole value, before any step into it."""
    found = schema_path_of(extension, result.path)
    if found is None or found.rest:
        return None
    match found.member, result.given:
        case Function(async_=None, returns=returns), Delivery.RETURN | Delivery.PROMISE:
            return returns
        case Function(result=(only,)), Delivery.PROMISE:
            return only.type
        case Function(result=tuple() as passed), Delivery.CALLBACK:
            return _at(passed, result.index)
        case Event(listener=tuple() as passed), Delivery.LISTENER:
            return _at(passed, result.index)
    return None


def _at(passed: Sequence[Parameter], index: int) -> Type | None:
    return passed[index].type if index < len(passed) else None


def _flat(kinds: Iterable[Type], env: Environment) -> tuple[Possible, ...] | None:
    """The types that choices and references lead to; None if one of them leads nowhere."""
    found: list[Possible] = []
    waiting = [(kind, 0) for kind in kinds]
    while waiting:
        kind, depth = waiting.pop(0)
        target = env.resolve(kind)
        if target is None or depth > MAX_NESTED_CHOICES or len(waiting) + len(found) > MAX_TYPES:
            return None
        if isinstance(target, ChoicesType):
            waiting += [(choice.type, depth + 1) for choice in target.choices]
        else:
            found.append(Possible(target, kind if isinstance(kind, RefType) else None))
    return tuple(found)


def _after(step: str, types: Sequence[Possible], env: Environment) -> tuple[Possible, ...] | None:
    """The types of a field, or of an item, of a value of one of these types."""
    parts: list[Type] = []
    for each in types:
        match each.type:
            case NullType():
                pass
            case ArrayType(items=items) if step == ITEM:
                parts.append(items)
            case ObjectType(properties=listed) as kind if is_live(kind) and step in listed:
                parts.append(listed[step].type)
            case ObjectType() as kind if (
                step != ITEM and is_described(kind) and step not in OBJECT_PROTOTYPE_MEMBERS
            ):
                if step in kind.properties:
                    parts.append(kind.properties[step].type)
                elif kind.unseen:
                    return None
            case _:
                return None
    return _flat(parts, env)


def is_described(kind: ObjectType) -> bool:
    """Whether the schema lists the fields of an object of this type, and leaves it at that."""
    is_open = kind.pattern_properties or kind.additional is not None or kind.ignore_additional
    return bool(kind.properties) and not is_open and not kind.has_methods and kind.is_instance_of is None


def is_live(kind: ObjectType) -> bool:
    """Whether an object has functions or events, as ports have: it is for use, and no record of data."""
    is_event = RefType("events", "Event")
    return kind.has_methods or any(
        isinstance(each.type, FunctionType) or each.type == is_event for each in kind.properties.values()
    )


def fields_of(extension: Extension, possible: Possible) -> tuple[str, ...] | None:
    """What the schemas list of an object: its fields, functions and events; None if that is not known.

    Of a live object browsers may have more.
    """
    kind, name = possible.type, possible.name
    if not isinstance(kind, ObjectType):
        return None
    if is_described(kind):
        return tuple(kind.properties)
    owner = None if name is None or not is_live(kind) else extension.schemas.namespace(name.namespace)
    if name is None or owner is None or kind.is_instance_of is not None or kind.pattern_properties:
        return None
    return tuple(dict.fromkeys((*kind.properties, *owner.members_of_type(name.name))))
