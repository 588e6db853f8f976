"""Finds the calls of a function or method, if all of them are known."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.call_graph.holders import holder_of
from extlint.analysis.call_graph.object_owners import Reach
from extlint.analysis.call_graph.object_reads import reads_of_member
from extlint.analysis.syntax.nodes import (
    CallExpression,
    CallOrNewExpression,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import call_of, outermost, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.other_scripts import received_arguments
from extlint.analysis.values.traced_flows import traced_flows


@once_per_script(meanwhile=None)
def calls_of_method(evaluator: Evaluator, function: Function) -> Sequence[CallExpression] | None:
    """Returns the calls of a function that belongs to a class or an object literal.

    Returns None if not all are known.
    """
    up = outermost(function).parent
    is_member = function.name is None and isinstance(up, FieldDefinition | Pair)
    holder = holder_of(evaluator, function) if is_member or isinstance(function, MethodDefinition) else None
    if holder is None or isinstance(holder.owner, Function):
        return None
    reads = reads_of_member(evaluator, holder.owner, holder.name, Reach.GLOBAL)
    if reads is None:
        return None
    calls = [each for read in reads.places if (each := call_of(read)) is not None]
    return calls if len(calls) == len(reads.places) else None


def known_calls(evaluator: Evaluator, function: Function) -> Sequence[CallOrNewExpression] | None:
    """Returns the calls of a function, or None if not all that matter are known.

    What a function does with an API that it receives depends only on the calls that pass it.
    """
    calls = calls_of_method(evaluator, function)
    if calls is not None:
        return calls
    found, is_complete = calls_of(evaluator, function)
    if is_complete:
        return found
    traced = traced_flows(evaluator).calls.get(function.id, ())
    receives_api = bool(traced) or _receives_api(evaluator, function)
    if not receives_api or function.id in received_arguments(evaluator):
        return None
    return [*found, *(each for each in traced if isinstance(each, CallOrNewExpression))]


def _receives_api(evaluator: Evaluator, function: Function) -> bool:
    """Whether some call passes a part of the API to a function."""
    names = (pattern_of(each) for each in function.parameters)
    return any(each.type == "identifier" and carries_api(evaluator.possible.partial(each)) for each in names)
