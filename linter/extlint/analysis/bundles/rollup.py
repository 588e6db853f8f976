"""Rollup's output for SystemJS, and the namespaces of Rolldown. Its other output no longer has modules.

System.register(["./b.js"], function (exports) { … exports("api", chrome) … })
var space = make({ api: () => chrome })
"""

from __future__ import annotations

from extlint.analysis.bundles.filled_object import (
    DEFINES_GETTERS,
    FilledObject,
    add_getters,
    filled_value,
    helper_text,
)
from extlint.analysis.bundles.model import Bundle, Call, ModuleSystem
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.syntax.shapes import arguments_of, first_argument, innermost, outermost, parameter_items
from extlint.analysis.values.evaluator import Evaluator


class Rollup(ModuleSystem):
    """The remains of modules: calls of `exports`, and namespaces."""

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the value of `exports(name, value)`, or the object of the properties in `make(getters)`."""
        if call.definition is not None:
            return _object_of_getters(bundle.evaluator, call.definition, call.node)
        if call.function.type == "identifier" and _is_system_exports(bundle.evaluator, call.function):
            arguments = arguments_of(call.node)
            return bundle.evaluator.possible.partial(arguments[1]) if len(arguments) == 2 else None
        return None


def _object_of_getters(evaluator: Evaluator, function: Node, call: Node) -> Value | None:
    """Returns the result of a helper that creates an object of getters, or None for others.

    Example: `make({a: () => x})`.
    """
    first = first_argument(call)
    if first is None or first.type != "object":
        return None
    if not all(innermost(each.field("value") or each).type in FUNCTIONS for each in first.named()):
        return None
    if not first.named() or not DEFINES_GETTERS.search(helper_text(evaluator, function)):
        return None
    found = FilledObject()
    add_getters(evaluator, found, [first])
    return filled_value(evaluator, found)


def _is_system_exports(evaluator: Evaluator, name: Node) -> bool:
    """Whether a name is the `exports` of SystemJS, which exports its second argument and returns it."""
    binding = evaluator.names.variable(name)
    if binding is None or binding.scope.type not in FUNCTIONS or not binding.declarations:
        return False
    parameters = parameter_items(binding.scope)
    if not parameters or not parameters[0].same(binding.declarations[0].item) or len(binding.writes) != 1:
        return False
    listed = outermost(binding.scope).parent
    register = None if listed is None or listed.type != "arguments" else listed.parent
    return (
        isinstance(register, CallExpression) and evaluator.tree.source(register.callee) == "System.register"
    )
