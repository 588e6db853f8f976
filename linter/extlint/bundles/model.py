"""Modules that are functions, the runtimes that run them, and what a script is asked about both."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from extlint.bundles.filled_object import FilledObject
from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.syntax.node import Node
from extlint.script.values.bundler_values import BundlerValue
from extlint.script.values.evaluator import Evaluator


class ModuleParameters(Struct, frozen=True):
    """Which parameters of a module function are `module`, `exports` and `require`, from 0."""

    module: int | None = None
    exports: int | None = None
    require: int | None = None


class Runtime(Struct, eq=False):
    """What runs the modules of a bundle, and finds them by their keys.

    `require` is the function that gives a module's exports for its key; None in a file that only
    brings modules for a runtime elsewhere.
    """

    require: Node | None
    parameters: ModuleParameters

    def function_with(self, bundle: Bundle, key: str) -> Node | None:  # noqa: ARG002
        """The module function that has a key."""
        return None

    def key_of(self, bundle: Bundle, module: Module, name: str) -> str | None:  # noqa: ARG002
        """The key that a module means by what it passes to its `require`."""
        return name

    def names_of(self, bundle: Bundle, key: str) -> list[str]:  # noqa: ARG002
        """What may be passed to `require` for a key."""
        return [key]

    def external_exports(self, bundle: Bundle, key: str) -> Value:  # noqa: ARG002
        """What `require` gives for a key that no module of the script has."""
        return UNKNOWN


class Module(Struct, eq=False):
    """A module: its function, what its parameters are, and how it is found.

    `getter_made_by` is the call that makes the module's getter of the function, as esbuild does it.
    """

    function: Node
    parameters: ModuleParameters
    runtime: Runtime | None = None
    key: str | None = None
    getter_made_by: Node | None = None


class ModuleCall(Struct, eq=False):
    """The call in a `require` that runs a module: `callee` is the module function, such as `table[key]`.

    It is known by `something.exports` among its arguments; a call without that is no `ModuleCall`.
    """

    require: Node
    callee: Node
    parameters: ModuleParameters


class Call(Struct, eq=False):
    """A call or `new`: what is called, its value, and the function of the script that it is, if it is one."""

    node: Node
    function: Node
    callee: Value
    definition: Node | None = None


class FillingCall(Struct, eq=False):
    """A call that is passed an object: what is called, the argument's position, and the other arguments."""

    function: Node
    callee: Value
    index: int
    others: list[Node]


class Bundle(Protocol):
    """What a module system may ask about the script: the answers of all module systems together."""

    evaluator: Evaluator

    def call_value(self, callee: Value, function: Node, call: Node) -> Value | None:
        """What a call gives; `callee` is the value of `function`, the expression that is called."""
        ...

    def module_of(self, function: Node) -> Module | None:
        """The module whose code a function is."""
        ...

    def exports_of_module(self, module: Module) -> Value:
        """What a module exports."""
        ...

    def runtime_of(self, function: Node) -> Runtime | None:
        """The runtime whose `require` is this function."""
        ...

    def runtime_named(self, name: Node) -> Runtime | None:
        """The runtime whose `require` an expression stands for, where its value does not tell that."""
        ...

    def runtime_with(self, table: Node) -> Runtime | None:
        """The runtime that calls the functions of a table of modules; None if it is no such table."""
        ...

    def required(self, runtime: Runtime, key: str) -> Value:
        """What the `require` of a runtime gives for a key."""
        ...

    def is_require(self, item: Node) -> bool:
        """Whether an expression is the `require` of a bundle."""
        ...

    def fill(self, found: FilledObject, call: FillingCall) -> bool:
        """Notes what a call puts into an object, if it is a call of a bundler's own function."""
        ...

    def value(self, kind: str, definition: Node) -> BundlerValue:
        """A bundler's own function that depends on code of the script."""
        ...
