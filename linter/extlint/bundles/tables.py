"""Tables of modules: an object or array of functions, and the runtime that calls them."""

from __future__ import annotations

from extlint.bundles.model import Roles, Runtime
from extlint.bundles.runtime import pass_table, runtime_of
from extlint.bundles.tokens import key_text, property_name
from extlint.script.scope.bindings import Binding
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import call_of, index_of, innermost, outermost, parameter_items
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script
from extlint.text.patterns import lazy

MAX_USES = 50

_WEBPACK = Roles(0, 1, 2)
_CHUNKS = lazy(r"webpackChunk|webpackJsonp")


@once_per_script(meanwhile=None)
def runtime_with(evaluator: Evaluator, table: Node) -> Runtime | None:
    """The runtime that calls the functions of a table of modules; None if it is no such table."""
    whole = outermost(table)
    up = whole.parent
    if up is None:
        return None
    if up.type == "array":
        return Runtime(None, table, _WEBPACK) if _is_chunk(evaluator, up) else None
    binding = _holder(evaluator, whole, up, table)
    if binding is None or len(binding.uses) > MAX_USES:
        return None
    for use in binding.uses:
        place = outermost(use.item).parent
        if use.role is Role.REFERENCE and place is not None and place.type == "subscript_expression":
            for function in place.ancestors():
                found = runtime_of(evaluator, function) if function.type in FUNCTIONS else None
                if found is not None and found.table is not None and found.table.same(table):
                    return found
    return None


def _holder(evaluator: Evaluator, whole: Node, up: Node, table: Node) -> Binding | None:
    """The variable that holds a table: the one it is assigned to, or a parameter of the function around."""
    if up.type == "variable_declarator":
        name = up.field("name")
        return None if name is None or name.type != "identifier" else evaluator.names.variable(name)
    call = up.parent if up.type == "arguments" else None
    callee = None if call is None else call.field("function")
    function = None if callee is None else innermost(callee)
    if function is not None and function.type == "call_expression":
        function = evaluator.definition(evaluator.partial(function))
    index = index_of(up.named(), whole)
    if function is None or function.type not in FUNCTIONS or index is None:
        return None
    parameters = parameter_items(function)
    if index >= len(parameters) or parameters[index].type != "identifier":
        return None
    binding = evaluator.names.variable(parameters[index])
    if binding is not None and call_of(function) is None:
        pass_table(evaluator, binding, table)
    return binding


def _is_chunk(evaluator: Evaluator, pushed: Node) -> bool:
    """Whether an array is what a chunk of webpack's pushes: keys of chunks, and modules."""
    listed = pushed.parent
    call = None if listed is None or listed.type != "arguments" else listed.parent
    callee = None if call is None else call.field("function")
    if callee is None or callee.type != "member_expression" or property_name(evaluator, callee) != "push":
        return False
    owner = callee.field("object")
    return owner is not None and _CHUNKS.search(evaluator.tree.source(owner)) is not None


def modules_in(evaluator: Evaluator, table: Node) -> dict[str, Node]:
    """The functions of a table of modules by their keys; none if it is no such table."""
    runtime = runtime_with(evaluator, table)
    return {} if runtime is None else functions_in(evaluator, runtime)


def functions_in(evaluator: Evaluator, runtime: Runtime) -> dict[str, Node]:
    """The functions of a table by their keys."""
    if runtime.read or runtime.table is None:
        return runtime.functions
    runtime.read = True
    index = 0
    for child in runtime.table.all():
        evaluator.tree.spend(1)
        index += child.type == ","
        key: str | None = str(index)
        function: Node | None = child
        if child.type == "pair":
            key, function = key_text(evaluator, child.field("key")), child.field("value")
        elif child.type == "method_definition":
            key = key_text(evaluator, child.field("name"))
        if runtime.nested and function is not None and function.type == "array":
            function = function.first()
        function = None if function is None else innermost(function)
        if key is not None and function is not None and function.type in FUNCTIONS:
            runtime.functions[key] = function
    return runtime.functions
