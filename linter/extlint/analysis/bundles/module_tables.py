"""Finds modules in objects or arrays by their keys, or in calls that register them one by one."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.bundles.model import Bundle, Runtime
from extlint.analysis.bundles.tokens import key_text, positions_in
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import CallExpression, Pair, VariableDeclarator
from extlint.analysis.syntax.shapes import index_of, innermost, outermost, parameter_items
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import property_leaves


def entry_in_table(evaluator: Evaluator, entry: Node) -> tuple[Node, str] | None:
    """Returns the object or array that contains an entry, and the entry's key."""
    up = entry.parent
    key: str | None = None
    if isinstance(up, Pair):
        key, up = key_text(evaluator, up.key), up.parent
    elif entry.type == "method_definition":
        key = key_text(evaluator, entry.field("name"))
    elif up is not None and up.type == "array":
        key = str(positions_in(evaluator, up)[entry.start])
    if up is None or key is None or up.type not in {"array", "object"}:
        return None
    return up, key


def is_empty(table: Node) -> bool:
    """Whether an object has no entries in the text, so that they are added when the script runs."""
    return table.type == "object" and all(each.type == "comment" for each in table.node.named_children)


def runtime_by_variable(bundle: Bundle, table: Node) -> Runtime | None:
    """Returns the runtime that calls the functions of a table through the variable that stores it."""
    binding = _variable_of(bundle.evaluator, table)
    if binding is None:
        return None
    for use in binding.uses:
        bundle.evaluator.tree.spend(1)
        place = outermost(use.item).parent
        if use.role is Role.REFERENCE and place is not None and place.type == "subscript_expression":
            for function in place.ancestors():
                found = bundle.runtime_of(function) if function.type in FUNCTIONS else None
                if isinstance(found, TableRuntime) and found.table.same(table):
                    return found
    return None


def _variable_of(evaluator: Evaluator, table: Node) -> Binding | None:
    """Returns the variable that stores a table, by an assignment or as the parameter it is passed to."""
    whole = outermost(table)
    up = whole.parent
    if up is None:
        return None
    if isinstance(up, VariableDeclarator):
        return evaluator.names.variable(up.name) if up.name.type == "identifier" else None
    call = up.parent if up.type == "arguments" else None
    function = innermost(call.callee) if isinstance(call, CallExpression) else None
    if function is not None and function.type == "call_expression":
        function = evaluator.definition_of(function)
    if function is None or function.type not in FUNCTIONS:
        return None
    index, parameters = index_of(up.named(), whole), parameter_items(function)
    if index is None or index >= len(parameters) or parameters[index].type != "identifier":
        return None
    return evaluator.names.variable(parameters[index])


class TableRuntime(Runtime, eq=False):
    """A runtime that finds its modules in an object or array."""

    table: Node

    def function_for_key(self, bundle: Bundle, key: str) -> Node | None:
        """Returns the function of an entry of the table."""
        return functions_in(bundle.evaluator, self.table).get(key)


@once_per_script
def functions_in(evaluator: Evaluator, table: Node) -> Mapping[str, Node]:
    """Returns the functions of a table by their keys; for an entry that is an array, its first item."""
    found: dict[str, Node] = {}
    index = 0
    for child in table.children():
        evaluator.tree.spend(1)
        index += child.type == ","
        key: str | None = str(index)
        function: Node | None = child
        if isinstance(child, Pair):
            key, function = key_text(evaluator, child.key), child.value
        elif child.type == "method_definition":
            key = key_text(evaluator, child.field("name"))
        if child.type == "pair" and function is not None and function.type == "array":
            function = function.first()
        function = None if function is None else innermost(function)
        if key is not None and function is not None and function.type in FUNCTIONS:
            found[key] = function
    return found


@once_per_script
def registered_function(evaluator: Evaluator, key: str) -> Node | None:
    """Returns the function that is passed to a call after a key: `register("key", function)`."""
    for leaf in property_leaves(evaluator, key):
        string = leaf.parent
        listed = None if string is None else string.parent
        if string is None or string.type != "string" or listed is None or listed.type != "arguments":
            continue
        arguments = listed.named()
        if len(arguments) == 2 and arguments[0].same(string) and arguments[1].type in FUNCTIONS:
            return arguments[1]
    return None
