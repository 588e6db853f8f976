"""The exports of modules that are functions of a bundle, and of other objects that are filled like them."""

from __future__ import annotations

from extlint.bundles.entries import module_of
from extlint.bundles.exported import filled_value
from extlint.bundles.filling import Filling, parameter_uses
from extlint.bundles.model import Module
from extlint.bundles.polyfill import exported_root
from extlint.script.facts.values import NOTHING, Field, ObjectValue, Value
from extlint.script.scope.bindings import Binding
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import outermost
from extlint.script.values.bundler_values import REQUIRE, mark
from extlint.script.values.evaluator import Evaluator


def exports_of_module(evaluator: Evaluator, module: Module) -> Value:
    """What the code of a module leaves in `module.exports`."""
    return evaluator.ask(-module.function.id, lambda: _exports(evaluator, module))


def _exports(evaluator: Evaluator, module: Module) -> Value:
    function, roles = module.function, module.roles
    root = exported_root(evaluator, function)
    if root is not None:
        return root
    filling = Filling(evaluator)
    filling.uses(parameter_uses(evaluator, function, roles.module), module=True)
    filling.uses(parameter_uses(evaluator, function, roles.exports), module=False)
    return filled_value(evaluator, filling.found) or ObjectValue({}, True)


def module_parameter(evaluator: Evaluator, function: Node, index: int) -> Value | None:
    """What the bundle gives to a parameter of a module's function; None if it is no such parameter."""
    module = module_of(evaluator, function)
    if module is None:
        return None
    if index == module.roles.require:
        evaluator.define(function)
        return mark(REQUIRE, function)
    if index == module.roles.exports:
        return exports_of_module(evaluator, module)
    if index == module.roles.module:
        return ObjectValue({"exports": Field(exports_of_module(evaluator, module))}, True)
    return None


def is_setter(function: Node) -> bool:
    """Whether a function is the setter beside a getter, `define(exports, "a", () => a, (x) => a = x)`.

    Nobody calls it: what is imported cannot be assigned to.
    """
    listed = outermost(function).parent
    arguments = [] if listed is None or listed.type != "arguments" else listed.named()
    if len(arguments) != 4 or arguments[1].type not in {"string", "template_string"}:
        return False
    return arguments[2].type == "arrow_function" and arguments[3].same(outermost(function))


def _is_empty(value: Value) -> bool:
    return isinstance(value, ObjectValue) and not value.fields and not value.open


def record_value(evaluator: Evaluator, binding: Binding, value: Value) -> Value | None:
    """An object that was made empty, or as `{exports: {}}`, with what the script then puts into it.

    None if the value is no such object, or nothing is known to be put into it by a call.
    """
    if not isinstance(value, ObjectValue) or value.open:
        return None
    exports = value.fields.get("exports")
    is_module = exports is not None and len(value.fields) == 1 and _is_empty(exports.value)
    if value.fields and not is_module:
        return None
    key = -binding.declarations[0].item.id
    found = evaluator.ask(key, lambda: _filled_record(evaluator, binding, is_module=is_module))
    if found == NOTHING or not is_module:
        return None if found == NOTHING else found
    return ObjectValue({"exports": Field(found)}, True, value.span)


def _filled_record(evaluator: Evaluator, binding: Binding, *, is_module: bool) -> Value:
    filling = Filling(evaluator)
    uses = (use.item for use in binding.uses if use.role is Role.REFERENCE)
    filling.uses(uses, module=is_module)
    found = filling.found
    if not (is_module or found.getters or found.copied or found.marked):
        return NOTHING
    return filled_value(evaluator, found) or NOTHING
