"""Evaluates object and array literals, functions, classes and the enums of TypeScript."""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    ArrayValue,
    Field,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
    with_use_span,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    Class,
    EnumAssignment,
    EnumDeclaration,
    Function,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import has_default, is_rest
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.constants import string_value
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.functions import has_other_callers, return_value
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import join
from extlint.analysis.values.property_index import PLAIN_KEYS, key_of
from extlint.analysis.values.value_sizes import within_limits

_CONSTANT_KEYS = PLAIN_KEYS | {"number", "string"}


def array_value(view: View, array: Node) -> Value:
    """Returns the value of an array literal, which is known only up to the first hole or spread."""
    items: list[Value] = []
    expects = True
    for child in array.children():
        if child.type == ",":
            if expects:
                return ArrayValue(tuple(items), True, array.span)
            expects = True
        elif child.type == "spread_element":
            return ArrayValue(tuple(items), True, array.span)
        elif child.node.is_named and child.type != "comment":
            items.append(with_use_span(view.value(child), child.span))
            expects = False
    return within_limits(view.evaluator, ArrayValue(tuple(items), False, array.span))


def object_value(view: View, literal: Node, requested: str | None = None) -> Value:
    """Returns the value of an object literal, with properties in the order in which they are set.

    If `requested` is set, it has only the property of that name.
    """
    evaluator = view.evaluator
    fields: dict[str, Field] = {}
    is_open = False
    evaluator.define(literal)
    for child in literal.named() if requested is None else _parts_for(evaluator, literal, requested):
        if child.type == "spread_element":
            inner = child.first()
            spread = UNKNOWN if inner is None else view.partial(inner, requested)
            fields, is_open = _spread(fields, is_open, spread)
            continue
        name = key_of(evaluator, child)
        if name is None:
            fields = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in fields.items()}
            is_open = True
        elif name == "__proto__" and child.type == "pair":
            is_open = True
        elif requested is None or name == requested:
            fields[name] = Field(_property(view, child), _key(child).span)
    return within_limits(evaluator, ObjectValue(fields, is_open, literal.span))


def _parts_for(evaluator: Evaluator, literal: Node, requested: str) -> list[Node]:
    """Returns the parts of an object literal that may affect the value of one of its properties, in order."""
    parts, by_name = literal_parts(evaluator, literal)
    return [parts[at] for at in sorted((*by_name.get(requested, ()), *by_name.get(None, ())))]


@once_per_script
def literal_parts(evaluator: Evaluator, literal: Node) -> tuple[list[Node], dict[str | None, list[int]]]:
    """Returns the parts of an object literal, and the indices in that list of the parts with each name.

    The key None stands for parts whose name is not evident from the syntax, and for parts that set other
    properties.
    """
    parts, by_name = literal.named(), dict[str | None, list[int]]()
    for at, part in enumerate(parts):
        name = key_of(evaluator, part) if _key(part).type in _CONSTANT_KEYS else None
        by_name.setdefault(None if name == "__proto__" else name, []).append(at)
    return parts, by_name


def _key(part: Node) -> Node:
    match part:
        case Pair():
            return part.key
        case MethodDefinition():
            return part.name
    return part


def _property(view: View, child: Node) -> Value:
    if isinstance(child, Pair):
        return with_use_span(view.value(child.value), child.value.span)
    if isinstance(child, MethodDefinition):
        if child.has_token("get"):
            return return_value(view, child)
        return UNKNOWN if child.has_token("set") else view.value(child)
    return with_use_span(view.value(child), child.span)


def _spread(fields: dict[str, Field], is_open: bool, spread: Value) -> tuple[dict[str, Field], bool]:
    """Returns the fields after `...spread`, and whether the object may have others."""
    options = options_of(spread)
    merged = dict(fields)
    for option in options:
        if isinstance(option, ObjectValue) and not option.open:
            for name, found in option.fields.items():
                before = merged.get(name)
                if len(options) == 1 and not found.maybe_absent:
                    merged[name] = found
                elif before is None:
                    value = join(found.value, UNKNOWN) if is_open else found.value
                    merged[name] = Field(value, found.key, True)
                else:
                    merged[name] = Field(join(before.value, found.value), before.key, before.maybe_absent)
        elif not _spreads_nothing(option):
            unknown = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in merged.items()}
            return unknown, True
    return merged, is_open


def _spreads_nothing(value: Value) -> bool:
    if isinstance(value, Literal):
        return value.kind is not Kind.STRING
    if isinstance(value, Typed):
        return value.kind in {Kind.BOOLEAN, Kind.NUMBER, Kind.BIGINT}
    return isinstance(value, FunctionValue)


def function_value(view: View, function: Function | Class) -> Value:
    """Returns the value of a function or class."""
    evaluator = view.evaluator
    span = evaluator.define(function)
    if isinstance(function, Class):
        return FunctionValue(None, is_class=True, span=span)
    parameters = function.parameters
    plain = [each for each in parameters if not is_rest(each)]
    counted = max((at for at, each in enumerate(plain, 1) if not has_default(each)), default=0)
    known = counted == 0 or not has_other_callers(evaluator, function, counted)
    return FunctionValue(
        tuple(each.span for each in plain[:counted]) if known else None,
        len(plain) < len(parameters),
        reads_arguments(evaluator.tree, function),
        span=span,
    )


def reads_arguments(tree: SyntaxTree, function: Function) -> bool:
    """Whether a function may read its parameters as `arguments`."""
    body = function.body
    return function.type != "arrow_function" and b"arguments" in tree.text[body.start : body.end]


MAX_MEMBERS = 2_000
"""The maximum number of members of an enum; the value of a larger one is unknown."""


def enum_value(view: View, declaration: EnumDeclaration) -> Value:
    """Returns the object of an enum; members without a value count up from the previous one."""
    evaluator = view.evaluator
    members = declaration.body.named()
    if len(members) > MAX_MEMBERS:
        return UNKNOWN
    fields: dict[str, Field] = {}
    before: Value = Literal(Kind.NUMBER, -1.0)
    for member in members:
        key, value = (member.name, member.value) if isinstance(member, EnumAssignment) else (member, None)
        name = _name(evaluator, key)
        if name is None:
            return UNKNOWN
        if value is None:
            before = _next(before, member)
        elif value.type == "identifier" and evaluator.tree.source(value) in fields:
            before = fields[evaluator.tree.source(value)].value
        else:
            before = with_use_span(view.value(value), value.span)
        fields[name] = Field(before, key.span)
    evaluator.define(declaration)
    return ObjectValue(fields, True, declaration.span)


def _name(evaluator: Evaluator, key: Node) -> str | None:
    source = evaluator.tree.source(key)
    if key.type == "property_identifier":
        return source
    if key.type == "string":
        value = string_value(source, key.span)
        return value.value if isinstance(value, Literal) and isinstance(value.value, str) else None
    return key_of(evaluator, key)


def _next(before: Value, member: Node) -> Value:
    if isinstance(before, Literal) and isinstance(before.value, float):
        return Literal(Kind.NUMBER, before.value + 1, member.span)
    return Typed(Kind.NUMBER, member.span)
