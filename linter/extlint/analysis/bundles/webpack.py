"""Webpack and its family: a table of modules, and a `require` with helpers as its properties.

    (modules => {
      var cache = {};
      function load(key) {
        var module = cache[key] = { exports: {} };
        modules[key](module, module.exports, load);
        return module.exports;
      }
      load(7);
    })({ 7: (module, exports, load) => { load.d(exports, { api: () => chrome }) } })

`extlint.analysis.bundles.chunks` handles scripts that are split into chunks.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.bundles.chunk_tables import ChunkRuntime, chunk_runtime, chunk_runtimes
from extlint.analysis.bundles.chunks import chunk_array, module_name
from extlint.analysis.bundles.filled_object import FilledObject, add_getters
from extlint.analysis.bundles.model import (
    Bundle,
    Call,
    FillingCall,
    Module,
    ModuleCall,
    ModuleSystem,
    Runtime,
)
from extlint.analysis.bundles.module_tables import entry_in_table, functions_in, is_empty, property_name
from extlint.analysis.bundles.runtimes import table_of_entry
from extlint.analysis.facts.values import Value
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, MemberExpression
from extlint.analysis.syntax.shapes import first_argument, outermost
from extlint.analysis.values.interop import BundlerValue, default_of, namespace_of_value

_DEFAULT = "getter of a default"
"""A function that returns the default export of a module's value; the definition is the call
`require.n(value)`.
"""

_METHODS = frozenset({"d", "n", "r", "t"})


class Webpack(ModuleSystem):
    """A table whose entries are module functions, and a `require` with helpers as properties."""

    def runtime(self, bundle: Bundle, call: ModuleCall) -> Runtime | None:
        """Returns a runtime for a call of `table[key]`."""
        table = table_of_entry(bundle.evaluator, call.callee)
        if table is None or is_empty(table):
            return None
        return ChunkRuntime(call.require, call.parameters, table)

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """Returns the module of a function in the table of a runtime or a chunk."""
        found = entry_in_table(bundle.evaluator, outermost(function))
        if found is None:
            return None
        table, key = found
        runtime = chunk_runtime(bundle.evaluator, table) or bundle.runtime_of_table(table)
        if not isinstance(runtime, ChunkRuntime):
            return None
        return Module(function, runtime.parameters, runtime, key)

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns a getter of the default for `require.n(module)`, and a namespace for `require.t(key)`."""
        method, owner = _require_helper(bundle, call.function)
        if method == "n":
            return bundle.bundler_value(_DEFAULT, call.node)
        if method != "t" or owner is None:
            return None
        value = bundle.call_value(bundle.evaluator.partial(owner), owner, call.node)
        return None if value is None else namespace_of_value(value)

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:
        """Returns the default that a getter of a default returns."""
        making = None if value.class_name != _DEFAULT else bundle.evaluator.definition_at(value.definition)
        first = None if making is None else first_argument(making)
        return None if first is None else default_of(bundle.evaluator.possible.partial(first))

    def member_value(self, bundle: Bundle, value: BundlerValue, name: str, at: Node) -> Value | None:  # noqa: ARG002
        """Returns the default for the property `.a` of its getter."""
        return self.value_of_getter(bundle, value) if name == "a" else None

    def fill(self, bundle: Bundle, found: FilledObject, call: FillingCall) -> bool:
        """Records `require.r(exports)` and `require.d(exports, getters)`.

        The first marks an ES module, and the second fills it.
        """
        method, _ = _require_helper(bundle, call.function)
        if method == "r":
            found.is_es_module = True
            return True
        if method != "d" or call.index > 0:
            return False
        return not call.others or add_getters(bundle.evaluator, found, call.others)

    def reads_default(self, bundle: Bundle, call: CallExpression) -> bool:
        """Whether a call is `require.n(module)`, whose getter reads the default."""
        return _require_helper(bundle, call.callee)[0] == "n"

    def exported_modules(self, bundle: Bundle, api_places: ApiPlaces) -> Iterator[tuple[str, Value]]:
        """Yields the modules of a chunk that the API was followed to."""
        evaluator = bundle.evaluator
        array = chunk_array(evaluator.tree.text)
        for runtime in chunk_runtimes(evaluator) if array is not None else ():
            for key, function in functions_in(evaluator, runtime.table).items():
                module = bundle.module_of(function)
                if module is not None and api_places.is_in(function):
                    yield module_name(array or "", key), bundle.exports_of_module(module)


def _require_helper(bundle: Bundle, function: Node) -> tuple[str, Node | None]:
    """Returns the name of a helper that is a property of `require`, and that `require`, or an empty name."""
    owner = function.object if isinstance(function, MemberExpression) else None
    name = "" if owner is None else property_name(bundle.evaluator, function)
    if owner is None or name not in _METHODS or not bundle.is_require(owner):
        return "", None
    return name, owner
