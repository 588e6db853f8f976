"""Parcel: modules that are registered one by one, with a `require` that scripts share.

var inits = {}, load = globalThis["parcelRequire1"];
if (load == null) {
  load = key => { var module = { exports: {} }; inits[key].call(module.exports, module, module.exports); … };
  load.register = (key, init) => { inits[key] = init };
  globalThis["parcelRequire1"] = load;
}
load.register("aB1", function (module, exports) { define(exports, "api", () => api, x => api = x); … })
"""

from __future__ import annotations

from extlint.analysis.bundles.model import Bundle, Module, ModuleCall, ModuleSystem, Runtime
from extlint.analysis.bundles.module_tables import (
    declared_value,
    is_empty,
    key_text,
    property_name,
    registered_function,
)
from extlint.analysis.bundles.runtimes import table_of_entry
from extlint.analysis.facts.values import NOTHING, Value
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import CallExpression, MemberExpression
from extlint.analysis.syntax.shapes import innermost, outermost


class RegisteringRuntime(Runtime, eq=False):
    """A runtime whose modules are passed to its `register`."""

    def function_for_key(self, bundle: Bundle, key: str) -> Node | None:
        """Returns the function registered under the key."""
        return registered_function(bundle.evaluator, key)


class Parcel(ModuleSystem):
    """Modules passed to `register`, and a `require` that reads a table which is empty in the text."""

    def runtime(self, bundle: Bundle, call: ModuleCall) -> Runtime | None:
        """Returns a runtime for a call of `table[key]` with an empty table."""
        table = table_of_entry(bundle.evaluator, call.callee)
        if table is None or not is_empty(table):
            return None
        return RegisteringRuntime(call.require, call.parameters)

    def runtime_named(self, bundle: Bundle, name: Node) -> Runtime | None:
        """Returns the script's own runtime, which a variable stores unless another script has defined one."""
        binding = bundle.evaluator.names.variable(name) if name.type == "identifier" else None
        for write in () if binding is None else binding.writes:
            value = (
                None if write.source is None else write.source.field("value") or write.source.field("right")
            )
            value = None if value is None else innermost(value)
            found = None if value is None or value.type not in FUNCTIONS else bundle.runtime_of(value)
            if isinstance(found, RegisteringRuntime):
                return found
        return None

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """Returns the module of the second argument of `register`, after the key."""
        whole = outermost(function)
        listed = whole.parent
        arguments = [] if listed is None or listed.type != "arguments" else listed.named()
        call = None if listed is None else listed.parent
        if not isinstance(call, CallExpression) or len(arguments) != 2:
            return None
        if arguments[0].type != "string" or not arguments[1].same(whole):
            return None
        runtime = _runtime_of_register(bundle, call)
        if runtime is None:
            return None
        return Module(function, runtime.parameters, runtime, key_text(bundle.evaluator, arguments[0]))

    def parameter_value(self, bundle: Bundle, function: Node, index: int) -> Value | None:  # noqa: ARG002
        """Returns no value for a getter's setter, which is never called, as imports cannot be assigned."""
        listed = outermost(function).parent
        arguments = [] if listed is None or listed.type != "arguments" else listed.named()
        if len(arguments) != 4 or arguments[1].type not in {"string", "template_string"}:
            return None
        is_setter = arguments[2].type == "arrow_function" and arguments[3].same(outermost(function))
        return NOTHING if is_setter else None


def _runtime_of_register(bundle: Bundle, call: CallExpression) -> Runtime | None:
    """Returns the runtime whose `register` is called, by that name or through a variable that stores it."""
    evaluator = bundle.evaluator
    callee: Node | None = innermost(call.callee)
    if callee is not None and callee.type == "sequence_expression":
        callee = callee.named()[-1]
    if callee is not None and callee.type == "identifier":
        callee = declared_value(evaluator, callee)
    if not isinstance(callee, MemberExpression) or property_name(evaluator, callee) != "register":
        return None
    return bundle.runtime_named(callee.object)
