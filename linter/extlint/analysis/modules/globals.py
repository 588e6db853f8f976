"""Finds the API values that a script assigns to globals, for the other scripts of its realm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.expressions.replaced_globals import replacing_calls
from extlint.analysis.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.analysis.facts.other_scripts import merge_values
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    InstanceValue,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallOrNewExpression
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.fallback_objects import is_empty_fallback
from extlint.analysis.values.functions import return_value
from extlint.analysis.values.options import is_root
from extlint.analysis.values.property_index import key_of, members_named, written_value

if TYPE_CHECKING:
    from extlint.analysis.modules.value_summaries import Summaries

_GLOBAL_OBJECTS = frozenset({"globalThis", "self", "this", "window"})


def uses_globals(evaluator: Evaluator, names: Iterable[str]) -> bool:
    """Whether a script may use one of these globals, which it does not declare."""
    return any(evaluator.names.free_uses(each) or _is_property(evaluator, each) for each in names)


def _is_property(evaluator: Evaluator, name: str) -> bool:
    """Whether a script uses a global as a property of the global object."""
    members = members_named(evaluator, name)
    return any(evaluator.tree.source(each.object) in _GLOBAL_OBJECTS for each in members)


MAX_DEPTH = 5
"""The maximum depth of objects to follow."""


def api_part(
    value: Value,
    depth: int = 0,
    summary_of: Callable[[Value], Value | None] = lambda _: None,
) -> Value | None:
    """Returns the API, an object with only the members that lead to it, or a function that returns it.

    Returns None for anything else. `summary_of` returns the value of a function or instance without spans.
    """
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    if len(options) != 1 or depth > MAX_DEPTH:
        return None

    def part(inner: Value) -> Value | None:
        return api_part(inner, depth + 1, summary_of)

    def parts(fields: Mapping[str, Field]) -> dict[str, Field]:
        found = {name: part(each.value) for name, each in fields.items()}
        return {name: Field(each) for name, each in found.items() if each is not None}

    match options[0]:
        case Api(path=path, root=root, bound=bound):
            return Api(path, root, None, (UNKNOWN,) * len(bound))
        case ObjectValue(fields=fields):
            inner = parts(fields)
            return ObjectValue(inner, True) if inner else None
        case FunctionValue(span=None, result=result, fields=fields):
            returned, members = None if result is None else part(result), parts(fields)
            if returned is None and not members:
                return None
            return replace(options[0], result=returned, fields=members)
        case FunctionValue() | InstanceValue(builtin=False):
            summary = summary_of(options[0])
            return None if summary is None else part(summary)
    return None


MAX_PATH = 20
"""The maximum number of names between a global and a written member of it; deeper writes are not shared."""


def globals_of(
    evaluator: Evaluator, names: Iterable[str], writes: Iterable[Node], api_places: ApiPlaces
) -> Mapping[str, Value]:
    """Returns the globals of these names to which the script assigns the API, or what leads to it.

    `writes` are members that are assigned to, some of them perhaps members of globals. The value is UNKNOWN
    for a root that the script certainly replaces, and for a wanted name to which it may assign anything else.
    """

    @cache
    def summaries() -> Summaries:
        from extlint.analysis.modules.value_summaries import Summaries

        return Summaries(evaluator, api_places, has_conditions=False)

    def part_of(value: Value) -> Value | None:
        return api_part(value, summary_of=lambda each: summaries().summary(each))

    parts: dict[str, list[Value]] = {}
    for write in writes:
        written = evaluator.attempt(write.span, partial(_written_global, evaluator, write, part_of))
        if written is not None:
            name, value = written
            parts.setdefault(name, []).append(value)
    found: dict[str, Value] = {root: UNKNOWN for root in ROOTS if _replaces_root(evaluator, root)}
    for name in sorted({*names, *parts, *evaluator.shared.wanted}.difference(ROOTS)):
        compute = partial(_shared_value, evaluator, name, parts.get(name, []), part_of)
        global_value = evaluator.attempt(None, compute)
        if global_value is not None:
            found[name] = global_value
    return found


def _shared_value(
    evaluator: Evaluator, name: str, parts: list[Value], part_of: Callable[[Value], Value | None]
) -> Value | None:
    try:
        values = [value for _, value in writes_to_top_level(evaluator, name)]
    except TooManyWritesError:
        return UNKNOWN
    whole = merge_values(values)
    known = part_of(whole)
    if known is None and name in evaluator.shared.wanted and not _is_plain_object(whole):
        return UNKNOWN
    known_parts = parts if known is None else [known, *parts]
    return merge_values(known_parts) if known_parts else None


def _replaces_root(evaluator: Evaluator, root: str) -> bool:
    try:
        writes = writes_to_top_level(evaluator, root)
    except TooManyWritesError:
        return True
    found = [
        *writes,
        *((call, _defined_value(evaluator, call, root)) for call in replacing_calls(evaluator, root)),
    ]
    if not found:
        return False
    guards = GuardReader(evaluator)
    return any(
        not _may_be_root(value) and not is_empty_fallback(place) and guards.certainly_on_load(place)
        for place, value in found
    )


def _defined_value(evaluator: Evaluator, call: CallOrNewExpression, name: str) -> Value:
    """Returns the value that a call assigns to a global, perhaps by a descriptor or a getter."""
    found = evaluator.possible.partial(call.arguments[-1])
    for key in (name, "value", "get"):
        if isinstance(found, ObjectValue) and key in found.fields:
            found = found.fields[key].value
    definition = evaluator.definition(found) if isinstance(found, FunctionValue) else None
    return found if definition is None else return_value(evaluator.possible, definition)


def _may_be_root(value: Value) -> bool:
    """Whether a value is a root of the API, or a primitive."""
    return all(isinstance(each, Literal) or is_root(each) for each in options_of(value))


def _is_plain_object(value: Value) -> bool:
    """Whether a value is only an object to which other scripts may add the API."""
    return all(isinstance(option, Literal | ObjectValue) for option in options_of(value))


def _written_global(
    evaluator: Evaluator, write: Node, part_of: Callable[[Value], Value | None]
) -> tuple[str, Value] | None:
    """Returns the global whose member is written, with an object that has the written value, or None."""
    parts = part_of(written_value(evaluator.possible, write) or UNKNOWN)
    path: list[str] = []
    place = write
    if parts is None:
        return None
    while isinstance(place, AccessExpression):
        name = key_of(evaluator, place)
        if name is None:
            return None
        if evaluator.partial(place.object) == GLOBAL:
            break
        path.append(name)
        if len(path) > MAX_PATH:
            return None
        place = place.object
    else:
        if not _is_global(evaluator, place):
            return None
        name = evaluator.tree.source(place)
    if not path:
        return None
    for each in path:
        parts = ObjectValue({each: Field(parts)}, True)
    return name, parts


def _is_global(evaluator: Evaluator, name: Node) -> bool:
    if name.type != "identifier":
        return False
    binding = evaluator.names.variable(name)
    return binding is None or (binding.scope.type == "program" and not evaluator.tree.is_module)
