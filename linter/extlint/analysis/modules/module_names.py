"""The names that a module imports and exports, and the functions behind those that it imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.call_graph.definitions import DEFAULT
from extlint.analysis.expressions.imports import module_of
from extlint.analysis.modules.exports import exported_values, exports_all
from extlint.analysis.modules.loads import top_level
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    ExportStatement,
    Function,
    ImportSpecifier,
    ImportStatement,
    ModuleSpecifier,
    VariableDeclarator,
)
from extlint.analysis.syntax.parse import grammar_of
from extlint.analysis.syntax.shapes import declared_name, innermost
from extlint.analysis.syntax.source import parsable
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.syntax.tree_cache import parse_uncached
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import ByteSpan

_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})


class ImportedName(Struct, frozen=True):
    """A name that a module imports from another, or re-exports, and its position."""

    name: str
    module: str
    span: ByteSpan


class ModuleNames(Struct, frozen=True):
    """The names of a module; `stars` are the modules whose names it re-exports, except `default`."""

    imported: tuple[ImportedName, ...]
    exported: frozenset[str]
    stars: tuple[str, ...]


def module_names(text: bytes, path: str) -> ModuleNames | None:
    """Returns the names of a module, or None if it cannot be parsed completely."""
    text = parsable(text)
    found = parse_uncached(text, grammar_of(path))
    if found is None or found.tree.root_node.has_error:
        return None
    reader = _Reader(SyntaxTree(text, found.tree, found.places))
    imported = [
        each for one in top_level(reader.tree, ImportStatement) for each in reader.imported_names(one)
    ]
    exported: set[str] = set()
    stars: list[str] = []
    for statement in top_level(reader.tree, ExportStatement):
        imported += reader.re_exported_names(statement)
        if statement.source is not None and exports_all(statement):
            stars.append(reader.text(statement.source))
        else:
            exported.update(reader.exported_names(statement))
    if any("\\" in each for each in (*exported, *stars, *(each.name for each in imported))):
        return None
    return ModuleNames(tuple(imported), frozenset(exported), tuple(stars))


class _Reader:
    """Reads the statements of one module."""

    def __init__(self, tree: SyntaxTree) -> None:
        self.tree = tree

    def text(self, item: Node) -> str:
        """Returns the text of a name, or of a string without its quotes."""
        return self.tree.source(item).strip("\"'")

    def imported_names(self, statement: ImportStatement) -> Iterator[ImportedName]:
        """Yields the names in an import."""
        if statement.source is None:
            return
        module = self.text(statement.source)
        for clause in (each for each in statement.named() if each.type == "import_clause"):
            for part in clause.named():
                if part.type == "identifier":
                    yield ImportedName(DEFAULT, module, part.span)
                elif part.type == "named_imports":
                    for each in part.named():
                        if isinstance(each, ImportSpecifier):
                            yield self._of_specifier(each, module)

    def re_exported_names(self, statement: ExportStatement) -> Iterator[ImportedName]:
        """Yields the names in an export from another module."""
        if statement.source is not None:
            module = self.text(statement.source)
            yield from (self._of_specifier(each, module) for each in statement.specifiers())

    def _of_specifier(self, specifier: ModuleSpecifier, module: str) -> ImportedName:
        return ImportedName(self.text(specifier.name), module, specifier.name.span)

    def exported_names(self, statement: ExportStatement) -> Iterator[str]:
        """Yields the names that an export provides to other modules."""
        if statement.has_token("default"):
            yield DEFAULT
        for specifier in statement.specifiers():
            yield self.text(specifier.alias or specifier.name)
        for each in statement.named():
            if each.type == "namespace_export":
                yield from (self.text(name) for name in each.named())
        declaration = statement.declaration
        if declaration is None:
            return
        name = declared_name(declaration)
        if name is not None:
            yield self.text(name)
        for each in declaration.named():
            if isinstance(each, VariableDeclarator):
                yield from self._names_in_pattern(each.name)

    def _names_in_pattern(self, pattern: Node) -> Iterator[str]:
        """Yields the names in a pattern, including those in default values."""
        waiting = [pattern]
        while waiting:
            item = waiting.pop()
            if item.type in _NAMES:
                yield self.text(item)
            waiting += item.named()


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
