"""The names that a script declares at its top and its result, and uses of names that it does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.expressions.destructuring import names_in
from extlint.analysis.facts.script_facts import Declaration, TopLevel
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, Node
from extlint.analysis.syntax.nodes import VariableDeclarator
from extlint.analysis.values.evaluator import Evaluator

_UNIQUE = frozenset({"class_declaration", "lexical_declaration"})
"""Statements whose names can be declared only once in a scope."""

_DECLARING = _UNIQUE | DECLARED_FUNCTIONS | {"variable_declaration"}
_WITHOUT_VALUE = _DECLARING | {"empty_statement"}
"""Statements that leave the value of the one before."""


def top_level(evaluator: Evaluator) -> TopLevel:
    """Returns the names that a script declares at its top, and the value of its last expression."""
    statements = evaluator.tree.root.named()
    declarations = (
        Declaration(evaluator.tree.source(name), name.span, each.type in _UNIQUE)
        for each in statements
        if each.type in _DECLARING
        for name in _declared_names(each)
    )
    return TopLevel(tuple(declarations), _last_value(evaluator, statements))


def _declared_names(statement: Node) -> Iterator[Node]:
    if statement.type in DECLARED_FUNCTIONS or statement.type == "class_declaration":
        name = statement.field("name")
        if name is not None:
            yield name
        return
    for each in statement.named():
        if isinstance(each, VariableDeclarator):
            yield from names_in(each.name)


def _last_value(evaluator: Evaluator, statements: list[Node]) -> Value | None:
    """Returns the value of the last statement that has one, or None if it is not an expression."""
    last = next((each for each in reversed(statements) if each.type not in _WITHOUT_VALUE), None)
    expression = last.first() if last is not None and last.type == "expression_statement" else None
    return None if expression is None else evaluator.possible.value(expression)
