"""Finds the exports of a module, for the scripts that import it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import names_in
from extlint.analysis.expressions.imports import EXPORT_ASSIGNMENT, namespace_of
from extlint.analysis.expressions.variables import variable_value
from extlint.analysis.facts.other_scripts import Exports
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.modules.loads import top_level
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import ExportStatement, VariableDeclarator
from extlint.analysis.syntax.shapes import declared_name
from extlint.analysis.values.evaluator import Evaluator

if TYPE_CHECKING:
    from extlint.analysis.modules.value_summaries import Summaries


def exports_of(evaluator: Evaluator, api_places: ApiPlaces, star_exports: list[str] | None = None) -> Exports:
    """Returns the exports of a script, as summaries of their values.

    If a list is given, `export * from "b.js"` adds the name of the module to it, and its exports are not
    returned.
    """
    from extlint.analysis.modules.value_summaries import Summaries

    found: dict[str, Value] = {}
    summaries = Summaries(evaluator, api_places)
    for statement in top_level(evaluator.tree, ExportStatement):
        if star_exports is not None and statement.source is not None and exports_all(statement):
            star_exports.append(evaluator.tree.source(statement.source)[1:-1])
        else:
            evaluator.attempt(statement.span, partial(_add_exports, evaluator, summaries, statement, found))
    if not found:
        exported = evaluator.attempt(
            None, lambda: summaries.summary_of_parts(*bundle_of(evaluator).exports_of_file())
        )
        if exported is not None:
            return {EXPORT_ASSIGNMENT: exported}
    for name, value in bundle_of(evaluator).exported_modules(api_places):
        summary = summaries.summary(value)
        if summary is not None:
            found[name] = summary
    return found


def _add_exports(
    evaluator: Evaluator, summaries: Summaries, statement: ExportStatement, found: dict[str, Value]
) -> None:
    for name, value, node in exported_values(evaluator, statement):
        summary = summaries.summary_of_export(value, node)
        if summary is not None:
            found[name] = summary


def exported_values(
    evaluator: Evaluator, statement: ExportStatement
) -> Iterator[tuple[str, Value, Node | None]]:
    """Yields the exports of a statement: the name, the value, and the expression or variable that has it."""
    source = evaluator.tree.source
    value, declaration = statement.value, statement.declaration
    if statement.source is not None:
        exports = evaluator.imported(source(statement.source)[1:-1])
        for name, each in _re_exports(evaluator, statement, exports):
            yield name, each, None
    elif value is not None:
        yield "default", evaluator.value(value), value
    elif statement.has_token("="):
        exported = statement.first()
        yield EXPORT_ASSIGNMENT, UNKNOWN if exported is None else evaluator.value(exported), exported
    elif declaration is not None:
        named = declared_name(declaration)
        if named is not None:
            name = "default" if statement.has_token("default") else source(named)
            yield name, variable_value(evaluator, named), named
        for declarator in declaration.named():
            if isinstance(declarator, VariableDeclarator):
                names = names_in(declarator.name)
                for leaf in names:
                    yield source(leaf), variable_value(evaluator, leaf), leaf
    else:
        for specifier in statement.specifiers():
            own = specifier.name
            name = source(specifier.alias or own).strip("\"'")
            yield name, variable_value(evaluator, own), own


def _re_exports(
    evaluator: Evaluator, statement: ExportStatement, exports: Exports
) -> Iterator[tuple[str, Value]]:
    """Yields the names and values that `export … from` re-exports from another module."""
    source = evaluator.tree.source
    for specifier in statement.specifiers():
        own = source(specifier.name)
        if own in exports:
            yield source(specifier.alias or specifier.name), exports[own]
    namespace = _namespace_export(statement)
    name = None if namespace is None else namespace.first()
    if name is not None:
        yield source(name), namespace_of(exports)
    elif exports_all(statement):
        for each, value in exports.items():
            if each != "default":
                yield each, value


def exports_all(statement: ExportStatement) -> bool:
    """Whether a statement is `export * from`, without a name for the namespace."""
    return not statement.specifiers() and _namespace_export(statement) is None and statement.has_token("*")


def _namespace_export(statement: ExportStatement) -> Node | None:
    return next((each for each in statement.named() if each.type == "namespace_export"), None)
