"""What calls of a bundle's own functions give: `require(key)`, a getter of a module."""

from __future__ import annotations

from extlint.bundles.chunk_text import chunk_array, module_name
from extlint.bundles.entries import module_of, module_with, registry, required_key
from extlint.bundles.getters import getter_maker
from extlint.bundles.interop import default_of, interop_value, namespace_of_value
from extlint.bundles.model import Module, Runtime
from extlint.bundles.modules import exports_of_module
from extlint.bundles.runtime import is_require, runtime_of
from extlint.script.facts.values import UNKNOWN, FunctionValue, InstanceValue, Value
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import arguments_of, first_argument, innermost, outermost, parameter_items
from extlint.script.values.bundler_values import DEFAULT, GETTER, INTEROP, MAKING, REQUIRE, mark
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script


def bundled_call(evaluator: Evaluator, callee: Value, function: Node, call: Node) -> Value | None:
    """What a call gives that is one of a bundle's own: `require(key)`, a module's getter.

    None if it is no such call.
    """
    if isinstance(callee, InstanceValue):
        if callee.class_name in INTEROP:
            return interop_value(evaluator, callee.class_name, call)
        if callee.class_name == MAKING:
            evaluator.define(call)
            return mark(GETTER, call)
        definition = evaluator.definition_at(callee.definition)
        if definition is None:
            return None
        if callee.class_name == REQUIRE:
            return required_by(evaluator, callee, _first(evaluator, call))
        return got_by(evaluator, callee)
    if isinstance(callee, FunctionValue):
        definition = evaluator.definition(callee)
        if definition is None or definition.type not in FUNCTIONS:
            return None
        runtime = runtime_of(evaluator, definition)
        if runtime is not None:
            return _required(evaluator, runtime, None, _first(evaluator, call))
        if getter_maker(evaluator, function) is not None:
            evaluator.define(call)
            return mark(GETTER, call)
        return None
    runtime = registry(evaluator, function) if function.type == "identifier" else None
    if runtime is not None:
        return _required(evaluator, runtime, None, _first(evaluator, call))
    if function.type == "identifier":
        return _exported_by_system(evaluator, function, call)
    return _by_method(evaluator, function, call)


def required_by(evaluator: Evaluator, callee: Value, key: Value) -> Value:
    """What the `require` of a bundle gives for a key."""
    definition = evaluator.definition(callee)
    made = evaluator.definition_at(callee.definition) if isinstance(callee, InstanceValue) else None
    if made is not None:
        own = module_of(evaluator, made)
        runtime = None if own is None else own.runtime
    else:
        own, runtime = None, None if definition is None else runtime_of(evaluator, definition)
    return UNKNOWN if runtime is None else _required(evaluator, runtime, own, key)


def _required(evaluator: Evaluator, runtime: Runtime, own: Module | None, given: Value) -> Value:
    name = text_of(given)
    key = name if own is None or name is None else required_key(evaluator, own, name)
    module = None if key is None else module_with(evaluator, runtime, key)
    if module is None:
        return UNKNOWN if key is None else _of_other_chunk(evaluator, key)
    return exports_of_module(evaluator, module)


def _of_other_chunk(evaluator: Evaluator, key: str) -> Value:
    array = _own_array(evaluator)
    if array is None:
        return UNKNOWN
    name = module_name(array, key)
    return evaluator.imported(name, of_api=True).get(name, UNKNOWN)


@once_per_script
def _own_array(evaluator: Evaluator) -> str | None:
    """The array that the chunks of the script are added to."""
    evaluator.tree.spend_search(len(evaluator.tree.text))
    return chunk_array(evaluator.tree.text)


def is_require_call(evaluator: Evaluator, call: Node, module: Module) -> bool:
    """Whether a call gives the exports of this module."""
    function = call.field("function")
    if function is None:
        return False
    callee = evaluator.partial(function)
    own: Module | None = None
    runtime: Runtime | None = None
    definition: Node | None = None
    if isinstance(callee, InstanceValue) and callee.class_name == REQUIRE and callee.definition is not None:
        definition = evaluator.definition_at(callee.definition)
    if definition is not None:
        own = module_of(evaluator, definition)
        runtime = None if own is None else own.runtime
    elif isinstance(callee, FunctionValue):
        definition = evaluator.definition(callee)
        runtime = None if definition is None else runtime_of(evaluator, definition)
    elif function.type == "identifier":
        runtime = registry(evaluator, function)
    name = text_of(_first(evaluator, call))
    key = name if own is None or name is None else required_key(evaluator, own, name)
    found = None if runtime is None or key is None else module_with(evaluator, runtime, key)
    return found is not None and found.function.same(module.function)


def got_by(evaluator: Evaluator, getter: InstanceValue) -> Value:
    """What a getter of a module, or of its default, gives."""
    making = evaluator.definition_at(getter.definition)
    if making is not None and getter.class_name == GETTER:
        return _got(evaluator, making)
    if making is not None and getter.class_name == DEFAULT:
        return default_of(_first(evaluator, making))
    return UNKNOWN


def _got(evaluator: Evaluator, making: Node) -> Value:
    """The exports of the module that a getter was made for."""
    module = _wrapped_module(evaluator, making)
    return UNKNOWN if module is None else exports_of_module(evaluator, module)


def _wrapped_module(evaluator: Evaluator, making: Node) -> Module | None:
    """The module that is the first argument of a call which makes its getter."""
    first = first_argument(making)
    function = None if first is None else innermost(first)
    if function is not None and function.type == "object":
        function = function.first()
        if function is not None and function.type == "pair":
            function = function.field("value")
    return None if function is None or function.type not in FUNCTIONS else module_of(evaluator, function)


def _first(evaluator: Evaluator, call: Node) -> Value:
    first = first_argument(call)
    return UNKNOWN if first is None else evaluator.partial(first)


def _exported_by_system(evaluator: Evaluator, function: Node, call: Node) -> Value | None:
    """`exports("name", value)` of SystemJS, which gives the value."""
    arguments = arguments_of(call)
    binding = evaluator.names.variable(function) if len(arguments) == 2 else None
    if binding is None or binding.scope.type not in FUNCTIONS or not binding.declarations:
        return None
    parameters = parameter_items(binding.scope)
    if not parameters or not parameters[0].same(binding.declarations[0].item) or len(binding.writes) != 1:
        return None
    given_to = outermost(binding.scope).parent
    register = None if given_to is None or given_to.type != "arguments" else given_to.parent
    callee = None if register is None else register.field("function")
    if callee is None or evaluator.tree.source(callee) != "System.register":
        return None
    return evaluator.partial(arguments[1])


def _by_method(evaluator: Evaluator, function: Node, call: Node) -> Value | None:
    """`require.n(module)` gives a getter of its default, `require.t(key)` a namespace."""
    owner, name = function.field("object"), function.field("property")
    if function.type != "member_expression" or owner is None or name is None:
        return None
    method = evaluator.tree.source(name)
    if method not in {"n", "t"} or not is_require(evaluator, owner):
        return None
    if method == "n":
        evaluator.define(call)
        return mark(DEFAULT, call)
    value = bundled_call(evaluator, evaluator.partial(owner), owner, call)
    evaluator.define(call)
    return None if value is None else namespace_of_value(value, call)


def member_of_default(evaluator: Evaluator, value: InstanceValue, name: str) -> Value:
    """`.a` of a getter of a default is what it gives."""
    making = evaluator.definition_at(value.definition)
    return UNKNOWN if making is None or name != "a" else default_of(_first(evaluator, making))
