"""Resolves functions that a script imports: another module's exported name, and its definition there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.call_graph.definitions import DEFAULT
from extlint.analysis.expressions.imports import module_of
from extlint.analysis.modules.exports import exported_values, exports_all
from extlint.analysis.modules.loads import top_level
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, ExportStatement, Function, ImportSpecifier
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

_MAX_MEMBERS = 4


class ImportedMember(Struct, frozen=True):
    """An export of a module, or a member of one."""

    module: str
    name: str
    members: tuple[str, ...] = ()


def imported_member(evaluator: Evaluator, expression: Node) -> ImportedMember | None:
    """Returns the export of another module that an expression names, or None if unknown.

    Examples: `on`, `all.on`.
    """
    members: list[str] = []
    item = innermost(expression)
    while isinstance(item, AccessExpression) and len(members) < _MAX_MEMBERS:
        name = key_of(evaluator, item)
        if name is None:
            return None
        members.insert(0, name)
        item = innermost(item.object)
    binding = evaluator.names.variable(item) if item.type == "identifier" else None
    declared = binding.declarations[0] if binding is not None and len(binding.declarations) == 1 else None
    if declared is None or declared.kind != "import" or declared.source is None:
        return None
    module = module_of(evaluator, declared.source)
    clause = declared.source
    if module is None:
        return None
    if isinstance(clause, ImportSpecifier):
        return ImportedMember(module, evaluator.tree.source(clause.name).strip("\"'"), tuple(members))
    if clause.type == "namespace_import" and members:
        return ImportedMember(module, members[0], tuple(members[1:]))
    return ImportedMember(module, DEFAULT, tuple(members)) if clause.type == "import_clause" else None


def exported_function(
    evaluator: Evaluator, name: str, members: tuple[str, ...]
) -> Function | ImportedMember | None:
    """Returns the function, or other module's export, that a script exports under a name, or None."""
    for statement in top_level(evaluator.tree, ExportStatement):
        if statement.source is None:
            for own, value, item in exported_values(evaluator, statement):
                if own != name or item is None:
                    continue
                for member in members:
                    value = evaluator.possible.member(value, member, item)
                definition = evaluator.definition(value)
                if definition is None:
                    imported = imported_member(evaluator, item)
                    return None if imported is None else _with_members(imported, members)
                return definition if isinstance(definition, Function) else None
            continue
        module = evaluator.tree.source(statement.source)[1:-1]
        for specifier in statement.specifiers():
            if evaluator.tree.source(specifier.alias or specifier.name).strip("\"'") == name:
                return ImportedMember(module, evaluator.tree.source(specifier.name), members)
    return None


def star_export_specifiers(evaluator: Evaluator) -> Iterator[str]:
    """Yields the specifiers of the modules whose exports a script all re-exports: `export * from "b.js"`."""
    for statement in top_level(evaluator.tree, ExportStatement):
        if statement.source is not None and exports_all(statement):
            yield evaluator.tree.source(statement.source)[1:-1]


def _with_members(imported: ImportedMember, members: tuple[str, ...]) -> ImportedMember:
    return ImportedMember(imported.module, imported.name, (*imported.members, *members))
