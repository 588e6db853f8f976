"""Finds the facts about a return value that a function tests.

Example: `tabs()`, which throws if `browser.tabs` is missing.
"""

from __future__ import annotations

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function, VariableDeclarator
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements


def tested_by_function(evaluator: Evaluator, guards: GuardReader, named: Node) -> frozenset[ApiPath]:
    """Returns the members that exist whenever the function called for a member's object returns."""
    call = _source_call(evaluator, named.object) if isinstance(named, AccessExpression) else None
    if call is None:
        return frozenset()
    function = evaluator.definition_of(call.callee)
    if not isinstance(function, Function) or function.body.type != "statement_block":
        return frozenset()
    found = [guards.within_function(each)[0].tested for each in return_statements(evaluator, function.body)]
    return frozenset(each for each in frozenset.intersection(*found) if each[0]) if found else frozenset()


def _source_call(evaluator: Evaluator, holder: Node) -> CallExpression | None:
    """Returns the call that returns an object, or that initializes the constant which holds it, or None."""
    expression = innermost(holder)
    if expression.type == "identifier":
        binding = evaluator.names.variable(expression)
        source = None
        if binding is not None and len(binding.writes) == 1:
            source = binding.writes[0].source
        if not isinstance(source, VariableDeclarator) or source.value is None:
            return None
        expression = innermost(source.value)
    return expression if isinstance(expression, CallExpression) else None
