"""The names of properties through which functions and values are reached, including the forms of bundlers."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import MEMBERS, Node
from extlint.analysis.syntax.nodes import AssignmentExpression, VariableDeclarator
from extlint.analysis.syntax.shapes import index_of, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of


def name_in_list(evaluator: Evaluator, item: Node, array: Node) -> str | None:
    """Returns the name before a value in a list of exports: `["api", 0, value]`."""
    return _export_list_names(evaluator, array).get(item.id)


@once_per_script
def _export_list_names(evaluator: Evaluator, array: Node) -> dict[int, str]:
    """Returns the names before values in an array, by the ids of the values."""
    items = array.named()
    return {
        value.id: evaluator.tree.source(name)[1:-1]
        for name, number, value in zip(items, items[1:], items[2:], strict=False)
        if name.type == "string" and number.type == "number"
    }


def property_names_of(evaluator: Evaluator, function: Node) -> Iterator[str]:
    """Yields the names of properties that store a function, or whose getter it is."""
    whole = outermost(function)
    up = whole.parent
    if function.type == "method_definition":
        yield from _key(evaluator, function)
        if key_of(evaluator, function) == "get" and up is not None:
            yield from _defined_property(evaluator, up)
    elif up is None:
        return
    elif up.type == "pair":
        yield from _key(evaluator, up)
        if key_of(evaluator, up) == "get" and up.parent is not None:
            yield from _defined_property(evaluator, up.parent)
    elif isinstance(up, AssignmentExpression):
        if up.left.type in MEMBERS:
            yield from _key(evaluator, up.left)
    elif up.type in {"arguments", "array"}:
        items = up.named()
        at = index_of(items, whole) or 0
        if at and items[at - 1].type == "string":
            yield evaluator.tree.source(items[at - 1])[1:-1]
        if at > 1 and items[at - 1].type == "number" and items[at - 2].type == "string":
            yield evaluator.tree.source(items[at - 2])[1:-1]
    name = function.field("name") if function.type.endswith("declaration") else None
    if isinstance(up, VariableDeclarator):
        name = up.name
    if name is not None and name.type == "identifier":
        yield from _property_names_of_variable(evaluator, name)


def _property_names_of_variable(evaluator: Evaluator, name: Node) -> Iterator[str]:
    """Yields the properties that a variable is assigned to, or whose getter returns it."""
    binding = evaluator.names.variable(name)
    for use in () if binding is None else binding.uses:
        evaluator.tree.spend(1)
        if use.role is not Role.REFERENCE:
            continue
        whole = outermost(use.item)
        up = whole.parent
        if use.item.type == "shorthand_property_identifier":
            yield evaluator.tree.source(use.item)
        elif up is None:
            continue
        elif up.type == "pair":
            yield from _key(evaluator, up)
        elif isinstance(up, AssignmentExpression) and whole.is_field("right"):
            if up.left.type in MEMBERS:
                yield from _key(evaluator, up.left)
        elif up.type == "arrow_function":
            yield from property_names_of(evaluator, up)
        elif up.type == "return_statement" and up.parent is not None and up.parent.parent is not None:
            getter = up.parent.parent
            if getter.type in {"function_expression", "method_definition"}:
                yield from property_names_of(evaluator, getter)
        elif up.type == "array":
            items = up.named()
            at = index_of(items, whole) or 0
            if at > 1 and items[at - 2].type == "string":
                yield evaluator.tree.source(items[at - 2])[1:-1]


def _key(evaluator: Evaluator, item: Node) -> Iterator[str]:
    name = key_of(evaluator, item)
    if name is not None and name not in {"get", "value"}:
        yield name


def _defined_property(evaluator: Evaluator, descriptor: Node) -> Iterator[str]:
    """Yields the property whose descriptor is an object."""
    listed = outermost(descriptor).parent
    if listed is not None and listed.type == "arguments":
        items = listed.named()
        if len(items) == 3 and items[1].type == "string":
            yield evaluator.tree.source(items[1])[1:-1]
