"""Tracks the API as an argument of exported functions, in the scripts that pass or receive it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from extlint.analysis.facts.script_facts import PassedArgument
from extlint.analysis.facts.values import Literal, Value, options_of, union_of
from extlint.analysis.modules.globals import api_part
from extlint.analysis.modules.loads import top_level
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    Class,
    ExportStatement,
    Function,
    ImportSpecifier,
    MemberExpression,
    VariableDeclarator,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import constructor_of
from extlint.analysis.values.recorded import ReceivedArguments, received_arguments


def passed_argument(evaluator: Evaluator, callee: Node, index: int, value: Value) -> PassedArgument | None:
    """Returns the API value that a call passes to an imported function or class, or None."""
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    parts = [part for each in options if (part := api_part(each)) is not None]
    passed = union_of(parts) if parts and len(parts) == len(options) else None
    target = None if passed is None else _import_of(evaluator, callee)
    return None if passed is None or target is None else PassedArgument(*target, index, passed)


def _import_of(evaluator: Evaluator, callee: Node) -> tuple[str, str] | None:
    """Returns the module that exports a function, and the name of the export, or None."""
    name, export_name = callee, None
    if isinstance(callee, MemberExpression):
        name, export_name = callee.object, evaluator.tree.source(callee.property)
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    declared = binding.declarations[0] if binding is not None and binding.declarations else None
    if declared is None or declared.kind != "import" or declared.source is None:
        return None
    from extlint.analysis.expressions.imports import module_of

    clause = declared.source
    module = module_of(evaluator, clause)
    if module is None or (clause.type == "namespace_import") is (export_name is None):
        return None
    if export_name is None:
        original = clause.name if isinstance(clause, ImportSpecifier) else None
        export_name = "default" if original is None else evaluator.tree.source(original)
    return module, export_name


def receive_arguments(evaluator: Evaluator) -> None:
    """Finds the functions to which other scripts pass a part of the API; see `received_arguments`."""
    sent = evaluator.shared.parameters
    found: dict[int, ReceivedArguments] = {}
    names = {name for name, _ in sent}
    for name, exported in _own_exports(evaluator) if names else ():
        if name not in names:
            continue
        function = evaluator.attempt(exported.span, partial(_function_of, evaluator, exported))
        if function is not None:
            evaluator.define(function)
            own = found.setdefault(function.id, ReceivedArguments(function)).values
            own.update(
                {index: value for (function_name, index), value in sent.items() if function_name == name}
            )
    received_arguments(evaluator).update(found)


def _function_of(evaluator: Evaluator, exported: Node) -> Function | None:
    """Returns the function, or the constructor, that an exported expression evaluates to, or None."""
    is_definition = isinstance(exported, Function | Class)
    definition = exported if is_definition else evaluator.definition_of(exported)
    if isinstance(definition, Class):
        definition = constructor_of(evaluator, definition)
    return definition if isinstance(definition, Function) else None


def _own_exports(evaluator: Evaluator) -> Iterator[tuple[str, Node]]:
    """Yields the script's own exports by name: a function, a class, or an expression."""
    source = evaluator.tree.source
    for statement in top_level(evaluator.tree, ExportStatement):
        value, declaration = statement.value, statement.declaration
        if statement.source is not None:
            continue
        if value is not None:
            yield "default", value
        elif isinstance(declaration, Function | Class):
            name = declaration.name
            if statement.has_token("default") or name is not None:
                yield (
                    "default" if statement.has_token("default") or name is None else source(name),
                    declaration,
                )
        elif declaration is not None:
            for each in declaration.named():
                if isinstance(each, VariableDeclarator) and each.value is not None:
                    yield source(each.name), each.value
        else:
            for specifier in statement.specifiers():
                yield source(specifier.alias or specifier.name).strip("\"'"), specifier.name
