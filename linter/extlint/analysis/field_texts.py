"""Finds the texts of fields that only their class sets: `constructor() { this.url = "https://a.example/"; }`.

Any code may write a field of an instance. So a text counts only if every write of a field of this name in the
script is in a class, as one of `this`. Other scripts are not searched.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.call_graph.callers import subclass_at, uses_of_class
from extlint.analysis.expressions.classes import class_of_this, declared_members
from extlint.analysis.facts.values import (
    Kind,
    Literal,
    Typed,
    Value,
    options_of,
    text_with,
    with_span,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    Class,
    FieldDefinition,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.options import join
from extlint.analysis.values.property_index import assignment_to, is_too_common, key_of, property_writes
from extlint.text.patterns import lazy

_SETS_ANY_FIELD = lazy(rb"\bthis\s*\[|\b(?:assign|defineProperty|defineProperties)\s*\(\s*(?!\{)")


def value_with_fields(evaluator: Evaluator, expression: Node) -> Value:
    """Returns the value of an expression that may be such a field, or begin with one."""
    found = evaluator.possible.value(expression)
    if all(map(_start_of, options_of(found))):
        return found
    item, rest = innermost(expression), ""
    if isinstance(item, BinaryExpression) and item.operator == "+":
        rest = _start_of(evaluator.possible.value(item.right))
        item = innermost(item.left)
    elif item.type == "template_string":
        first = next(iter(item.named()), None)
        inner = None if first is None or first.start != item.start + 1 else first.first()
        if first is None or inner is None:
            return found
        rest = evaluator.tree.text[first.end : first.end + 1].decode("utf-8", "replace").strip("`$")
        item = innermost(inner)
    if not isinstance(item, AccessExpression):
        return found
    texts = [str(each.value) for each in texts_of_field(evaluator, item)]
    if not texts:
        return found
    if item.same(innermost(expression)):
        return with_span(join(*(Literal(Kind.STRING, each) for each in texts)), expression.span)
    return join(*(text_with(each + rest, expression.span) for each in texts))


def _start_of(value: Value) -> str:
    if isinstance(value, Literal) and value.kind is Kind.STRING:
        return str(value.value)
    return value.prefix if isinstance(value, Typed) else ""


def texts_of_field(evaluator: Evaluator, field: AccessExpression) -> Sequence[Literal]:
    """Returns the texts of a field of `this` to which its class always sets a text, or none for any other."""
    name, this = key_of(evaluator, field), innermost(field.object)
    if name is None or this.type != "this" or is_too_common(evaluator, name):
        return ()
    owner = class_of_this(evaluator, this)
    if owner is None or any(each.type == "class_heritage" for each in owner.named()):
        return ()
    declared = declared_members(evaluator, owner).get(name, ())
    fields = [each for each in declared if isinstance(each, FieldDefinition) and not each.has_token("static")]
    if len(fields) < len(declared):
        return ()
    values = [each.value for each in fields if each.value is not None]
    for place in property_writes(evaluator, name):
        assignment = assignment_to(place)
        writer = class_of_this(evaluator, place.object) if place.object.type == "this" else None
        if writer is None or not isinstance(assignment, AssignmentExpression):
            return ()
        if writer.same(owner):
            values.append(assignment.right)
    texts = [evaluator.value(each) for each in values]
    found = [each for each in texts if isinstance(each, Literal) and each.kind is Kind.STRING]
    return found if len(found) == len(texts) and _is_set_by_itself(evaluator, owner) else ()


def _is_set_by_itself(evaluator: Evaluator, owner: Class) -> bool:
    """Whether no other class has the fields of a class, and no code sets fields by unknown names."""
    uses = uses_of_class(evaluator, owner)
    return (
        uses is not None
        and not any(subclass_at(each) for each in uses.uses)
        and _SETS_ANY_FIELD.search(evaluator.tree.text) is None
    )
