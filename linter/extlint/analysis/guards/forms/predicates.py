"""Tests by a function that is named like one: `_.isFunction(browser.management.getAll)`.

The name counts if the function is in no known code, or in another script. The code of others is read.
"""

from __future__ import annotations

from extlint.analysis.facts.values import FunctionValue
from extlint.analysis.guards.forms.facts import ConditionQuery, Facts
from extlint.analysis.guards.forms.members import operand_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.condition_values import condition_value
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_NAME = lazy(r"(?:is|has)(?:[A-Z_]\w*)?\Z|(?:exists|supports)\Z")
_NEGATION = lazy(
    r"Empty|Missing|N(?:il|on?|ot|ull)(?![a-z])|Undefined|_(?:empty|missing|nil|not?|null|undefined)"
)


def implied(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the argument of a test as present or missing, or None for any other expression."""
    argument = _tested_argument(query.evaluator, call)
    if argument is None or not isinstance(call, CallExpression) or _is_known(query.evaluator, call):
        return None
    members = operand_facts(query, argument)
    if not members:
        return None
    is_negated = len(_NEGATION.findall(_name(query.evaluator, call) or "")) % 2 == 1
    return query.if_requested(members, present=query.outcome is not is_negated)


def only_tests(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is the argument of a test."""
    argument = None if parent.parent is None else _tested_argument(evaluator, parent.parent)
    return argument is not None and argument.same(operand)


def _tested_argument(evaluator: Evaluator, call: Node) -> Node | None:
    if not isinstance(call, CallExpression) or len(call.arguments) != 1:
        return None
    name = _name(evaluator, call)
    return None if name is None or _NAME.match(name) is None else innermost(call.arguments[0])


def _name(evaluator: Evaluator, call: CallExpression) -> str | None:
    callee = innermost(call.callee)
    if isinstance(callee, AccessExpression):
        return key_of(evaluator, callee)
    return evaluator.tree.source(callee) if callee.type == "identifier" else None


def _is_known(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the code of a function, or what it implies, is known."""
    value = condition_value(evaluator, call.callee)
    has_implications = isinstance(value, FunctionValue) and value.implications is not None
    return has_implications or isinstance(evaluator.definition(value), Function)
