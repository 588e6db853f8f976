"""What a module exports of the API, for the scripts that import it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.evaluate import Evaluator, Exports
from extlint.script.loads import top_level
from extlint.script.modules import namespace_of
from extlint.script.patterns import names_in
from extlint.script.tree import Item
from extlint.script.variables import ever_held
from extlint.values import Api, Field, Literal, ObjectValue, Value, options_of

DEEPEST = 5


def exports_of(evaluator: Evaluator) -> Exports:
    """The exports of a script that are members of the API, or objects that hold such members."""
    found: dict[str, Value] = {}
    for statement in top_level(evaluator.tree, "export_statement"):
        for name, value in _exported(evaluator, statement):
            kept = portable(value)
            if kept is not None:
                found[name] = kept
    return found


def _exported(evaluator: Evaluator, statement: Item) -> Iterator[tuple[str, Value]]:
    source = evaluator.tree.source
    module = statement.field("source")
    value, declaration = statement.field("value"), statement.field("declaration")
    if module is not None:
        yield from _passed_on(evaluator, statement, evaluator.imported(source(module)[1:-1]))
    elif value is not None:
        yield "default", evaluator.value(value)
    elif declaration is not None:
        for declarator in declaration.named():
            pattern = declarator.field("name")
            if declarator.type == "variable_declarator" and pattern is not None:
                yield from ((source(leaf), ever_held(evaluator, leaf)) for leaf in names_in(pattern))
    else:
        for specifier in _specifiers(statement):
            name = specifier.field("name")
            if name is not None:
                yield source(specifier.field("alias") or name), ever_held(evaluator, name)


def _passed_on(evaluator: Evaluator, statement: Item, exports: Exports) -> Iterator[tuple[str, Value]]:
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


def _specifiers(statement: Item) -> Iterator[Item]:
    for clause in statement.named():
        if clause.type == "export_clause":
            yield from (each for each in clause.named() if each.type == "export_specifier")


def portable(value: Value, depth: int = 0) -> Value | None:
    """What means the same in any script: the API, and objects less all that is not the API in them."""
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    if len(options) != 1 or depth > DEEPEST:
        return None
    match options[0]:
        case Api(path=path, root=root):
            return Api(path, root)
        case ObjectValue(fields=fields):
            kept = {name: portable(each.value, depth + 1) for name, each in fields.items()}
            held = {name: Field(each) for name, each in kept.items() if each is not None}
            return ObjectValue(held, True) if held else None
    return None
