"""The names between the braces of imports and exports, read once per script for all queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.call_graph.definitions import DEFAULT
from extlint.analysis.modules.loads import top_level
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import ExportStatement, ImportSpecifier, ImportStatement
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script


class ImportedVariable(Struct, frozen=True):
    """A variable that an import binds, and the specifier of the module."""

    variable: Node
    module: str


class RenamedExport(Struct, frozen=True):
    """An `own as alias` in an export, and the specifier of the module if it is a re-export."""

    own: Node
    alias: Node
    module: str | None


@once_per_script
def imports_by_name(evaluator: Evaluator) -> Mapping[str, Sequence[ImportedVariable]]:
    """Returns the variables that import statements bind, by the name of the export."""
    found: dict[str, list[ImportedVariable]] = {}
    for statement in top_level(evaluator.tree, ImportStatement):
        module = statement.source
        source = "" if module is None else evaluator.tree.source(module)[1:-1]
        for clause in statement.named():
            for name, variable in _variables(evaluator, clause):
                found.setdefault(name, []).append(ImportedVariable(variable, source))
    return found


def _variables(evaluator: Evaluator, clause: Node) -> Iterator[tuple[str, Node]]:
    for each in clause.named() if clause.type == "import_clause" else ():
        if each.type == "identifier":
            yield DEFAULT, each
        elif each.type == "named_imports":
            for one in each.named():
                if isinstance(one, ImportSpecifier):
                    yield evaluator.tree.source(one.name).strip("\"'"), one.alias or one.name


@once_per_script
def renamed_exports(evaluator: Evaluator) -> Sequence[RenamedExport]:
    """Returns the names that export statements export under another name."""
    found: list[RenamedExport] = []
    for statement in top_level(evaluator.tree, ExportStatement):
        module = statement.source
        source = None if module is None else evaluator.tree.source(module)[1:-1]
        found += (
            RenamedExport(each.name, each.alias, source)
            for each in statement.specifiers()
            if each.alias is not None
        )
    return found


@once_per_script
def exports_by_own_name(evaluator: Evaluator) -> Mapping[str, Sequence[RenamedExport]]:
    """Returns the renamed exports, by the names that they have in their module."""
    return _grouped((evaluator.tree.source(each.own), each) for each in renamed_exports(evaluator))


@once_per_script
def exports_by_alias(evaluator: Evaluator) -> Mapping[str, Sequence[RenamedExport]]:
    """Returns the renamed exports, by the names under which other scripts import them."""
    return _grouped((evaluator.tree.source(each.alias), each) for each in renamed_exports(evaluator))


def _grouped(named: Iterator[tuple[str, RenamedExport]]) -> Mapping[str, Sequence[RenamedExport]]:
    found: dict[str, list[RenamedExport]] = {}
    for name, each in named:
        found.setdefault(name, []).append(each)
    return found
