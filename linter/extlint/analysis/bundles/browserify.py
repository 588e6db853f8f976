"""Browserify, and parcel's first version: modules in a table, each with a map from names to keys.

(function run(table, cache, entries) {
  function load(key) {
    var module = cache[key] = { exports: {} };
    table[key][0].call(module.exports, name => load(table[key][1][name]), module, module.exports);
    return module.exports;
  }
  entries.forEach(load);
})({ 1: [function (require, module, exports) { require("./api") }, { "./api": 2 }], 2: … }, {}, [1])
"""

from __future__ import annotations

import re

from extlint.analysis.bundles.model import Bundle, Module, ModuleCall, ModuleSystem, Runtime
from extlint.analysis.bundles.module_tables import TableRuntime, entry_in_table, is_empty, key_text
from extlint.analysis.bundles.runtimes import table_of_entry
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Function, Pair, SubscriptExpression
from extlint.analysis.syntax.shapes import outermost


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
