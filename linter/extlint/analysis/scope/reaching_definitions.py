"""Reaching definitions: the writes of a variable that may reach a node."""

from __future__ import annotations

from extlint.analysis.scope.model import Binding, Identifier, Role, function_of
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AugmentedAssignment,
    BinaryExpression,
    ConditionalExpression,
    DoStatement,
    ForInStatement,
    ForStatement,
    IfStatement,
    UnaryExpression,
    VariableDeclarator,
    WhileStatement,
)
from extlint.analysis.syntax.shapes import WRAPPERS

MAX_WRITES = 100
"""The most writes to one variable or property that are analyzed; one with more is unknown."""

_BRANCHES = frozenset({"if_statement", "switch_body", "ternary_expression", "try_statement"})
CONDITIONAL = (
    LOOPS
    | _BRANCHES
    | {
        "arrow_function",
        "catch_clause",
        "labeled_statement",
        "switch_case",
        "switch_default",
        "with_statement",
    }
)
"""The nodes that may leave out a part of them."""


def reaching_writes(binding: Binding, at: Node) -> list[Identifier]:
    """Returns the declarations and writes of a variable that may reach a node.

    Within one function, the last write that certainly runs before the node kills earlier writes. Writes in
    other functions may happen at any time. A variable read in a nested function has been written before, so a
    declaration without a value does not reach the read.
    """
    writes = binding.writes
    here = function_of(at)
    valued = [each for each in writes if not _leaves_undefined(each)]
    if not valued:
        return writes
    if all(function_of(each.item).same(here) or each.kind == "parameter" for each in writes):
        return _reaching_writes_in_function(writes, at)
    declared_here = any(function_of(each.item).same(here) for each in binding.declarations)
    return writes if declared_here else valued


def _reaching_writes_in_function(writes: list[Identifier], at: Node) -> list[Identifier]:
    before = sorted((each for each in writes if _effect_offset(each) <= at.start), key=_effect_offset)
    last = next((each for each in reversed(before) if _certainly_writes_before(each, at)), None)
    if last is None:
        return writes
    later = [each for each in writes if each not in before and not _is_only_hoisted(each)]
    loops = (
        [up for up in at.ancestors() if up.type in LOOPS and not _is_repeated_by(last.item, up)]
        if later
        else []
    )
    again = [each for each in later if any(loop.contains(each.item) for loop in loops)]
    return [*before[before.index(last) :], *again]


def _is_repeated_by(code: Node, loop: Node) -> bool:
    """Whether code runs again in each iteration of a loop."""
    match loop:
        case ForStatement(increment=increment):
            return loop.body.contains(code) or (increment is not None and increment.contains(code))
        case DoStatement() | ForInStatement() | WhileStatement():
            return loop.body.contains(code)
    return False


def _effect_offset(write: Identifier) -> int:
    """Returns the byte offset from which a write is visible: -1 if hoisted, usually after its value."""
    if write.kind in {"function", "import", "parameter"} or write.source is None:
        return -1
    return write.item.start if write.kind in {"catch", "loop"} else write.source.end


def _certainly_writes_before(write: Identifier, at: Node) -> bool:
    if write.source is not None and may_keep_old_value(write.source):
        return False
    hoisted = write.role is Role.DECLARATION and write.kind in {"catch", "function", "import", "parameter"}
    return hoisted or certainly_runs_before(write.item, at)


def may_keep_old_value(assignment: Node) -> bool:
    """Whether an assignment writes only if the old value is nullish or fails a test (`??=`)."""
    return isinstance(assignment, AugmentedAssignment) and assignment.is_logical


def certainly_runs_before(code: Node, at: Node) -> bool:
    """Whether code before a node in the same function runs on every path to the node.

    Code in a condition may be known to have run from the outcome that leads to the node: after
    `(x = a) && (y = x.b)`, both are assigned if the condition is true.
    """
    child, needed = code, None
    for up in code.ancestors():
        if up.contains(at):
            return _leads_to(at, child, up, needed)
        match up:
            case BinaryExpression(is_logical=True):
                operator_outcome = _OUTCOMES.get(up.operator)
                if needed not in {None, operator_outcome} or (
                    operator_outcome is None and child.is_field("right")
                ):
                    return False
                if child.is_field("right"):
                    needed = operator_outcome
            case UnaryExpression(operator="!"):
                needed = None if needed is None else not needed
            case _:
                if up.type in CONDITIONAL or (needed is not None and up.type not in WRAPPERS):
                    return False
        child = up
    return True


_OUTCOMES = {"&&": True, "||": False}
"""The outcome of a logical operator that proves that both of its operands were evaluated and had that
outcome.
"""


def _leads_to(at: Node, child: Node, up: Node, needed: bool | None) -> bool:
    """Whether a node runs after an earlier part of `up`, and only on its `needed` outcome, if any."""
    if needed is None:
        return child.is_field("condition") or (up.type not in _BRANCHES and not child.is_field("increment"))
    match up:
        case IfStatement() | ConditionalExpression():
            branch = up.consequence if needed else up.alternative
            return child.is_field("condition") and branch is not None and branch.contains(at)
        case WhileStatement() | ForStatement():
            return child.is_field("condition") and needed and up.body.contains(at)
        case BinaryExpression():
            return _OUTCOMES.get(up.operator) is needed
    return False


def _is_only_hoisted(write: Identifier) -> bool:
    """Whether a write is a `var` without a value, which writes nothing at its own position."""
    return write.kind == "var" and _leaves_undefined(write)


def _leaves_undefined(write: Identifier) -> bool:
    """Whether a write is a declaration without a value."""
    return (
        write.role is Role.DECLARATION
        and write.kind in {"let", "var"}
        and isinstance(write.source, VariableDeclarator)
        and write.source.value is None
    )
