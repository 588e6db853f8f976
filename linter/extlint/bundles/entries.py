"""The modules of a bundle: which function is the code of one, and which key leads to it."""

from __future__ import annotations

from extlint.bundles.getters import getter_maker
from extlint.bundles.model import Module, Runtime
from extlint.bundles.runtime import runtime_of
from extlint.bundles.tables import functions_in, runtime_with
from extlint.bundles.tokens import declared_value, key_text, property_name
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import innermost, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import property_leaves


def module_with(evaluator: Evaluator, runtime: Runtime, key: str) -> Module | None:
    """The module of a runtime that has this key."""
    function = (
        _registered(evaluator, runtime, key)
        if runtime.table is None
        else functions_in(evaluator, runtime).get(key)
    )
    return None if function is None else module_of(evaluator, function)


def required_key(evaluator: Evaluator, module: Module, name: str) -> str | None:
    """The key that a module means by what it passes to its `require`."""
    if module.runtime is None or not module.runtime.nested:
        return name
    entry = outermost(module.function).parent
    names = None if entry is None else next((each for each in entry.named() if each.type == "object"), None)
    for pair in () if names is None else names.named():
        key, value = pair.field("key"), pair.field("value")
        if key is not None and value is not None and key_text(evaluator, key) == name:
            return key_text(evaluator, value)
    return None


@once_per_script(meanwhile=None)
def module_of(evaluator: Evaluator, function: Node) -> Module | None:
    """The module that a function is the code of."""
    whole = outermost(function)
    up = whole.parent
    if up is None:
        return None
    if up.type == "arguments":
        return _handed_over(evaluator, function, up)
    entry = whole
    nested = up.type == "array" and up.parent is not None and up.parent.type == "pair"
    if nested:
        first = up.first()
        if first is None or not first.same(whole):
            return None
        entry, up = up, up.parent or up
    key: str | None = None
    if up.type == "pair":
        key, up = key_text(evaluator, up.field("key")), up.parent or up
    elif function.type == "method_definition":
        key = key_text(evaluator, function.field("name"))
    elif up.type == "array":
        key = str(_position(entry))
    if up.type not in {"array", "object"} or key is None:
        return None
    runtime = runtime_with(evaluator, up)
    if runtime is None:
        return _wrapped(evaluator, function, outermost(up).parent)
    return Module(function, runtime.roles, runtime, key) if runtime.nested is nested else None


def _position(entry: Node) -> int:
    """The index of an item of an array, holes counted."""
    index = 0
    for child in entry.parent.all() if entry.parent is not None else ():
        if child.start >= entry.start:
            break
        index += child.type == ","
    return index


def _handed_over(evaluator: Evaluator, function: Node, listed: Node) -> Module | None:
    """A module that is an argument: of parcel's `register`, or of a function that makes its getter."""
    call, arguments = listed.parent, listed.named()
    if call is None or call.type != "call_expression":
        return None
    if len(arguments) == 2 and arguments[0].type == "string" and arguments[1].same(outermost(function)):
        runtime = _registering(evaluator, call)
        return (
            None
            if runtime is None
            else Module(function, runtime.roles, runtime, key_text(evaluator, arguments[0]))
        )
    return _wrapped(evaluator, function, listed)


def _registering(evaluator: Evaluator, call: Node) -> Runtime | None:
    """The runtime whose `register` is called, by that name or by a variable that holds it."""
    callee = call.field("function")
    callee = None if callee is None else innermost(callee)
    if callee is not None and callee.type == "sequence_expression":
        callee = callee.named()[-1]
    if callee is not None and callee.type == "identifier":
        callee = declared_value(evaluator, callee)
    if callee is None or callee.type != "member_expression" or property_name(evaluator, callee) != "register":
        return None
    owner = callee.field("object")
    return None if owner is None else registry(evaluator, owner)


def registry(evaluator: Evaluator, name: Node) -> Runtime | None:
    """The runtime that a variable holds which is also shared through the global object."""
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    for write in () if binding is None else binding.writes:
        value = None if write.source is None else write.source.field("value") or write.source.field("right")
        value = None if value is None else innermost(value)
        if value is not None and value.type in FUNCTIONS:
            found = runtime_of(evaluator, value)
            if found is not None and found.table is None:
                return found
    return None


def _wrapped(evaluator: Evaluator, function: Node, listed: Node | None) -> Module | None:
    """A module that is the first argument of a function which gives a getter of its exports."""
    call = None if listed is None or listed.type != "arguments" else listed.parent
    callee = None if call is None else call.field("function")
    first = None if listed is None else listed.first()
    if call is None or callee is None or first is None or not first.contains(function):
        return None
    roles = getter_maker(evaluator, callee)
    return None if roles is None else Module(function, roles, wrapping=call)


def _registered(evaluator: Evaluator, runtime: Runtime, key: str) -> Node | None:
    """The function that is handed over under a key: `register("key", function)`."""
    if key not in runtime.functions:
        for leaf in property_leaves(evaluator, key):
            string = leaf.parent
            listed = None if string is None else string.parent
            if string is None or string.type != "string" or listed is None or listed.type != "arguments":
                continue
            arguments = listed.named()
            if len(arguments) == 2 and arguments[0].same(string) and arguments[1].type in FUNCTIONS:
                runtime.functions[key] = arguments[1]
                break
    return runtime.functions.get(key)
