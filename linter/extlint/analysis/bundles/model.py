"""Modules that are functions, the runtimes that run them, and the interface of a module system.

A module system handles only its own code; each method here returns the result of a system without such code.
`Bundle` queries the systems in the order of `SYSTEMS`, and uses the first result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from extlint.analysis.bundles.filled_object import FilledObject
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import BundlerValue


class ModuleParameters(Struct, frozen=True):
    """The indexes of the parameters `module`, `exports` and `require` of a module function, from 0."""

    module: int | None = None
    exports: int | None = None
    require: int | None = None


class Runtime(Struct, eq=False):
    """The code that runs the modules of a bundle, and finds them by their keys.

    `require` is the function that returns a module's exports for its key, or None in a file that only
    provides modules for a runtime elsewhere.
    """

    require: Node | None
    parameters: ModuleParameters

    def function_for_key(self, bundle: Bundle, key: str) -> Node | None:
        """Returns the module function with a key, or None."""
        return None

    def key_of(self, bundle: Bundle, module: Module, name: str) -> str | None:
        """Returns the key that a module's argument of `require` refers to."""
        return name

    def names_of(self, bundle: Bundle, key: str) -> list[str]:
        """Returns the possible arguments of `require` for a key."""
        return [key]

    def external_exports(self, bundle: Bundle, key: str) -> Value:
        """Returns the value of `require` for a key that belongs to no module of the script."""
        return UNKNOWN


class Module(Struct, eq=False):
    """A module: its function, its parameters, and its runtime and key.

    `getter_call` is the call that creates the module's getter from the function, as in esbuild.
    """

    function: Node
    parameters: ModuleParameters
    runtime: Runtime | None = None
    key: str | None = None
    getter_call: Node | None = None


class ModuleCall(Struct, eq=False):
    """The call in a `require` that runs a module; `callee` is the module function, such as `table[key]`.

    It is recognized by `something.exports` among its arguments.
    """

    require: Node
    callee: Node
    parameters: ModuleParameters


class Call(Struct, eq=False):
    """A call or `new`: the called expression, its value, and the called function of the script, if known."""

    node: Node
    function: Node
    callee: Value
    definition: Node | None = None


class FillingCall(Struct, eq=False):
    """A call that passes an object: the callee, its value, the argument's index, and the other arguments."""

    function: Node
    callee: Value
    index: int
    others: list[Node]


class Bundle(Protocol):
    """The queries of a module system about the script, which combine the results of all module systems."""

    evaluator: Evaluator

    def call_value(self, callee: Value, function: Node, call: Node) -> Value | None:
        """Returns the value of a call; `callee` is the value of `function`, the called expression."""
        ...

    def module_of(self, function: Node) -> Module | None:
        """Returns the module whose code is a function."""
        ...

    def exports_of_module(self, module: Module) -> Value:
        """Returns the exports of a module."""
        ...

    def runtime_of(self, function: Node) -> Runtime | None:
        """Returns the runtime whose `require` is this function."""
        ...

    def runtime_named(self, name: Node) -> Runtime | None:
        """Returns the runtime whose `require` an expression names, if its value does not identify it."""
        ...

    def runtime_of_table(self, table: Node) -> Runtime | None:
        """Returns the runtime that calls the functions of a module table, or None for other tables."""
        ...

    def is_require(self, item: Node) -> bool:
        """Whether an expression is the `require` of a bundle."""
        ...

    def fill(self, found: FilledObject, call: FillingCall) -> bool:
        """Records the content that a call of a bundler's own function adds to an object.

        Returns whether it is such a call.
        """
        ...

    def bundler_value(self, kind: str, definition: Node) -> BundlerValue:
        """Returns a bundler's own function that depends on code of the script."""
        ...


class ModuleSystem:
    """The module format of a bundler, a compiler or a language."""

    global_helpers: frozenset[str] = frozenset()
    """Helpers that a script reads from `this` or else defines itself; it is assumed to define them."""

    def runtime(self, bundle: Bundle, call: ModuleCall) -> Runtime | None:
        """Returns the runtime whose `require` runs modules by this call, which passes `something.exports`."""
        return None

    def runtime_named(self, bundle: Bundle, name: Node) -> Runtime | None:
        """Returns the runtime whose `require` an expression names, if its value does not identify it."""
        return None

    def module(self, bundle: Bundle, function: Node) -> Module | None:
        """Returns the module whose code is a function, with its parameters."""
        return None

    def exports_of_module(self, bundle: Bundle, module: Module) -> Value | None:
        """Returns the exports of a module that is recognized by its shape.

        Other modules export the content of `exports`.
        """
        return None

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the value of a call of one of the system's own functions, except `require`."""
        return None

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:
        """Returns the value of a call of one of the system's own functions without arguments."""
        return None

    def member_value(self, bundle: Bundle, value: BundlerValue, name: str, at: Node) -> Value | None:
        """Returns a property of the system's own functions or objects; `at` is the reading expression."""
        return None

    def parameter_value(self, bundle: Bundle, function: Node, index: int) -> Value | None:
        """Returns the value that the system passes to a parameter except `module`, `exports`, `require`."""
        return None

    def fill(self, bundle: Bundle, found: FilledObject, call: FillingCall) -> bool:
        """Records the content that a call of the system's own function adds to an object.

        Returns whether it is such a call.
        """
        return False

    def reads_default(self, bundle: Bundle, call: CallExpression) -> bool:
        """Whether a call of the system's own function reads the default of the ES module passed to it."""
        return False

    def exported_helper(self, bundle: Bundle, function: Node) -> str | None:
        """Returns the kind of a helper that other scripts may import and call, or None."""
        return None

    def exports_of_file(self, bundle: Bundle) -> tuple[Value, FilledObject] | None:
        """Returns the value of importing the entire script, and the object it is built from."""
        return None

    def exported_modules(self, bundle: Bundle, api_places: ApiPlaces) -> Iterator[tuple[str, Value]]:
        """Yields the values that the script's modules export for other scripts, with their import names."""
        yield from ()
