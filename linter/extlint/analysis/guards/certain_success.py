"""Finds out why the block of a `try` may fail, and so when its `catch` runs.

The block of `try { api = chrome } catch { … }` fails only without `chrome`.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Api
from extlint.analysis.guards.forms.comparisons import operand_of_typeof
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.analysis.guards.forms.members import root_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    ConditionalExpression,
    Function,
    LexicalDeclaration,
    UnaryExpression,
    VariableDeclaration,
)
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import EQUALITY, assigned_parts, innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

_CONSTANTS = frozenset(
    {"comment", "empty_statement", "false", "null", "number", "string", "true", "undefined"}
)
_GLOBAL_OBJECTS = frozenset({"globalThis", "self"})
_SAFE_OPERATORS = frozenset({"!", "void"})


def missing_if_failed(evaluator: Evaluator, part: Node) -> Facts | None:
    """Returns the roots of the API that a part of a script reads: if it fails, one of them is missing.

    Returns an empty set if it never fails, and None if it may fail for other reasons.
    """
    evaluator.tree.spend(1)
    item = innermost(part)
    if item.type in _CONSTANTS or isinstance(item, Function) or operand_of_typeof(item) is not None:
        return NOTHING_IMPLIED
    if (written := assigned_parts(item)) is not None:
        name, value = written
        return _joined(evaluator, value) if _may_assign(evaluator, item, name) else None
    match item:
        case Node(type="expression_statement" | "return_statement" | "statement_block"):
            return _joined(evaluator, *item.named())
        case LexicalDeclaration() | VariableDeclaration():
            return _joined(evaluator, *item.named())
        case UnaryExpression() if item.operator in _SAFE_OPERATORS:
            return missing_if_failed(evaluator, item.argument)
        case BinaryExpression() if item.is_logical or item.operator in EQUALITY:
            return _joined(evaluator, item.left, item.right)
        case ConditionalExpression():
            return _joined(evaluator, item.condition, item.consequence, item.alternative)
        case AccessExpression():
            return _missing_for_member(evaluator, item)
    return (root_facts(evaluator, item) or None) if item.type == "identifier" else None


def _joined(evaluator: Evaluator, *parts: Node | None) -> Facts | None:
    found = NOTHING_IMPLIED
    for part in parts:
        missing = NOTHING_IMPLIED if part is None else missing_if_failed(evaluator, part)
        if missing is None:
            return None
        found |= missing
    return found


def _missing_for_member(evaluator: Evaluator, item: AccessExpression) -> Facts | None:
    """Returns the same for a property of the global object, or of a root."""
    key = key_of(evaluator, item)
    if evaluator.tree.source(item.object) in _GLOBAL_OBJECTS:
        return NOTHING_IMPLIED if key in ROOTS else None
    match evaluator.value(item.object):
        case Api(path=()) if key is not None:
            known, root = (
                missing_if_failed(evaluator, item.object),
                root_facts(evaluator, innermost(item.object)),
            )
            return known | root if known is not None and root else None
    return None


def _may_assign(evaluator: Evaluator, item: Node, target: Node) -> bool:
    """Whether an assignment or declaration always succeeds, apart from its value."""
    if not isinstance(item, AssignmentExpression):
        return target.type == "identifier"
    if isinstance(target, AccessExpression):
        return evaluator.tree.source(target.object) in _GLOBAL_OBJECTS
    if target.type != "identifier":
        return False
    binding = evaluator.names.variable(target)
    if binding is None or not binding.declarations:
        return not evaluator.tree.is_module and b"use strict" not in evaluator.tree.text
    return all(
        each.kind != "import" and not each.is_constant and each.item.start < target.start
        for each in binding.declarations
    )
