"""The exports of modules that are functions, and other objects that are filled in the same way."""

from __future__ import annotations

from extlint.analysis.bundles.filled_object import filled_value
from extlint.analysis.bundles.filling import Filling, parameter_uses
from extlint.analysis.bundles.model import Bundle, Module
from extlint.analysis.facts.values import NOTHING, Field, ObjectValue, Value
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.values.bundler_values import REQUIRE


def filled_exports(bundle: Bundle, module: Module) -> Value:
    """Returns the value of `module.exports` after the code of a module has run."""
    evaluator, filling = bundle.evaluator, Filling(bundle)
    function, parameters = module.function, module.parameters
    filling.follow_uses(parameter_uses(evaluator, function, parameters.module), module=True)
    filling.follow_uses(parameter_uses(evaluator, function, parameters.exports), module=False)
    return filled_value(evaluator, filling.found) or ObjectValue({}, True)


def parameter_value(bundle: Bundle, module: Module, index: int) -> Value | None:
    """Returns the value passed to a module function's parameter, or None if unknown."""
    if index == module.parameters.require:
        return bundle.bundler_value(REQUIRE, module.function)
    if index == module.parameters.exports:
        return bundle.exports_of_module(module)
    if index == module.parameters.module:
        return ObjectValue({"exports": Field(bundle.exports_of_module(module))}, True)
    return None


def filled_variable(bundle: Bundle, binding: Binding, value: ObjectValue) -> Value | None:
    """Returns an object created empty, or as `{exports: {}}`, with the content that the script then adds.

    Returns None for other values, or if no call is known to add content.
    """
    if value.open:
        return None
    exports = value.fields.get("exports")
    is_module = exports is not None and len(value.fields) == 1 and _is_empty(exports.value)
    if value.fields and not is_module:
        return None
    key = "filled", binding.declarations[0].item.id
    found = bundle.evaluator.query(key, lambda: _filled(bundle, binding, is_module=is_module))
    if found == NOTHING or not is_module:
        return None if found == NOTHING else found
    return ObjectValue({"exports": Field(found)}, True, value.span)


def _is_empty(value: Value) -> bool:
    return isinstance(value, ObjectValue) and not value.fields and not value.open


def _filled(bundle: Bundle, binding: Binding, *, is_module: bool) -> Value:
    filling = Filling(bundle)
    uses = (use.item for use in binding.uses if use.role is Role.REFERENCE)
    filling.follow_uses(uses, module=is_module)
    found = filling.found
    if not (is_module or found.getters or found.copied or found.is_es_module):
        return NOTHING
    return filled_value(bundle.evaluator, found) or NOTHING
