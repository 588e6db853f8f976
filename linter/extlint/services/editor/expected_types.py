"""The types that the API expects at a place of a script: in an argument, or next to a compared value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Api, ApiResult, Value, options_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Pair,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import EQUALITY, WRAPPERS, index_of
from extlint.analysis.values.options import api_of
from extlint.analysis.values.property_index import key_of
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.calls.types import ITEM, PossibleType, matching_environment, possible_types
from extlint.extension import Extension
from extlint.schema.model import Event, Function
from extlint.schema.types import (
    ArrayType,
    BooleanType,
    ChoicesType,
    ObjectType,
    Parameter,
    Property,
    RefType,
    StringType,
    Type,
)
from extlint.services.editor.audience import Audience
from extlint.services.editor.script_view import ScriptView

MAX_TYPES = 60
"""The maximum number of types of one place."""

_ADD_LISTENER = "addListener"


class ExpectedTypes(Struct, frozen=True):
    """The possible types of a place, by the name of the target. `api` is the member that has the place."""

    api: ApiPath
    by_target: Mapping[str, tuple[PossibleType, ...]]


def expected_types(view: ScriptView, audience: Audience, node: Node) -> ExpectedTypes | None:
    """Returns the types that an expression may have, or None if nothing about it is known."""
    steps: list[str] = []
    child = node
    while (up := child.parent) is not None:
        match up:
            case Pair() if up.value.same(child):
                name = view.attempt(lambda pair=up: key_of(view.evaluator, pair))  # type: ignore[misc]
                if name is None or up.parent is None:
                    return None
                steps.append(name)
                child = up.parent
                continue
            case ConditionalExpression() if not up.condition.same(child):
                pass
            case BinaryExpression(operator="||" | "??"):
                pass
            case BinaryExpression() if up.operator in EQUALITY:
                return _of_value(view, audience, up.right if up.left.same(child) else up.left, steps)
            case _ if up.type == "array":
                steps.append(ITEM)
            case _ if up.type == "arguments":
                return _of_argument(view, audience, up, child, steps)
            case _ if up.type == "switch_case":
                if not child.is_field("value"):
                    return None
                switch = next((each for each in up.ancestors() if isinstance(each, SwitchStatement)), None)
                return None if switch is None else _of_value(view, audience, switch.value, steps)
            case _ if up.type not in WRAPPERS:
                return None
        child = up
    return None


def properties_of(types: Iterable[PossibleType], version: int) -> dict[str, tuple[Property, PossibleType]]:
    """Returns the properties of the objects among some types, with the type that has each."""
    found: dict[str, tuple[Property, PossibleType]] = {}
    for each in types:
        if isinstance(each.type, ObjectType) and each.type.is_instance_of is None:
            for name, listed in each.type.properties.items():
                if version in listed.versions and not listed.unsupported:
                    found.setdefault(name, (listed, each))
    return found


def values_of(types: Iterable[PossibleType]) -> dict[str, PossibleType]:
    """Returns the strings among some types, with the type that lists each."""
    found: dict[str, PossibleType] = {}
    for each in types:
        if isinstance(each.type, StringType) and each.type.enum is not None:
            for value in each.type.enum:
                found.setdefault(value, each)
    return found


def booleans_of(types: Iterable[PossibleType]) -> tuple[str, ...]:
    """Returns the truth values among some types."""
    for each in types:
        if isinstance(each.type, BooleanType):
            return tuple(str(flag).lower() for flag in each.type.enum or (True, False))
    return ()


def result_types(audience: Audience, value: Value) -> ExpectedTypes | None:
    """Returns the types that a value of the API has, or None for any other value."""
    results = [each for each in options_of(value) if isinstance(each, ApiResult)]
    if len(results) != 1 or any(isinstance(each, Api) for each in options_of(value)):
        return None
    found = {each.target.name: possible_types(each, results[0]) for each in audience.extensions}
    known = {target: types for target, types in found.items() if types}
    return ExpectedTypes(results[0].path, known) if known else None


def _of_value(
    view: ScriptView, audience: Audience, other: Node, steps: Sequence[str]
) -> ExpectedTypes | None:
    return None if steps else result_types(audience, view.value(other))


def _of_argument(
    view: ScriptView, audience: Audience, listed: Node, argument: Node, steps: Sequence[str]
) -> ExpectedTypes | None:
    call = listed.parent
    index = index_of(listed.named(), argument)
    if not isinstance(call, CallExpression) or index is None:
        return None
    callee = api_of(view.value(call.callee))
    if callee is None:
        return None
    index += len(callee.bound)
    found: dict[str, tuple[PossibleType, ...]] = {}
    for extension in audience.extensions:
        kinds = [each.type for each in _parameters_at(extension, callee.path, index)]
        types = types_below(extension, kinds, tuple(reversed(steps)))
        if types:
            found[extension.target.name] = types
    return ExpectedTypes(callee.path, found) if found else None


def _parameters_at(extension: Extension, path: ApiPath, index: int) -> Iterator[Parameter]:
    """Yields the parameters for which the argument at an index may be; optional ones may be left out."""
    is_listening = path[-1:] == (_ADD_LISTENER,)
    found = schema_path_of(extension, path[:-1] if is_listening else path)
    if found is None or found.rest:
        return
    match found.member:
        case Function(parameters=parameters) if not is_listening:
            pass
        case Event(extra=parameters) if is_listening and index > 0:
            index -= 1
        case _:
            return
    required = 0
    for place, each in enumerate(parameters):
        if required <= index <= place:
            yield each
        required += not each.optional


def types_below(
    extension: Extension, kinds: Iterable[Type], steps: Sequence[str]
) -> tuple[PossibleType, ...]:
    """Returns the types at the end of steps into values of some types, without choices and references."""
    types = _flattened(extension, kinds)
    for step in steps:
        parts: list[Type] = []
        for each in types:
            match each.type:
                case ArrayType(items=items) if step == ITEM:
                    parts.append(items)
                case ObjectType(properties=listed) if step in listed:
                    parts.append(listed[step].type)
                case ObjectType(additional=additional) if additional is not None and step != ITEM:
                    parts.append(additional)
        types = _flattened(extension, parts)
    return types


def _flattened(extension: Extension, kinds: Iterable[Type]) -> tuple[PossibleType, ...]:
    env = matching_environment(extension)
    found: list[PossibleType] = []
    waiting = [(kind, 0) for kind in kinds]
    while waiting and len(found) < MAX_TYPES:
        kind, depth = waiting.pop(0)
        target = env.resolve(kind)
        if isinstance(target, ChoicesType) and depth < MAX_TYPES:
            choices = (each.type for each in target.choices if env.manifest_version in each.versions)
            waiting += ((each, depth + 1) for each in choices)
        elif target is not None and not isinstance(target, ChoicesType):
            found.append(PossibleType(target, kind if isinstance(kind, RefType) else None))
    return tuple(found)
