"""The names that a script declares at its top and its result, and uses of names that it does not declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from extlint.analysis.expressions.destructuring import names_in
from extlint.analysis.facts.script_facts import Declaration, GlobalUse, TopLevel
from extlint.analysis.facts.values import Value
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.scope.model import Role
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


_WITH = "with_statement"


def undeclared_uses(evaluator: Evaluator, paths: ExecutedPaths, names: Iterable[str]) -> Iterator[GlobalUse]:
    """Yields the first use of each of these names that the script does not declare and certainly reads.

    Another one that certainly runs when the script loads follows if the first may run later.
    """
    for name in names:
        is_first = True
        for at in evaluator.names.words.occurrences(name):
            use = evaluator.attempt((at, at + 1), partial(_use_at, evaluator, paths, name, at))
            if use is not None and (is_first or use.on_load):
                yield use
                is_first = False
                if use.on_load:
                    break


def _use_at(evaluator: Evaluator, paths: ExecutedPaths, name: str, at: int) -> GlobalUse | None:
    leaf = evaluator.tree.leaf_at(at)
    if leaf.start != at or leaf.type != "identifier":
        return None
    found = evaluator.names.classify(at)
    if found is None or found.role is not Role.REFERENCE or evaluator.names.variable(leaf) is not None:
        return None
    if any(each.type == _WITH for each in leaf.ancestors()):
        return None
    executed = paths.to(leaf)
    if not executed:
        return None
    return GlobalUse(name, leaf.span, None, True, executed, paths.on_load(leaf))
