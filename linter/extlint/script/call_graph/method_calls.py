"""Finds the calls of a method, if all of them are known, and the arguments they pass."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.script.call_graph.holders import holder_of
from extlint.script.call_graph.object_flow import reads_of_member
from extlint.script.call_graph.object_owners import Reach
from extlint.script.facts.values import Kind, Literal, Value
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    CallExpression,
    Class,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
)
from extlint.script.syntax.shapes import call_of, enclosing_function, index_of, outermost, pattern_and_default
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script


@once_per_script(meanwhile=None)
def calls_of_method(evaluator: Evaluator, function: Function) -> Sequence[CallExpression] | None:
    """Returns the calls of a function that belongs to a class or an object literal.

    Returns None if not all are known.
    """
    up = outermost(function).parent
    is_member = function.name is None and isinstance(up, FieldDefinition | Pair)
    holder = holder_of(evaluator, function) if is_member or isinstance(function, MethodDefinition) else None
    if holder is None or not (isinstance(holder.owner, Class) or holder.owner.type == "object"):
        return None
    reads = reads_of_member(evaluator, holder.owner, holder.name, Reach.GLOBAL)
    if reads is None:
        return None
    calls = [each for read in reads.places if (each := call_of(read)) is not None]
    return calls if len(calls) == len(reads.places) else None


def arguments_of_method(evaluator: Evaluator, name: Node) -> Sequence[Value]:
    """Returns all values passed to a parameter of a method, or an empty sequence if not all are known."""
    binding = evaluator.names.variable(name)
    declared = None if binding is None or len(binding.writes) != 1 else binding.writes[0]
    source = None if declared is None or declared.kind != "parameter" else declared.source
    function = None if source is None else enclosing_function(source)
    if declared is None or source is None or function is None:
        return ()
    pattern, default = pattern_and_default(source)
    index = index_of(function.parameters, source)
    calls = calls_of_method(evaluator, function) if default is None and declared.item.same(pattern) else None
    if index is None or calls is None:
        return ()
    found: list[Value] = []
    for call in calls:
        arguments = call.arguments
        if any(each.type == "spread_element" for each in arguments[: index + 1]):
            return ()
        found.append(
            evaluator.certain.value(arguments[index]) if index < len(arguments) else Literal(Kind.UNDEFINED)
        )
    return found
