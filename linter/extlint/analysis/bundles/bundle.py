"""Queries a script for the code of bundlers and compilers in it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.bundles.filled_object import FilledObject
from extlint.analysis.bundles.model import Call, FillingCall, Module, Runtime
from extlint.analysis.bundles.module_tables import (
    called_runtime,
    calls_requiring,
    required_exports,
    runtime_by_variable,
)
from extlint.analysis.bundles.runtimes import module_calls
from extlint.analysis.bundles.systems import SYSTEMS
from extlint.analysis.facts.values import UNKNOWN, FunctionValue, InstanceValue, ObjectValue, Value
from extlint.analysis.scope.model import ApiPlaces, Binding
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression
from extlint.analysis.syntax.shapes import first_argument
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import REQUIRE, BundlerValue
from extlint.analysis.values.memo import Memo, once_per_script
from extlint.analysis.values.property_index import key_of

GLOBAL_HELPERS = frozenset(name for system in SYSTEMS for name in system.global_helpers)
"""Members of `this` that a script defines if they are missing; they are assumed to be missing."""


class ScriptBundle(Memo):
    """The bundler's own code in a script, and its effects.

    Each query goes to the module systems in order, and the first result is used. Queries about other code
    return None.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__()
        self.evaluator = evaluator

    def call_value(self, callee: Value, function: Node, call: Node) -> Value | None:
        """Returns the value of a call; `callee` is the value of `function`, the called expression."""
        found = called_runtime(self, callee, function)
        if found is not None:
            first = first_argument(call)
            passed = UNKNOWN if first is None else self.evaluator.partial(first)
            return required_exports(self, *found, passed) or UNKNOWN
        definition = self._called_function(callee)
        if isinstance(callee, FunctionValue) and definition is None:
            return None
        evaluated_call = Call(call, function, callee, definition)
        for system in SYSTEMS:
            value = system.call_value(self, evaluated_call)
            if value is not None:
                return value
        return self.value_of_getter(callee) if isinstance(callee, BundlerValue) else None

    def value_of_getter(self, value: BundlerValue) -> Value:
        """Returns the value of a call of a bundler's own function without arguments."""
        for system in SYSTEMS:
            found = system.value_of_getter(self, value)
            if found is not None:
                return found
        return UNKNOWN

    def member_value(self, value: BundlerValue, name: str, at: Node) -> Value:
        """Returns the value of a property of a bundler's own function or object."""
        for system in SYSTEMS:
            found = system.member_value(self, value, name, at)
            if found is not None:
                return found
        return UNKNOWN

    def parameter_value(self, function: Node, index: int) -> Value | None:
        """Returns the value that a bundler's own code passes to a parameter of a function."""
        module = self.module_of(function)
        if module is not None:
            from extlint.analysis.bundles.filling import parameter_value

            value = parameter_value(self, module, index)
            if value is not None:
                return value
        for system in SYSTEMS:
            found = system.parameter_value(self, function, index)
            if found is not None:
                return found
        return None

    def bound_require(self, call: CallExpression) -> Value:
        """Returns the exports of a module as returned by `require.bind(require, key)`, once called."""
        function, arguments = call.callee, call.arguments
        if not isinstance(function, AccessExpression) or len(arguments) != 2:
            return UNKNOWN
        if key_of(self.evaluator, function) != "bind":
            return UNKNOWN
        found = called_runtime(self, self.evaluator.partial(function.object))
        if found is None:
            return UNKNOWN
        return required_exports(self, *found, self.evaluator.partial(arguments[1])) or UNKNOWN

    def filled_variable(self, binding: Binding, value: ObjectValue) -> Value | None:
        """Returns the object of a variable created empty, with the content added by a bundler's own code."""
        from extlint.analysis.bundles.filling import filled_variable

        return filled_variable(self, binding, value)

    def exported_helper(self, function: Node) -> BundlerValue | None:
        """Returns a function as a helper with the same meaning in every script."""
        for system in SYSTEMS:
            kind = system.exported_helper(self, function)
            if kind is not None:
                return BundlerValue(kind)
        return None

    def exports_of_file(self) -> tuple[Value, FilledObject]:
        """Returns the value of importing the entire script, and the object it is built from."""
        for system in SYSTEMS:
            found = system.exports_of_file(self)
            if found is not None:
                return found
        return UNKNOWN, FilledObject()

    def exported_modules(self, api_places: ApiPlaces) -> Iterator[tuple[str, Value]]:
        """Yields the values that the script's modules export for other scripts, with their import names."""
        for system in SYSTEMS:
            yield from system.exported_modules(self, api_places)

    @once_per_script(meanwhile=None)
    def module_of(self, function: Node) -> Module | None:
        """Returns the module whose code is a function."""
        for system in SYSTEMS:
            found = system.module(self, function)
            if found is not None:
                return found
        return None

    def module_named(self, name: Node) -> Module | None:
        """Returns the module that a variable refers to as the module parameter of the module's function."""
        binding = self.evaluator.names.variable(name) if name.type == "identifier" else None
        module = (
            None if binding is None or binding.scope.type not in FUNCTIONS else self.module_of(binding.scope)
        )
        if module is None or not any(name.same(use) for use in self.module_references(module)):
            return None
        return module

    def module_references(self, module: Module) -> list[Node]:
        """Returns the references to the module parameter in the function of a module."""
        from extlint.analysis.bundles.filling import parameter_uses

        return parameter_uses(self.evaluator, module.function, module.parameters.module)

    def calls_requiring(self, module: Module) -> Iterator[Node]:
        """Yields the calls that return the exports of a module, or its getter."""
        return calls_requiring(self, module)

    def reads_default(self, call: CallExpression) -> bool:
        """Whether a call of a bundler's own function reads the default export of the passed ES module."""
        return any(system.reads_default(self, call) for system in SYSTEMS)

    def added_properties(self, call: CallExpression) -> FilledObject | None:
        """Returns the properties that a call adds to its first argument.

        Returns None if it may do anything else to it.
        """
        from extlint.analysis.bundles.filling import record_added_properties

        found = FilledObject()
        return found if record_added_properties(self, found, call, 0) else None

    def exports_of_module(self, module: Module) -> Value:
        """Returns the exports of a module."""
        return self.evaluator.query(("exports", module.function.id), lambda: self._exports_of_module(module))

    def _exports_of_module(self, module: Module) -> Value:
        for system in SYSTEMS:
            found = system.exports_of_module(self, module)
            if found is not None:
                return found
        from extlint.analysis.bundles.filling import filled_exports

        return filled_exports(self, module)

    def property_names_of(self, function: Node) -> Iterator[str]:
        """Yields the names of properties that store a function, or whose getter it is."""
        from extlint.analysis.bundles.property_holders import property_names_of

        return property_names_of(self.evaluator, function)

    def name_in_list(self, item: Node, array: Node) -> str | None:
        """Returns the name of a value in a list of exports."""
        from extlint.analysis.bundles.property_holders import name_in_list

        return name_in_list(self.evaluator, item, array)

    def fill(self, found: FilledObject, call: FillingCall) -> bool:
        """Records the content that a call of a bundler's own function adds to an object.

        Returns whether it is such a call.
        """
        return any(system.fill(self, found, call) for system in SYSTEMS)

    @once_per_script(meanwhile=None)
    def runtime_of(self, function: Node) -> Runtime | None:
        """Returns the runtime whose `require` is this function."""
        for call in module_calls(self.evaluator, function):
            for system in SYSTEMS:
                found = system.runtime(self, call)
                if found is not None:
                    return found
        return None

    def runtime_named(self, name: Node) -> Runtime | None:
        """Returns the runtime whose `require` an expression names, if its value does not identify it."""
        for system in SYSTEMS:
            found = system.runtime_named(self, name)
            if found is not None:
                return found
        return None

    @once_per_script(meanwhile=None)
    def runtime_of_table(self, table: Node) -> Runtime | None:
        """Returns the runtime that calls the functions of a module table, or None for other tables."""
        return runtime_by_variable(self, table)

    def is_require(self, item: Node) -> bool:
        """Whether an expression is the `require` of a bundle."""
        value = self.evaluator.partial(item)
        if isinstance(value, InstanceValue):
            return value.class_name == REQUIRE
        definition = self.evaluator.definition(value)
        return (
            definition is not None
            and definition.type in FUNCTIONS
            and self.runtime_of(definition) is not None
        )

    def bundler_value(self, kind: str, definition: Node) -> BundlerValue:
        """Returns a bundler's own function that depends on code of the script."""
        return BundlerValue(kind, definition=self.evaluator.define(definition))

    def _called_function(self, callee: Value) -> Node | None:
        """Returns the called function of the script, or None if unknown."""
        definition = self.evaluator.definition(callee) if isinstance(callee, FunctionValue) else None
        return None if definition is None or definition.type not in FUNCTIONS else definition


@once_per_script
def bundle_of(evaluator: Evaluator) -> ScriptBundle:
    """Returns the bundle of a script, which handles all queries about its bundlers."""
    return ScriptBundle(evaluator)
