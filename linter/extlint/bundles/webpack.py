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

`extlint.bundles.chunks` handles scripts that are split into chunks.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles.chunks import chunk_array, module_name, push_offsets
from extlint.bundles.filled_object import FilledObject, add_getters
from extlint.bundles.model import Bundle, Call, FillingCall, Module, ModuleCall, ModuleParameters, Runtime
from extlint.bundles.module_system import ModuleSystem
from extlint.bundles.module_tables import TableRuntime, entry_in_table, functions_in, is_empty
from extlint.bundles.runtimes import table_of_entry
from extlint.bundles.tokens import property_name
from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import CallExpression, MemberExpression
from extlint.script.syntax.shapes import first_argument, outermost
from extlint.script.values.bundler_values import BundlerValue
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.interop import default_of, namespace_of_value
from extlint.script.values.memo import once_per_script
from extlint.text.patterns import lazy

_DEFAULT = "getter of a default"
"""A function that returns the default export of a module's value; the definition is the call
`require.n(value)`.
"""

_METHODS = frozenset({"d", "n", "r", "t"})
_CHUNK_PARAMETERS = ModuleParameters(0, 1, 2)
_CHUNKS = lazy(r"webpackChunk|webpackJsonp")


class ChunkRuntime(TableRuntime, eq=False):
    """A runtime whose other modules may be in other chunks."""

    def external_exports(self, bundle: Bundle, key: str) -> Value:
        """Returns the exports of the module with the key in another chunk."""
        array = _own_array(bundle.evaluator)
        if array is None:
            return UNKNOWN
        name = module_name(array, key)
        return bundle.evaluator.imported(name, of_api=True).get(name, UNKNOWN)


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
        runtime = _chunk_runtime(bundle.evaluator, table) or bundle.runtime_of_table(table)
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
        value = bundle.call_value(bundle.evaluator.certain.partial(owner), owner, call.node)
        return None if value is None else namespace_of_value(value)

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:
        """Returns the default that a getter of a default returns."""
        making = None if value.class_name != _DEFAULT else bundle.evaluator.definition_at(value.definition)
        first = None if making is None else first_argument(making)
        return None if first is None else default_of(bundle.evaluator.partial(first))

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
        for at in push_offsets(evaluator.tree.text) if array is not None else ():
            table = _pushed_table(evaluator, at)
            if table is None or _chunk_runtime(evaluator, table) is None:
                continue
            for key, function in functions_in(evaluator, table).items():
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


@once_per_script
def _own_array(evaluator: Evaluator) -> str | None:
    """Returns the array that the chunks of the script are added to."""
    evaluator.tree.spend_search(len(evaluator.tree.text))
    return chunk_array(evaluator.tree.text)


@once_per_script
def _chunk_runtime(evaluator: Evaluator, table: Node) -> Runtime | None:
    """Returns the runtime of a table that a chunk adds to an array, after the keys of chunks."""
    pushed = outermost(table).parent
    listed = None if pushed is None or pushed.type != "array" else pushed.parent
    call = None if listed is None or listed.type != "arguments" else listed.parent
    callee = call.callee if isinstance(call, CallExpression) else None
    if not isinstance(callee, MemberExpression) or property_name(evaluator, callee) != "push":
        return None
    if _CHUNKS.search(evaluator.tree.source(callee.object)) is None:
        return None
    return ChunkRuntime(None, _CHUNK_PARAMETERS, table)


def _pushed_table(evaluator: Evaluator, push: int) -> Node | None:
    """Returns the table of modules in the call that adds a chunk."""
    call = next((up for up in evaluator.tree.leaf_at(push).ancestors() if up.type == "call_expression"), None)
    first = None if call is None else first_argument(call)
    items = [] if first is None or first.type != "array" else first.named()
    return items[1] if len(items) > 1 and items[1].type in {"array", "object"} else None
