"""The names, keys and variables of a bundle's own code, as written in its text."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script


def declared_value(evaluator: Evaluator, name: Node) -> Node | None:
    """Returns the initializer of a variable, if nothing else is assigned to it."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1 or binding.writes[0].source is None:
        return None
    return binding.writes[0].source.field("value")


def property_name(evaluator: Evaluator, member: Node) -> str:
    """Returns the name after the dot of a member, or an empty string."""
    name = member.field("property")
    return "" if name is None else evaluator.tree.source(name)


def key_text(evaluator: Evaluator, item: Node | None) -> str | None:
    """Returns the key that a name, a number, or a string without escapes represents."""
    if item is None:
        return None
    source = evaluator.tree.source(item)
    match item.type:
        case "string" | "template_string" if "${" not in source:
            return None if "\\" in source else source[1:-1]
        case "property_identifier" | "number":
            return source
    return None


@once_per_script
def positions_in(evaluator: Evaluator, array: Node) -> Mapping[int, int]:
    """Returns the index of each item of an array, including holes, by the start of the item."""
    children = array.children()
    evaluator.tree.spend(len(children))
    found: dict[int, int] = {}
    index = 0
    for child in children:
        if child.type == ",":
            index += 1
        else:
            found[child.start] = index
    return found
