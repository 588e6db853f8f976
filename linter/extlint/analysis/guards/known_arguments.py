"""Determines which arguments the known calls of a function pass, if all of its calls are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extlint.analysis.call_graph.delegation import reads_of_member
from extlint.analysis.call_graph.holders import holder_of
from extlint.analysis.call_graph.object_owners import Reach
from extlint.analysis.facts.values import Kind, Literal, Value, is_undefined
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    FieldDefinition,
    Function,
    MemberExpression,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    enclosing_function,
    index_of,
    innermost,
    is_rest,
    outermost,
    pattern_and_default,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.recorded import received_arguments, traced_flows


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


ValuesOf = Callable[[Node, bool], Sequence[Value]]
"""Returns the possible values of an argument, given whether the parameter has a default, or of a default."""


def passed_values(
    evaluator: Evaluator, binding: Binding, target: Node, values_of: ValuesOf
) -> Sequence[Value] | None:
    """Returns the values that a parameter of a function may have, whose name or pattern is `target`.

    Returns None if not all are known.
    """
    source = binding.writes[0].source if len(binding.writes) == 1 else None
    function = None if source is None or binding.writes[0].kind != "parameter" else enclosing_function(source)
    if function is None or source is None:
        return None
    pattern, default = pattern_and_default(source)
    index, calls = index_of(function.parameters, source), argument_lists(evaluator, function)
    if index is None or not calls or not pattern.same(target):
        return None
    found: list[Value] = []
    for arguments in calls:
        evaluator.tree.spend(1)
        if any(each.type == "spread_element" for each in arguments[: index + 1]):
            return None
        is_passed = index < len(arguments)
        passed = values_of(arguments[index], default is not None) if is_passed else [Literal(Kind.UNDEFINED)]
        for each in passed:
            found += [each] if default is None or not is_undefined(each) else values_of(default, False)
    return found


def passed_counts(evaluator: Evaluator, length: Node) -> frozenset[int] | None:
    """Returns the possible numbers of arguments, given `arguments.length` or the length of the rest.

    Returns None if the expression is something else, or not all calls are known.
    """
    if not isinstance(length, AccessExpression) or key_of(evaluator, length) != "length":
        return None
    listed = innermost(length.object)
    binding = evaluator.names.variable(listed) if listed.type == "identifier" else None
    if binding is not None:
        return _rest_counts(evaluator, binding)
    is_own = evaluator.tree.source(listed) == "arguments"
    functions = (each for each in listed.scopes() if isinstance(each, Function))
    function = next((each for each in functions if each.type != "arrow_function"), None) if is_own else None
    return None if function is None else _counts(evaluator, function, 0)


def _rest_counts(evaluator: Evaluator, binding: Binding) -> frozenset[int] | None:
    """Returns the possible lengths of a rest parameter, or None if it is something else."""
    source = binding.writes[0].source if len(binding.writes) == 1 else None
    function = None if source is None or not is_rest(source) else enclosing_function(source)
    index = None if function is None or source is None else index_of(function.parameters, source)
    return None if function is None or index is None else _counts(evaluator, function, index)


def _counts(evaluator: Evaluator, function: Function, after: int) -> frozenset[int] | None:
    """Returns the numbers of arguments that calls pass after some first ones."""
    calls = argument_lists(evaluator, function)
    if not calls or any(each.type == "spread_element" for arguments in calls for each in arguments):
        return None
    return frozenset(max(0, len(each) - after) for each in calls)


def argument_lists(evaluator: Evaluator, function: Function) -> Sequence[Sequence[Node]] | None:
    """Returns the arguments of each call of a function, or None if not all calls are known."""
    calls = known_calls(evaluator, function)
    if calls is None or not all(_is_plain(evaluator, each) for each in calls):
        return None
    return [each.arguments for each in calls]


def _is_plain(evaluator: Evaluator, call: CallOrNewExpression) -> bool:
    """Whether a call passes the listed arguments, unlike `call`, `apply` and tagged templates."""
    callee = call.callee
    is_helper = isinstance(callee, MemberExpression) and evaluator.tree.source(callee.property) in {
        "apply",
        "call",
    }
    return call.argument_list is not None and not is_helper
