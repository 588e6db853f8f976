"""Modules that are functions, the runtimes that run them, and the queries of a script about both."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from extlint.analysis.bundles.filled_object import FilledObject
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.syntax.node import Node
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

    def function_for_key(self, bundle: Bundle, key: str) -> Node | None:  # noqa: ARG002
        """Returns the module function with a key, or None."""
        return None

    def key_of(self, bundle: Bundle, module: Module, name: str) -> str | None:  # noqa: ARG002
        """Returns the key that a module's argument of `require` refers to."""
        return name

    def names_of(self, bundle: Bundle, key: str) -> list[str]:  # noqa: ARG002
        """Returns the possible arguments of `require` for a key."""
        return [key]

    def shared_names(self, bundle: Bundle, key: str) -> list[str] | None:  # noqa: ARG002
        """Returns the names by which other scripts may require a module, or None if they are unknown."""
        return None

    def external_exports(self, bundle: Bundle, key: str) -> Value:  # noqa: ARG002
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

    def open_keys(self) -> frozenset[str] | None:
        """Returns the keys of modules that may be required without a call that directly names the key."""
        ...

    def runtime_named(self, name: Node) -> Runtime | None:
        """Returns the runtime whose `require` an expression names, if its value does not identify it."""
        ...

    def runtime_of_table(self, table: Node) -> Runtime | None:
        """Returns the runtime that calls the functions of a module table, or None for other tables."""
        ...

    def exports_for_key(self, runtime: Runtime, key: str) -> Value:
        """Returns the value of a runtime's `require` for a key."""
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
