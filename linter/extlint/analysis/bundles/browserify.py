"""Browserify and Parcel: modules in a table of the names that each requires, or registered one by one.

(function run(table, cache, entries) {
  function load(key) {
    var module = cache[key] = { exports: {} };
    table[key][0].call(module.exports, name => load(table[key][1][name]), module, module.exports);
    return module.exports;
  }
  entries.forEach(load);
})({ 1: [function (require, module, exports) { require("./api") }, { "./api": 2 }], 2: … }, {}, [1])

Parcel: modules that are registered one by one, with a `require` that scripts share.

var inits = {}, load = globalThis["parcelRequire1"];
if (load == null) {
  load = key => { var module = { exports: {} }; inits[key].call(module.exports, module, module.exports); … };
  load.register = (key, init) => { inits[key] = init };
  globalThis["parcelRequire1"] = load;
}
load.register("aB1", function (module, exports) { define(exports, "api", () => api, x => api = x); … })
"""

from __future__ import annotations

import re

from extlint.analysis.bundles.model import Bundle, Module, ModuleCall, ModuleSystem, Runtime
from extlint.analysis.bundles.module_tables import (
    TableRuntime,
    declared_value,
    entry_in_table,
    is_empty,
    key_text,
    property_name,
    registered_function,
)
from extlint.analysis.bundles.runtimes import table_of_entry
from extlint.analysis.facts.values import NOTHING, Value
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    CallExpression,
    Function,
    MemberExpression,
    Pair,
    SubscriptExpression,
)
from extlint.analysis.syntax.shapes import innermost, outermost


class MappedRuntime(TableRuntime, eq=False):
    """A runtime whose modules each have a map from required names to keys."""

    def key_of(self, bundle: Bundle, module: Module, name: str) -> str | None:
        """Returns the key in the map next to the module's function."""
        entry = outermost(module.function).parent
        items = [] if entry is None else entry.named()
        names = next((each for each in items if each.type == "object"), None)
        for pair in () if names is None else names.named():
            if isinstance(pair, Pair) and key_text(bundle.evaluator, pair.key) == name:
                return key_text(bundle.evaluator, pair.value)
        return None

    def names_of(self, bundle: Bundle, key: str) -> list[str]:
        """Returns the names that any map contains for the key."""
        tree = bundle.evaluator.tree
        tree.spend_search(len(tree.text))
        pattern = re.compile(rb":\s*[\"']?(" + re.escape(key.encode()) + rb")[\"']?\s*[,}]")
        found: dict[str, None] = {}
        for match in pattern.finditer(tree.text):
            leaf = tree.leaf_at(match.start(1))
            value = leaf.parent if leaf.type == "string_fragment" else leaf
            pair = None if value is None else value.parent
            if isinstance(pair, Pair) and _is_dependency_map(pair.parent):
                name = key_text(bundle.evaluator, pair.key)
                if name is not None:
                    found[name] = None
        return list(found)


def _is_dependency_map(item: Node | None) -> bool:
    """Whether an object is next to the function of a module."""
    entry = None if item is None or item.type != "object" else item.parent
    return entry is not None and entry.type == "array" and isinstance(entry.named()[0], Function)


class Browserify(ModuleSystem):
    """A table whose entries are arrays of a module function and its map."""

    def runtime(self, bundle: Bundle, call: ModuleCall) -> Runtime | None:
        """Returns a runtime for a call of `table[key][0]`."""
        callee = call.callee
        if not isinstance(callee, SubscriptExpression) or key_text(bundle.evaluator, callee.index) != "0":
            return None
        table = table_of_entry(bundle.evaluator, callee.object)
        if table is None or is_empty(table):
            return None
        return MappedRuntime(call.require, call.parameters, table)

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """Returns the module of a function that is the first item of an entry."""
        whole = outermost(function)
        entry = whole.parent
        if entry is None or entry.type != "array" or entry.parent is None or entry.parent.type != "pair":
            return None
        first, found = entry.first(), entry_in_table(bundle.evaluator, entry)
        if first is None or not first.same(whole) or found is None:
            return None
        table, key = found
        runtime = bundle.runtime_of_table(table)
        if not isinstance(runtime, MappedRuntime):
            return None
        return Module(function, runtime.parameters, runtime, key)


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
