"""What a module exports of the API, for the scripts that import it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles.bundle import bundle_of
from extlint.script.expressions.destructuring import names_in
from extlint.script.expressions.imports import WHOLE, namespace_of
from extlint.script.expressions.variables import ever_held
from extlint.script.facts.imports import Exports
from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.modules.loads import top_level
from extlint.script.modules.portable_values import PortableValues
from extlint.script.scope.reached_places import Reached
from extlint.script.syntax.node import Node
from extlint.script.values.evaluator import Evaluator


def exports_of(evaluator: Evaluator, reached: Reached) -> Exports:
    """The exports of a script, as far as they mean the same in any script."""
    found: dict[str, Value] = {}
    porter = PortableValues(evaluator, reached)
    for statement in top_level(evaluator.tree, "export_statement"):
        for name, value, item in _exported(evaluator, statement):
            kept = porter.exported(value, item)
            if kept is not None:
                found[name] = kept
    if not found:
        whole = porter.filled(*bundle_of(evaluator).exports_of_file())
        if whole is not None:
            return {WHOLE: whole}
    for name, value in bundle_of(evaluator).exported_modules(reached):
        kept = porter.portable(value)
        if kept is not None:
            found[name] = kept
    return found


def _exported(evaluator: Evaluator, statement: Node) -> Iterator[tuple[str, Value, Node | None]]:
    """The exports of a statement: the name, the value, and the expression or variable that has it."""
    source = evaluator.tree.source
    module = statement.field("source")
    value, declaration = statement.field("value"), statement.field("declaration")
    if module is not None:
        exports = evaluator.imported(source(module)[1:-1])
        yield from ((name, each, None) for name, each in _passed_on(evaluator, statement, exports))
    elif value is not None:
        yield "default", evaluator.value(value), value
    elif statement.has("="):
        whole = statement.first()
        yield WHOLE, UNKNOWN if whole is None else evaluator.value(whole), whole
    elif declaration is not None:
        named = declaration.field("name")
        if named is not None:
            name = "default" if statement.has("default") else source(named)
            yield name, ever_held(evaluator, named), named
        for declarator in declaration.named():
            pattern = declarator.field("name")
            if declarator.type == "variable_declarator" and pattern is not None:
                yield from ((source(leaf), ever_held(evaluator, leaf), leaf) for leaf in names_in(pattern))
    else:
        for specifier in _specifiers(statement):
            own = specifier.field("name")
            if own is not None:
                name = source(specifier.field("alias") or own).strip("\"'")
                yield name, ever_held(evaluator, own), own


def _passed_on(evaluator: Evaluator, statement: Node, exports: Exports) -> Iterator[tuple[str, Value]]:
    """What `export … from` passes on of another module's exports."""
    source = evaluator.tree.source
    specifiers = list(_specifiers(statement))
    for specifier in specifiers:
        name = specifier.field("name")
        if name is not None and source(name) in exports:
            yield source(specifier.field("alias") or name), exports[source(name)]
    if specifiers:
        return
    namespace = next((each for each in statement.named() if each.type == "namespace_export"), None)
    name = None if namespace is None else namespace.first()
    if name is not None:
        yield source(name), namespace_of(exports)
    elif statement.has("*"):
        yield from ((each, value) for each, value in exports.items() if each != "default")


def _specifiers(statement: Node) -> Iterator[Node]:
    for clause in statement.named():
        if clause.type == "export_clause":
            yield from (each for each in clause.named() if each.type == "export_specifier")
