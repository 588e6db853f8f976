"""Finds the uses of a property, and determines whether a use may refer to the property of one owner."""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    FunctionValue,
    InstanceValue,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, Class, Function
from extlint.analysis.syntax.shapes import target_of
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to, is_too_common, members_named, patterns_named
from extlint.analysis.values.property_names import key_of


@once_per_script
def uses_of_property(evaluator: Evaluator, name: str, written: bool = False) -> list[Node] | None:
    """Returns the reads of a property (or its writes, if `written`).

    Returns None if its name occurs in too many places.
    """
    if is_too_common(evaluator, name):
        return None
    found: list[Node] = [
        each
        for each in members_named(evaluator, name)
        if key_of(evaluator, each) == name and (assignment_to(each) is not None) is written
    ]
    for part in () if written else patterns_named(evaluator, name):
        found += uses_of_part(evaluator, part)
    return found


def uses_of_part(evaluator: Evaluator, part: Node) -> list[Node]:
    """Returns the uses of the variable that a part of a pattern binds, or else the part itself."""
    variable = target_of(part)
    is_name = variable.type in {"identifier", "shorthand_property_identifier_pattern"}
    binding = evaluator.names.variable(variable) if is_name else None
    if binding is None:
        return [part]
    return [use.item for use in binding.uses if use.role is Role.REFERENCE]


def is_unrelated_use(evaluator: Evaluator, use: Node, function: Node | None, owner: Node | None) -> bool:
    """Whether a member expression certainly refers to something other than a function of a class or object.

    Without a function, the function in question is in another script.
    """
    if not isinstance(use, AccessExpression) or (owner is not None and is_derived(owner)):
        return False
    found = evaluator.value(use.object)
    return all(_is_unrelated_value(evaluator, each, use, function, owner) for each in options_of(found))


def _is_unrelated_value(
    evaluator: Evaluator, of: Value, use: Node, function: Node | None, owner: Node | None
) -> bool:
    if of in (UNKNOWN, GLOBAL):
        return False
    if isinstance(of, InstanceValue) and of.definition is not None:
        definition = evaluator.definition_at(of.definition)
        is_own = owner is not None and of.definition == owner.span
        return not is_own and definition is not None and not is_derived(definition)
    if isinstance(of, ObjectValue | FunctionValue | InstanceValue):
        definition = evaluator.definition_of(use)
        return isinstance(definition, Function) and (function is None or not definition.same(function))
    return True


def is_derived(owner: Node) -> bool:
    """Whether a class extends another, whose methods may call its own."""
    return isinstance(owner, Class) and owner.has_token("class_heritage")
