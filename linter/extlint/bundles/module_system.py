"""What is asked of a module system.

A module system says what it knows of its own code, and nothing of all else; each method here is the
answer of one that has no such code. `Bundle` asks the systems in the order of `SYSTEMS`, and the
first answer counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles.filled_object import FilledObject
from extlint.bundles.model import Bundle, Call, FillingCall, Module, ModuleCall, Runtime
from extlint.script.facts.values import Value
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import CallExpression
from extlint.script.values.bundler_values import BundlerValue


class ModuleSystem:
    """A bundler's, compiler's or language's way to make modules of scripts."""

    global_helpers: frozenset[str] = frozenset()
    """Helpers that a script takes from `this` or makes by itself; here it always makes them."""

    def runtime(self, bundle: Bundle, call: ModuleCall) -> Runtime | None:  # noqa: ARG002
        """The runtime whose `require` runs modules by this call, which passes `something.exports` to them."""
        return None

    def runtime_named(self, bundle: Bundle, name: Node) -> Runtime | None:  # noqa: ARG002
        """The runtime whose `require` an expression stands for, where its value does not tell that."""
        return None

    def module(self, bundle: Bundle, function: Node) -> Module | None:  # noqa: ARG002
        """The module whose code a function is, with what its parameters are."""
        return None

    def exports_of_module(self, bundle: Bundle, module: Module) -> Value | None:  # noqa: ARG002
        """What a module exports that is known by its shape; of others, all that is put into `exports`."""
        return None

    def call_value(self, bundle: Bundle, call: Call) -> Value | None:  # noqa: ARG002
        """What a call of one of the system's own functions gives, other than of `require`."""
        return None

    def instance_value(self, bundle: Bundle, call: Call) -> Value | None:  # noqa: ARG002
        """What `new` of one of the system's own functions gives."""
        return None

    def value_of_getter(self, bundle: Bundle, value: BundlerValue) -> Value | None:  # noqa: ARG002
        """What one of the system's own functions gives that takes no arguments."""
        return None

    def member_value(self, bundle: Bundle, value: BundlerValue, name: str, at: Node) -> Value | None:  # noqa: ARG002
        """A property of one of the system's own functions or objects; `at` is the expression that asks."""
        return None

    def parameter_value(self, bundle: Bundle, function: Node, index: int) -> Value | None:  # noqa: ARG002
        """What the system's own code passes to a parameter, other than `module`, `exports` and `require`."""
        return None

    def fill(self, bundle: Bundle, found: FilledObject, call: FillingCall) -> bool:  # noqa: ARG002
        """Notes what a call of the system's own function puts into an object; whether it is such a call."""
        return False

    def reads_default(self, bundle: Bundle, call: CallExpression) -> bool:  # noqa: ARG002
        """Whether a call of the system's own reads the default of the ES module that it is passed."""
        return False

    def exported_helper(self, bundle: Bundle, function: Node) -> str | None:  # noqa: ARG002
        """Which helper a function is that other scripts may import and call."""
        return None

    def exports_of_file(self, bundle: Bundle) -> tuple[Value, FilledObject] | None:  # noqa: ARG002
        """What importing the whole script gives, and what that is made of."""
        return None

    def exported_modules(self, bundle: Bundle, api_places: ApiPlaces) -> Iterator[tuple[str, Value]]:  # noqa: ARG002
        """What the script's modules export for other scripts, by the names that those ask by."""
        yield from ()
