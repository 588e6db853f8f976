"""The names that an injected script can declare only once, and its result."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import InjectedScript
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import VariableDeclarator
from extlint.analysis.values.evaluator import Evaluator

_DECLARING = frozenset({"class_declaration", "lexical_declaration"})
"""Statements whose names can be declared only once in a scope."""

_WITHOUT_VALUE = _DECLARING | {
    "empty_statement",
    "function_declaration",
    "generator_function_declaration",
    "variable_declaration",
}
"""Statements that leave the value of the one before."""


def injected_script(evaluator: Evaluator) -> InjectedScript:
    """Returns the first name that a script can declare only once, and the value of its last expression."""
    statements = evaluator.tree.root.named()
    declared = next((name for each in statements if (name := _declared_name(each)) is not None), None)
    return InjectedScript(
        None if declared is None else (evaluator.tree.source(declared), declared.span),
        _last_value(evaluator, statements),
    )


def _declared_name(statement: Node) -> Node | None:
    """Returns a name that a statement declares, or None if it may be declared again."""
    if statement.type not in _DECLARING:
        return None
    first = statement.first()
    name = first.name if isinstance(first, VariableDeclarator) else first
    return name if name is not None and name.type in {"identifier", "type_identifier"} else None


def _last_value(evaluator: Evaluator, statements: list[Node]) -> Value | None:
    """Returns the value of the last statement that has one, or None if it is not an expression."""
    last = next((each for each in reversed(statements) if each.type not in _WITHOUT_VALUE), None)
    expression = last.first() if last is not None and last.type == "expression_statement" else None
    return None if expression is None else evaluator.possible.value(expression)
