"""Objects that a script assigns in place of a part of the API that may be missing."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Api, Literal, ObjectValue, options_of
from extlint.analysis.scope.reaching_definitions import may_keep_old_value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AssignmentExpression, AugmentedAssignment, BinaryExpression
from extlint.analysis.syntax.shapes import innermost, outermost
from extlint.analysis.values.evaluator import Evaluator


def added_fields(evaluator: Evaluator, value: Node, path: ApiPath) -> Iterable[str] | None:
    """Returns the members of an object that is assigned to a path, which may also keep its old value.

    Returns None if the assigned value is something else, or may have other members.
    """
    options = [each for each in options_of(evaluator.possible.value(value)) if not isinstance(each, Literal)]
    new = [each for each in options if not (isinstance(each, Api) and each.path == path)]
    objects = [each for each in new if isinstance(each, ObjectValue) and not each.open]
    if not objects or len(objects) != len(new):
        return None
    return {name for each in objects for name in each.fields}


def is_value_discarded(assignment: Node) -> bool:
    """Whether no code uses the value of an assignment, which would be another name of the assigned object."""
    up = outermost(assignment).parent
    if isinstance(up, BinaryExpression) and up.operator in {"&&", "||"}:
        return is_value_discarded(up)
    return up is not None and up.type in {"expression_statement", "sequence_expression"}


def is_empty_fallback(place: Node) -> bool:
    """Whether a root is assigned an empty object only if it is missing: `window.chrome ??= {}`."""
    match place.parent:
        case AugmentedAssignment() as assignment:
            return may_keep_old_value(assignment) and _is_empty(assignment.right)
        case AssignmentExpression(right=right) as assignment if place.is_field("left"):
            choice = innermost(right)
            if isinstance(choice, BinaryExpression):
                return choice.operator in {"??", "||"} and _is_empty(choice.right)
            return _is_empty(choice) and _is_conditional(assignment)
    return False


def _is_conditional(assignment: Node) -> bool:
    """Whether an assignment is all that a condition decides: `if (!window.chrome) window.chrome = {}`."""
    statement = outermost(assignment).parent
    if isinstance(statement, BinaryExpression):
        return statement.is_logical
    block = None if statement is None else statement.parent
    if block is not None and block.type == "statement_block" and len(block.named()) == 1:
        block = block.parent
    return block is not None and block.type == "if_statement"


def _is_empty(value: Node) -> bool:
    item = innermost(value)
    return item.type == "object" and not item.named()
