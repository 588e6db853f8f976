"""What a module exports of the API, for the scripts that import it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.bundles.files import file_exports
from extlint.script.bundles.interop import interop_kind
from extlint.script.bundles.marks import INTEROP, NAMESPACE
from extlint.script.bundles.modules import got_by
from extlint.script.evaluate import Evaluator, Exports
from extlint.script.functions import returned
from extlint.script.loads import top_level
from extlint.script.modules import WHOLE, namespace_of
from extlint.script.patterns import names_in
from extlint.script.tree import FUNCTIONS, Item
from extlint.script.variables import ever_held
from extlint.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    InstanceValue,
    Literal,
    ObjectValue,
    Value,
    options_of,
)

DEEPEST = 5


def exports_of(evaluator: Evaluator) -> Exports:
    """The exports of a script that are members of the API, or objects that hold such members."""
    found: dict[str, Value] = {}
    for statement in top_level(evaluator.tree, "export_statement"):
        for name, value in _exported(evaluator, statement):
            kept = portable(value, evaluator)
            if kept is not None:
                found[name] = kept
    whole = None if found else portable(file_exports(evaluator), evaluator)
    return found if whole is None else {WHOLE: whole}


def _exported(evaluator: Evaluator, statement: Item) -> Iterator[tuple[str, Value]]:
    source = evaluator.tree.source
    module = statement.field("source")
    value, declaration = statement.field("value"), statement.field("declaration")
    if module is not None:
        yield from _passed_on(evaluator, statement, evaluator.imported(source(module)[1:-1]))
    elif value is not None:
        yield "default", evaluator.value(value)
    elif declaration is not None:
        name = declaration.field("name")
        if name is not None:
            yield source(name), evaluator.value(declaration)
        for declarator in declaration.named():
            pattern = declarator.field("name")
            if declarator.type == "variable_declarator" and pattern is not None:
                yield from ((source(leaf), ever_held(evaluator, leaf)) for leaf in names_in(pattern))
    elif statement.has("="):
        whole = statement.first()
        yield WHOLE, UNKNOWN if whole is None else evaluator.value(whole)
    else:
        for specifier in _specifiers(statement):
            name = specifier.field("name")
            if name is not None:
                yield source(specifier.field("alias") or name).strip("\"'"), ever_held(evaluator, name)


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


def portable(value: Value, evaluator: Evaluator | None = None, depth: int = 0) -> Value | None:
    """What means the same in any script: the API, and objects less all that is not the API in them.

    With the `evaluator` of the script also functions that give such values, and those of bundlers.
    """
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    if len(options) != 1 or depth > DEEPEST:
        return None
    match options[0]:
        case Api(path=path, root=root):
            return Api(path, root)
        case ObjectValue(fields=fields):
            kept = {name: portable(each.value, evaluator, depth + 1) for name, each in fields.items()}
            held = {name: Field(each) for name, each in kept.items() if each is not None}
            marked = fields.get("__esModule")
            if held and marked is not None:
                held["__esModule"] = Field(marked.value)
            return ObjectValue(held, True) if held else None
        case FunctionValue() | InstanceValue() as found if evaluator is not None:
            return _callable(evaluator, found, depth)
    return None


def _callable(evaluator: Evaluator, value: FunctionValue | InstanceValue, depth: int) -> Value | None:
    """A function that gives what means the same in any script."""
    if isinstance(value, InstanceValue):
        if value.class_name == NAMESPACE or value.class_name in INTEROP:
            return InstanceValue(value.class_name, False)
        gives = portable(got_by(evaluator, value), evaluator, depth + 1)
    elif value.gives is not None:
        return value
    else:
        definition = evaluator.definition(value)
        if definition is None or definition.type not in FUNCTIONS:
            return None
        kind = interop_kind(evaluator, definition)
        if kind is not None:
            return InstanceValue(kind, False)
        gives = portable(returned(evaluator, definition), evaluator, depth + 1)
    return None if gives is None else FunctionValue(None, gives=gives)
