"""The function of a bundle that runs its modules, and the arguments that it passes to them.

Webpack, browserify and parcel differ in where they store modules. In each, `require(key)` looks into a cache,
creates a module, calls the module function with the module, its exports and `require`, and returns the
exports. This call identifies the parameters of a module function.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.bundles.model import ModuleCall, ModuleParameters
from extlint.analysis.bundles.module_tables import declared_value, property_name
from extlint.analysis.scope.model import Identifier
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    CallExpression,
    MemberExpression,
    SubscriptExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    arguments_of,
    call_of,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.text.patterns import lazy

MAX_RUNTIME_BYTES = 6_000
"""The maximum size in bytes of a `require`, or of a function that creates module getters."""

MAX_NODES = 1_500

_FILLS = lazy(r"\.exports\s*,|\.exports\)")


def module_calls(evaluator: Evaluator, function: Node) -> Iterator[ModuleCall]:
    """Yields the calls in a function that run a module, if it may be the `require` of a bundle."""
    parameters, body = parameter_items(function), function.field("body")
    if not parameters or body is None or function.end - function.start > MAX_RUNTIME_BYTES:
        return
    if not _FILLS.search(evaluator.tree.source(function)):
        return
    for call in calls_in(evaluator, body):
        found = _module_call(evaluator, function, call)
        if found is not None:
            yield found


def calls_in(evaluator: Evaluator, body: Node) -> Iterator[CallExpression]:
    """Yields the calls in the body of a function in source order, or only some of them if it is long."""
    waiting, visited_count = [body], 0
    while waiting and visited_count < MAX_NODES:
        item = waiting.pop()
        visited_count += 1
        if isinstance(item, CallExpression):
            yield item
        waiting += reversed(item.named())
    evaluator.tree.spend(visited_count)


def _module_call(evaluator: Evaluator, require: Node, call: CallExpression) -> ModuleCall | None:
    callee, arguments = call.callee, call.arguments
    if isinstance(callee, MemberExpression) and property_name(evaluator, callee) == "call":
        callee, arguments = callee.object, arguments[1:]
    parameters = parameters_passed(evaluator, arguments, require)
    return None if parameters is None else ModuleCall(require, callee, parameters)


def parameters_passed(
    evaluator: Evaluator, arguments: list[Node], require: Node | None
) -> ModuleParameters | None:
    """Returns the parameters of a module call, recognized by `m` and `m.exports` among the arguments."""
    source = evaluator.tree.source
    names = [source(each) for each in arguments]
    for at, each in enumerate(arguments):
        if not isinstance(each, MemberExpression) or property_name(evaluator, each) != "exports":
            continue
        variable = _assigned_variable(each.object)
        if variable.type != "identifier":
            continue
        module = names.index(source(variable)) if source(variable) in names else None
        other_indexes = [index for index in range(len(arguments)) if index not in {at, module}]
        return ModuleParameters(module, at, _require_among(evaluator, arguments, other_indexes, require))
    return None


def _assigned_variable(item: Node) -> Node:
    """Returns the variable in `m` or `(m = {exports: {}})`."""
    while item.type == "parenthesized_expression" and (inner := item.first()) is not None:
        item = inner
        if isinstance(item, AssignmentExpression):
            return item.left
    return item


def _require_among(
    evaluator: Evaluator, arguments: list[Node], indexes: list[int], require: Node | None
) -> int | None:
    """Returns the index of the argument that is `require` itself, or a function around it."""
    if require is None:
        return None
    name = require.field("name")
    own = None if name is None else evaluator.tree.source(name)
    if own is None:
        up = outermost(require).parent
        target = None if up is None else up.field("name") or up.field("left")
        own = None if target is None else evaluator.tree.source(target)
    for index in indexes:
        each = arguments[index]
        if each.type in FUNCTIONS:
            return index
        if each.type == "identifier":
            if evaluator.tree.source(each) == own:
                return index
            binding = evaluator.names.variable(each)
            declared = (
                binding.declarations[0].source if binding is not None and binding.declarations else None
            )
            if declared is not None and declared.type in FUNCTIONS and require.contains(declared):
                return index
    return None


def table_of_entry(evaluator: Evaluator, entry: Node) -> Node | None:
    """Returns the object or array literal that `table[key]` is read from, directly or through a variable."""
    if entry.type == "identifier":
        entry = declared_value(evaluator, entry) or entry
    owner = entry.object if isinstance(entry, SubscriptExpression) else None
    binding = None if owner is None or owner.type != "identifier" else evaluator.names.variable(owner)
    if binding is None or len(binding.writes) != 1:
        return None
    declaration = binding.writes[0]
    found: Node | None = None
    if isinstance(declaration.source, VariableDeclarator) and declaration.kind in {"var", "let"}:
        found = declaration.source.value
    elif declaration.kind == "parameter":
        found = _argument_for(evaluator, declaration)
    found = None if found is None else innermost(found)
    return found if found is not None and found.type in {"array", "object"} else None


def _argument_for(evaluator: Evaluator, parameter: Identifier) -> Node | None:
    """Returns the argument that the only call of a function passes to one of its parameters."""
    source = parameter.source
    function = None if source is None else enclosing_function(source)
    if source is None or function is None:
        return None
    call = call_of(function) or _call_of_returned(evaluator, function)
    arguments = [] if call is None else arguments_of(call)
    index = index_of(parameter_items(function), source)
    return arguments[index] if index is not None and index < len(arguments) else None


def _call_of_returned(evaluator: Evaluator, function: Node) -> Node | None:
    """Returns the call of a function that is returned by its enclosing function.

    Example: `(function () { … return f })()(table)`.
    """
    around = enclosing_function(function)
    for outer_call in () if around is None else calls_of(evaluator, around)[0][:1]:
        call = call_of(outer_call)
        definition = None if call is None else evaluator.definition_of(outer_call)
        if definition is not None and definition.same(function):
            return call
    return None
