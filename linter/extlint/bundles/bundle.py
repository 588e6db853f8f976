"""A script, asked for what bundlers and compilers brought along in it."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles import requires
from extlint.bundles.filled_object import FilledObject
from extlint.bundles.model import Call, FillingCall, Module, Runtime
from extlint.bundles.module_tables import runtime_by_variable
from extlint.bundles.runtimes import module_calls
from extlint.bundles.systems import SYSTEMS
from extlint.script.facts.values import UNKNOWN, FunctionValue, InstanceValue, ObjectValue, Value
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.scope.model import Binding
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.nodes import AccessExpression, CallExpression
from extlint.script.syntax.shapes import first_argument
from extlint.script.values.bundler_values import REQUIRE, BundlerValue
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import Memo, once_per_script
from extlint.script.values.property_names import key_of

GLOBAL_HELPERS = frozenset(name for system in SYSTEMS for name in system.global_helpers)
"""Members of `this` that a script makes by itself where they are missing; here they always are."""


class ScriptBundle(Memo):
    """What of a script is a bundler's own code, and what that does.

    Each question goes to the module systems in order, and the first answer counts. None is the answer
    about code that is nobody's own.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__()
        self.evaluator = evaluator

    def call_value(self, callee: Value, function: Node, call: Node) -> Value | None:
        """What a call gives; `callee` is the value of `function`, the expression that is called."""
        found = requires.runtime_called(self, callee, function)
        if found is not None:
            first = first_argument(call)
            passed = UNKNOWN if first is None else self.evaluator.certain.partial(first)
            return requires.required(self, *found, passed) or UNKNOWN
        definition = self._function(callee)
        if isinstance(callee, FunctionValue) and definition is None:
            return None
        asked = Call(call, function, callee, definition)
        for system in SYSTEMS:
            value = system.call_value(self, asked)
            if value is not None:
                return value
        return self.value_of_getter(callee) if isinstance(callee, BundlerValue) else None

    def instance_value(self, callee: Value, function: Node, call: Node) -> Value | None:
        """What `new` gives."""
        asked = Call(call, function, callee, self._function(callee))
        return next((each for system in SYSTEMS if (each := system.instance_value(self, asked))), None)

    def value_of_getter(self, value: BundlerValue) -> Value:
        """What a call without arguments gives of a function that is a bundler's own."""
        for system in SYSTEMS:
            found = system.value_of_getter(self, value)
            if found is not None:
                return found
        return UNKNOWN

    def member_value(self, value: BundlerValue, name: str, at: Node) -> Value:
        """What a property is of a function or object that is a bundler's own."""
        for system in SYSTEMS:
            found = system.member_value(self, value, name, at)
            if found is not None:
                return found
        return UNKNOWN

    def parameter_value(self, function: Node, index: int) -> Value | None:
        """What a bundler's own code passes to a parameter of a function."""
        module = self.module_of(function)
        if module is not None:
            from extlint.bundles.module_exports import parameter_value

            value = parameter_value(self, module, index)
            if value is not None:
                return value
        for system in SYSTEMS:
            found = system.parameter_value(self, function, index)
            if found is not None:
                return found
        return None

    def bound_require(self, call: CallExpression) -> Value:
        """What a call of `require.bind(require, key)` gives: the exports of a module."""
        function, arguments = call.callee, call.arguments
        if not isinstance(function, AccessExpression) or len(arguments) != 2:
            return UNKNOWN
        if key_of(self.evaluator, function) != "bind":
            return UNKNOWN
        found = requires.runtime_called(self, self.evaluator.certain.partial(function.object))
        if found is None:
            return UNKNOWN
        return requires.required(self, *found, self.evaluator.certain.partial(arguments[1])) or UNKNOWN

    def filled_variable(self, binding: Binding, value: ObjectValue) -> Value | None:
        """A variable's object that was made empty, with what a bundler's own code then puts into it."""
        from extlint.bundles.module_exports import filled_variable

        return filled_variable(self, binding, value)

    def exported_helper(self, function: Node) -> BundlerValue | None:
        """A function as a helper that means the same in every script."""
        for system in SYSTEMS:
            kind = system.exported_helper(self, function)
            if kind is not None:
                return BundlerValue(kind)
        return None

    def exports_of_file(self) -> tuple[Value, FilledObject]:
        """What importing the whole script gives, and what that is made of."""
        for system in SYSTEMS:
            found = system.exports_of_file(self)
            if found is not None:
                return found
        return UNKNOWN, FilledObject()

    def exported_modules(self, api_places: ApiPlaces) -> Iterator[tuple[str, Value]]:
        """What the script's modules export for other scripts, by the names that those import them by."""
        for system in SYSTEMS:
            yield from system.exported_modules(self, api_places)

    @once_per_script(meanwhile=None)
    def module_of(self, function: Node) -> Module | None:
        """The module whose code a function is."""
        for system in SYSTEMS:
            found = system.module(self, function)
            if found is not None:
                return found
        return None

    def module_named(self, name: Node) -> Module | None:
        """The module that a variable is, as its function is passed it."""
        binding = self.evaluator.names.variable(name) if name.type == "identifier" else None
        module = (
            None if binding is None or binding.scope.type not in FUNCTIONS else self.module_of(binding.scope)
        )
        if module is None or not any(name.same(use) for use in self.names_of_module(module)):
            return None
        return module

    def names_of_module(self, module: Module) -> list[Node]:
        """The places where the function of a module names the module that it is passed."""
        from extlint.bundles.filling import parameter_uses

        return parameter_uses(self.evaluator, module.function, module.parameters.module)

    def calls_requiring(self, module: Module) -> Iterator[Node]:
        """The calls that give the exports of a module, or its getter."""
        return requires.calls_requiring(self, module)

    def all_requires(self, module: Module) -> list[Node] | None:
        """The calls that give what a module exports; None if other code of the script may require it."""
        from extlint.bundles.known_requires import known_requires

        return known_requires(self, module)

    def reads_default(self, call: CallExpression) -> bool:
        """Whether a call of a bundler's own function reads the default of the ES module that it is passed."""
        return any(system.reads_default(self, call) for system in SYSTEMS)

    def added_by(self, call: CallExpression) -> FilledObject | None:
        """The properties that a call adds to its first argument, if it does nothing else to it."""
        from extlint.bundles.filling import added_by

        found = FilledObject()
        return found if added_by(self, found, call, 0) else None

    def exports_of_module(self, module: Module) -> Value:
        """What a module exports."""
        return self.evaluator.ask(("exports", module.function.id), lambda: self._exports_of_module(module))

    def _exports_of_module(self, module: Module) -> Value:
        for system in SYSTEMS:
            found = system.exports_of_module(self, module)
            if found is not None:
                return found
        from extlint.bundles.module_exports import put_into_exports

        return put_into_exports(self, module)

    def names_holding(self, function: Node) -> Iterator[str]:
        """The names of properties that hold a function, or whose getter it is."""
        from extlint.bundles.property_holders import names_holding

        return names_holding(self.evaluator, function)

    def name_in_list(self, item: Node, array: Node) -> str | None:
        """The name under which a list of exports has a value."""
        from extlint.bundles.property_holders import name_in_list

        return name_in_list(self.evaluator, item, array)

    def fill(self, found: FilledObject, call: FillingCall) -> bool:
        """Notes what a call puts into an object, if it is a call of a bundler's own function."""
        return any(system.fill(self, found, call) for system in SYSTEMS)

    @once_per_script(meanwhile=None)
    def runtime_of(self, function: Node) -> Runtime | None:
        """The runtime whose `require` is this function."""
        for call in module_calls(self.evaluator, function):
            for system in SYSTEMS:
                found = system.runtime(self, call)
                if found is not None:
                    return found
        return None

    def runtime_named(self, name: Node) -> Runtime | None:
        """The runtime whose `require` an expression stands for, where its value does not tell that."""
        for system in SYSTEMS:
            found = system.runtime_named(self, name)
            if found is not None:
                return found
        return None

    def required(self, runtime: Runtime, key: str) -> Value:
        """What the `require` of a runtime gives for a key."""
        return requires.exports_with(self, runtime, key)

    @once_per_script(meanwhile=None)
    def runtime_with(self, table: Node) -> Runtime | None:
        """The runtime that calls the functions of a table of modules; None if it is no such table."""
        return runtime_by_variable(self, table)

    def is_require(self, item: Node) -> bool:
        """Whether an expression is the `require` of a bundle."""
        value = self.evaluator.certain.partial(item)
        if isinstance(value, InstanceValue):
            return value.class_name == REQUIRE
        definition = self.evaluator.definition(value)
        return (
            definition is not None
            and definition.type in FUNCTIONS
            and self.runtime_of(definition) is not None
        )

    def value(self, kind: str, definition: Node) -> BundlerValue:
        """A bundler's own function that depends on code of the script."""
        return BundlerValue(kind, definition=self.evaluator.define(definition))

    def _function(self, callee: Value) -> Node | None:
        """The function of the script that is called, if it is known."""
        definition = self.evaluator.definition(callee) if isinstance(callee, FunctionValue) else None
        return None if definition is None or definition.type not in FUNCTIONS else definition


@once_per_script
def bundle_of(evaluator: Evaluator) -> ScriptBundle:
    """What answers all questions about the bundlers of a script."""
    return ScriptBundle(evaluator)
