"""Conditions that have the same outcome the next time: `if (changes.language)`, `if (settings.showMenu)`.

They test what an event passes to its listener, settings that the extension stores, or whether the browser has
a member (`if (chrome.menus)`), but no variable that the program may change in between.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Api, ApiResult, Literal, Value, options_of
from extlint.analysis.syntax.node import FUNCTIONS, LOOPS, Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    IfStatement,
    SwitchStatement,
    TryStatement,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    BODIES,
    EQUAL,
    EQUALITY,
    ORDER,
    conditions_of,
    exits_block,
    innermost,
)
from extlint.analysis.values.api_results import is_passed_by_event
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_MAX_DEPTH = 8

_ERROR = "lastError"

_UNCERTAIN = LOOPS | {
    *("catch_clause", "field_definition", "labeled_statement", "public_field_definition", "switch_default"),
}
_MAY_EXIT = LOOPS | {
    "if_statement",
    "labeled_statement",
    "statement_block",
    "switch_statement",
    "try_statement",
}
_EXIT = lazy(rb"\b(?:break|continue|return|throw)\b")
_MAY_THROW = lazy(
    rb"\bawait\b|\bnew\b|(?<![\w$.])(?!(?:catch|console\.\w+|for|function|if|switch|while)\s*\()[\w$.?\])]++\s*\("
)
"""Code that may throw an error when it runs again, although it did not before."""

_STORES = lazy(rb"\.\s*(?:clear|remove|set)\s*\(")


def holds_again(evaluator: Evaluator, place: Node) -> bool:
    """Whether a place runs again when its function is called for the next event of the same kind, or start.

    All conditions around the place, and those of exits before it, must test only the event or settings.
    """
    tree = evaluator.tree
    child = place
    for up in place.ancestors():
        tree.spend(1)
        if up.type in FUNCTIONS:
            break
        if up.type in _UNCERTAIN:
            return False
        if isinstance(up, SwitchStatement) and not is_passed_by_event(evaluator.value(innermost(up.value))):
            return False
        if not all(_is_same(evaluator, *each, child.span) for each in conditions_of(child, up)):
            return False
        if up.type in BODIES and not _is_passed_again(evaluator, child, up):
            return False
        is_tried = isinstance(up.parent, TryStatement) and up.is_field("body")
        if is_tried and _MAY_THROW.search(tree.text, up.start, child.start):
            return False
        child = up
    return True


def _is_passed_again(evaluator: Evaluator, child: Node, body: Node) -> bool:
    """Whether the next run passes the statements of a body before one of them, if this run does."""
    for each in body.named():
        evaluator.tree.spend(1)
        if each.start >= child.start:
            break
        if each.type not in _MAY_EXIT or not _EXIT.search(evaluator.tree.text, *each.span):
            continue
        if not isinstance(each, IfStatement) or each.alternative is not None:
            return False
        after = (each.end, body.end)
        if not exits_block(each.consequence) or not _is_same(evaluator, each.condition, False, after):
            return False
    return True


def _is_same(evaluator: Evaluator, condition: Node, outcome: bool, code: ByteSpan, depth: int = 0) -> bool:
    """Whether a condition with an outcome has the same outcome again after the code that depends on it."""
    item = innermost(condition)
    if depth > _MAX_DEPTH:
        return False
    if isinstance(item, UnaryExpression) and item.operator == "!":
        return _is_same(evaluator, item.argument, not outcome, code, depth + 1)
    if isinstance(item, BinaryExpression):
        if item.is_logical:
            return all(
                _is_same(evaluator, each, outcome, code, depth + 1) for each in (item.left, item.right)
            )
        if item.operator == "in":
            return _is_member(evaluator.value(innermost(item.right)))
        if item.operator not in EQUALITY | ORDER:
            return False
        constant = evaluator.value(innermost(item.right))
        if not isinstance(constant, Literal):
            return False
        is_positive = bool(constant.value) and (item.operator in EQUAL) is outcome
        item = innermost(item.left)
    else:
        is_positive = outcome
    if isinstance(item, UnaryExpression) and item.operator == "typeof":
        item = innermost(item.argument)
    value = evaluator.value(item)
    return (
        is_passed_by_event(value)
        or _is_member(value)
        or (is_positive and _is_setting(value) and not _STORES.search(evaluator.tree.text, *code))
    )


def _is_member(value: Value) -> bool:
    """Whether a value is a member of the API, which does not change, or one of several. An error does."""
    options = options_of(value)
    return bool(options) and all(isinstance(each, Api) and each.path[-1:] != (_ERROR,) for each in options)


def _is_setting(value: Value) -> bool:
    """Whether a value certainly is in the extension's storage."""
    options = options_of(value)
    return bool(options) and all(
        isinstance(each, ApiResult) and each.path[0] == "storage" and each.path[-1] == "get" and each.steps
        for each in options
    )
