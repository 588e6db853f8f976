"""The values of TypeScript enums."""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    Field,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    with_use_span,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import EnumAssignment, EnumDeclaration
from extlint.analysis.values.constants import string_value
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.property_names import key_of

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
