"""Finds the functions of other scripts that a call may target, by their names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.call_graph.definitions import DEFAULT
from extlint.analysis.expressions.imports import module_of
from extlint.analysis.facts.values import ObjectValue, Unknown, options_of
from extlint.analysis.modules.loads import top_level
from extlint.analysis.modules.module_names import exports_by_alias
from extlint.analysis.scope.model import Identifier, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    ExportStatement,
    FieldDefinition,
    Function,
    ImportSpecifier,
    MemberExpression,
    MethodDefinition,
    Pair,
    PairPattern,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to, is_too_common, key_of, property_leaves

_CALLBACK_METHODS = frozenset(
    """
    addEventListener addListener catch every filter finally find findIndex findLast flatMap forEach map reduce
    reduceRight replace replaceAll some sort then
    """.split()
)
"""Methods of the language, of browsers and of their API that call their arguments, on any object."""


class Callee(Struct, frozen=True):
    """The name of a function where it is defined, and the module that it is imported from, if any."""

    name: str
    module: str | None = None


def external_callee(evaluator: Evaluator, callee: Node) -> Callee | None:
    """Returns the function that a callee names, or None if the script itself defines it or it is unknown."""
    if isinstance(callee, AccessExpression):
        name = key_of(evaluator, callee)
        is_open = name not in _CALLBACK_METHODS and _may_be_of_package(evaluator, callee.object)
        return Callee(name) if name is not None and is_open else None
    if callee.type != "identifier":
        return None
    binding = evaluator.names.variable(callee)
    if binding is None:
        return Callee(evaluator.tree.source(callee))
    if len(binding.declarations) != 1:
        return None
    (declared,) = binding.declarations
    return _imported(evaluator, declared) if declared.kind == "import" else _destructured(evaluator, declared)


def _may_be_of_package(evaluator: Evaluator, target: Node) -> bool:
    """Whether another script of the package may define the methods of an object."""
    value = evaluator.possible.value(target)
    if value == GLOBAL or evaluator.definition(value) is not None:
        return True
    return all(isinstance(each, Unknown | ObjectValue) for each in options_of(value))


def _imported(evaluator: Evaluator, declared: Identifier) -> Callee | None:
    clause = declared.source
    module = None if clause is None else module_of(evaluator, clause)
    if clause is None or module is None:
        return None
    if isinstance(clause, ImportSpecifier):
        return Callee(evaluator.tree.source(clause.name).strip("\"'"), module)
    return Callee(DEFAULT, module) if clause.type == "import_clause" else None


def _destructured(evaluator: Evaluator, declared: Identifier) -> Callee | None:
    """Returns a function destructured from the result of `require`, or from another object, or None."""
    part = declared.item
    up = part.parent
    if isinstance(up, PairPattern):
        part, up = up, up.parent
    is_part = up is not None and up.type == "object_pattern" and declared.kind != "parameter"
    name = key_of(evaluator, part) if is_part else None
    return None if name is None else Callee(name)


@once_per_script
def functions_named(evaluator: Evaluator, name: str) -> list[Function] | None:
    """Returns the functions that a script defines by a name.

    Returns None if it also defines something else by that name.
    """
    if is_too_common(evaluator, name):
        return None
    found = [*_definitions_named(evaluator, name)]
    functions = {each.id: each for each in found if isinstance(each, Function)}
    return list(functions.values()) if None not in found else None


def _definitions_named(evaluator: Evaluator, name: str) -> Iterator[Node | None]:
    if name == DEFAULT:
        yield from _default_exports(evaluator)
        return
    for declared in evaluator.names.identifiers(name, evaluator.tree.root):
        if declared.role is Role.DECLARATION and declared.kind == "function":
            yield declared.source
        elif declared.role is Role.DECLARATION and declared.kind in {"let", "var"}:
            value = declared.source.value if isinstance(declared.source, VariableDeclarator) else None
            if value is not None and not declared.item.type.startswith("shorthand"):
                yield _function(evaluator, value)
    for leaf in property_leaves(evaluator, name):
        yield from _definition_at(evaluator, leaf)
    for each in exports_by_alias(evaluator).get(name, ()):
        if each.module is None:
            yield _function(evaluator, each.own)


def _definition_at(evaluator: Evaluator, leaf: Node) -> Iterator[Node | None]:
    """Yields the value of a property of that name, at the position of the name."""
    match leaf.parent:
        case MethodDefinition() as method:
            yield method
        case Pair() as pair if leaf.is_field("key"):
            yield _function(evaluator, pair.value)
        case FieldDefinition(value=Node() as value):
            yield _function(evaluator, value)
        case MemberExpression() as member if leaf.is_field("property"):
            assignment = assignment_to(member)
            if assignment is not None:
                yield _function(evaluator, assignment.right)


def _default_exports(evaluator: Evaluator) -> Iterator[Node | None]:
    for statement in top_level(evaluator.tree, ExportStatement):
        if statement.has_token("default"):
            yield _function(evaluator, statement.declaration or statement.value)


def _function(evaluator: Evaluator, value: Node | None) -> Node | None:
    """Returns the function that an expression evaluates to; no value or a primitive is not a function."""
    if value is None:
        return None
    inner = innermost(value)
    return inner if isinstance(inner, Function) else evaluator.definition_of(value)
