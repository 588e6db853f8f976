"""The API as an argument of functions that other scripts export: who passes it, and who is passed it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.expressions.imports import module_of
from extlint.script.facts.script_facts import PassedArgument
from extlint.script.facts.values import Literal, Value, options_of, union_of
from extlint.script.modules.loads import top_level
from extlint.script.modules.portable_values import api_in
from extlint.script.syntax.node import CLASSES, FUNCTIONS, Node
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import constructor_of
from extlint.script.values.other_scripts import ReceivedArguments, received_arguments


def sent_to(evaluator: Evaluator, function: Node, index: int, value: Value) -> PassedArgument | None:
    """What a call passes of the API to an imported function or class; None if it passes nothing of it."""
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    parts = [part for each in options if (part := api_in(each)) is not None]
    held = union_of(parts) if parts and len(parts) == len(options) else None
    target = None if held is None else _import_of(evaluator, function)
    return None if held is None or target is None else PassedArgument(*target, index, held)


def _import_of(evaluator: Evaluator, function: Node) -> tuple[str, str] | None:
    """The module that exports a function, and the name by which it does."""
    name, wanted = function, None
    if function.type == "member_expression":
        target, key = function.field("object"), function.field("property")
        if target is None or key is None:
            return None
        name, wanted = target, evaluator.tree.source(key)
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    declared = binding.declarations[0] if binding is not None and binding.declarations else None
    if declared is None or declared.kind != "import" or declared.source is None:
        return None
    clause = declared.source
    module = module_of(evaluator, clause)
    if module is None or (clause.type == "namespace_import") is (wanted is None):
        return None
    if wanted is None:
        original = clause.field("name") if clause.type == "import_specifier" else None
        wanted = "default" if original is None else evaluator.tree.source(original)
    return module, wanted


def receive_arguments(evaluator: Evaluator) -> None:
    """Finds the functions to which other scripts pass something of the API; see `received_arguments`."""
    sent = evaluator.shared.parameters
    found: dict[int, ReceivedArguments] = {}
    names = {name for name, _ in sent}
    for name, item in _exported(evaluator) if names else ():
        made = item if item.type in FUNCTIONS | CLASSES else None
        if name in names and made is None:
            made = evaluator.definition(evaluator.value(item))
        if made is not None and made.type in CLASSES:
            made = constructor_of(made)
        if name in names and made is not None and made.type in FUNCTIONS:
            evaluator.define(made)
            own = found.setdefault(made.id, ReceivedArguments(made)).values
            own.update({index: value for (wanted, index), value in sent.items() if wanted == name})
    received_arguments(evaluator).update(found)


def _exported(evaluator: Evaluator) -> Iterator[tuple[str, Node]]:
    """What the script exports of its own, by name: a function, a class, or an expression."""
    source = evaluator.tree.source
    for statement in top_level(evaluator.tree, "export_statement"):
        value, declaration = statement.field("value"), statement.field("declaration")
        if statement.field("source") is not None:
            continue
        if value is not None:
            yield "default", value
        elif declaration is not None and declaration.type in FUNCTIONS | CLASSES:
            name = declaration.field("name")
            if statement.has("default") or name is not None:
                yield "default" if statement.has("default") or name is None else source(name), declaration
        elif declaration is not None:
            for each in declaration.named():
                name, given = each.field("name"), each.field("value")
                if each.type == "variable_declarator" and name is not None and given is not None:
                    yield source(name), given
        else:
            for clause in statement.named():
                for each in clause.named() if clause.type == "export_clause" else ():
                    name = each.field("name")
                    if name is not None:
                        yield source(each.field("alias") or name).strip("\"'"), name
