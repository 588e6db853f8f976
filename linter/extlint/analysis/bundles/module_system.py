"""The interface of a module system.

A module system handles only its own code; each method here returns the result of a system without such code.
`Bundle` queries the systems in the order of `SYSTEMS`, and uses the first result.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.bundles.filled_object import FilledObject
from extlint.analysis.bundles.model import Bundle, Call, FillingCall, Module, ModuleCall, Runtime
from extlint.analysis.facts.values import Value
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.values.interop import BundlerValue


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

    def instance_value(self, bundle: Bundle, call: Call) -> Value | None:
        """Returns the value of `new` with one of the system's own functions."""
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
