"""The function of a bundle that runs its modules, and what it calls them with.

Webpack, browserify and parcel differ in names only: `require(key)` looks into a cache, makes a
module, calls `table[key]` with the module, its exports and itself, and gives the exports. That call
tells which parameter of a module's function is which.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.bundles.model import Roles, Runtime
from extlint.bundles.tokens import declared_value, index_key, property_name
from extlint.script.facts.values import InstanceValue
from extlint.script.scope.bindings import Binding
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import (
    arguments_of,
    call_of,
    index_of,
    innermost,
    outermost,
    parameter_items,
)
from extlint.script.values.bundler_values import REQUIRE
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script
from extlint.text.patterns import lazy

MAX_RUNTIME_BYTES = 6_000
"""Bytes of a `require`, or of a function that makes getters of modules; a longer one is none."""

MAX_NODES = 1_500

_FILLS = lazy(r"\.exports\s*,|\.exports\)")


@once_per_script(meanwhile=None)
def runtime_of(evaluator: Evaluator, function: Node) -> Runtime | None:
    """The runtime whose `require` is this function."""
    parameters, body = parameter_items(function), function.field("body")
    if not parameters or body is None or function.end - function.start > MAX_RUNTIME_BYTES:
        return None
    if not _FILLS.search(evaluator.tree.source(function)):
        return None
    for call in calls_in(evaluator, body):
        found = _from_call(evaluator, function, call)
        if found is not None:
            return found
    return None


def calls_in(evaluator: Evaluator, body: Node) -> Iterator[Node]:
    """The calls in the body of a function, those first that stand first; of a long one, some."""
    waiting, seen = [body], 0
    while waiting and seen < MAX_NODES:
        item = waiting.pop()
        seen += 1
        if item.type == "call_expression":
            yield item
        waiting += reversed(item.named())
    evaluator.tree.spend(seen)


def _from_call(evaluator: Evaluator, require: Node, call: Node) -> Runtime | None:
    callee, listed = call.field("function"), call.field("arguments")
    if callee is None or listed is None:
        return None
    arguments = listed.named()
    if callee.type == "member_expression" and property_name(evaluator, callee) == "call":
        callee, arguments = callee.field("object") or callee, arguments[1:]
    roles = roles_of(evaluator, arguments, require)
    if roles is None:
        return None
    nested = callee.type == "subscript_expression" and index_key(evaluator, callee) == "0"
    entry = (callee.field("object") if nested else callee) or callee
    if entry.type == "identifier":
        entry = declared_value(evaluator, entry) or entry
    owner = entry.field("object") if entry.type == "subscript_expression" else None
    if owner is None or owner.type != "identifier":
        return None
    table = _table_of(evaluator, owner)
    if table is None:
        return None
    is_empty = table.type == "object" and not table.named()
    return Runtime(require, None if is_empty else table, roles, nested)


def roles_of(evaluator: Evaluator, arguments: list[Node], require: Node | None) -> Roles | None:
    """What a module is called with, told by `m` and `m.exports` among the arguments."""
    source = evaluator.tree.source
    names = [source(each) for each in arguments]
    for at, each in enumerate(arguments):
        made = each.field("object") if each.type == "member_expression" else None
        if made is None or property_name(evaluator, each) != "exports":
            continue
        made = _made(made)
        if made is None or made.type != "identifier":
            continue
        module = names.index(source(made)) if source(made) in names else None
        others = [index for index in range(len(arguments)) if index not in {at, module}]
        return Roles(module, at, _require_among(evaluator, arguments, others, require))
    return None


def _made(item: Node) -> Node | None:
    """The variable in `m` or `(m = {exports: {}})`."""
    while item.type == "parenthesized_expression":
        item = item.first() or item
        if item.type == "assignment_expression":
            return item.field("left")
    return item


def _require_among(
    evaluator: Evaluator, arguments: list[Node], others: list[int], require: Node | None
) -> int | None:
    """The argument that is `require` itself, or a function around it."""
    if require is None:
        return None
    name = require.field("name")
    own = None if name is None else evaluator.tree.source(name)
    if own is None:
        up = outermost(require).parent
        target = None if up is None else up.field("name") or up.field("left")
        own = None if target is None else evaluator.tree.source(target)
    for index in others:
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


@once_per_script
def _passed_tables(evaluator: Evaluator) -> dict[int, tuple[str, Node]]:  # noqa: ARG001
    """Tables of modules that are passed to a function elsewhere: by the function, with the parameter."""
    return {}


def pass_table(evaluator: Evaluator, parameter: Binding, table: Node) -> None:
    """Remembers the table of modules that a parameter holds, and asks anew what is a runtime."""
    _passed_tables(evaluator)[parameter.scope.id] = (parameter.name, table)
    evaluator.answers_of(runtime_of).clear()


def _table_of(evaluator: Evaluator, owner: Node) -> Node | None:
    """The literal that the variable of a table holds: its value, or an argument of the function around it."""
    binding = evaluator.names.variable(owner)
    if binding is None or len(binding.writes) != 1:
        return None
    name, given = _passed_tables(evaluator).get(binding.scope.id, ("", None))
    if given is not None and name == binding.name:
        return given
    declaration = binding.writes[0]
    source = declaration.source
    if source is None:
        return None
    found: Node | None = None
    if declaration.kind in {"var", "let"}:
        found = source.field("value")
    elif declaration.kind == "parameter":
        function = next((up for up in source.ancestors() if up.type in FUNCTIONS), None)
        call = None if function is None else call_of(function)
        given_to = [] if call is None else arguments_of(call)
        index = None if function is None else index_of(parameter_items(function), source)
        if index is not None and index < len(given_to):
            found = given_to[index]
    found = None if found is None else innermost(found)
    return found if found is not None and found.type in {"array", "object"} else None


def is_require(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the `require` of a bundle."""
    value = evaluator.partial(item)
    if isinstance(value, InstanceValue):
        return value.class_name == REQUIRE
    definition = evaluator.definition(value)
    return (
        definition is not None
        and definition.type in FUNCTIONS
        and runtime_of(evaluator, definition) is not None
    )
