"""Evaluates a parameter from the calls of its function."""

from __future__ import annotations

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import (
    names_in,
    part_of,
    requested_part_of_pattern,
    with_default,
)
from extlint.analysis.facts.values import UNKNOWN, ArrayValue, Kind, Literal, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    MemberExpression,
    NewExpression,
)
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    enclosing_function,
    index_of,
    is_rest,
    outermost,
    parameter_items,
    pattern_and_default,
    pattern_of,
)
from extlint.analysis.values.api_results import callback_argument, result_of
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.functions import calls_of, is_global_function, uses_as_argument, uses_of
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api, join
from extlint.analysis.values.other_scripts import received_arguments
from extlint.analysis.values.property_names import key_of
from extlint.analysis.values.traced_flows import traced_flows
from extlint.text.patterns import lazy

_TEST_NAME = lazy(
    r"(?:\b|_)(?:is|has|assert|check|validate)[A-Z_]?\w*\Z|\b(?:Boolean|includes|test|hasOwn)\Z"
)
"""Matches the end of the name of a function that tests its arguments."""

_CONDITIONS = frozenset(
    {"binary_expression", "if_statement", "switch_statement", "unary_expression", "while_statement"}
)


def parameter_value(view: View, parameter: Node, target: Node, requested: str | None = None) -> Value:
    """Returns the value of the name `target` in a function parameter.

    An object may have only the `requested` property.
    """
    function = enclosing_function(parameter)
    if function is None or is_rest(parameter):
        return UNKNOWN
    index = index_of(function.parameters, parameter)
    if index is None:
        return UNKNOWN
    pattern, default = pattern_and_default(parameter)
    of_bundle = bundle_of(view.evaluator).parameter_value(function, index)
    if of_bundle is not None:
        return part_of(view, of_bundle, pattern_of(parameter), target)
    of_passed = requested_part_of_pattern(view.evaluator, pattern, target, requested)
    passed, complete = _passed_value(view, function, index, of_passed)
    if view.absorbs(passed):
        return UNKNOWN
    if default is not None:
        passed = _with_default(view, passed, complete, default)
    elif not complete:
        part = part_of(view, passed, pattern, target)
        return part if carries_api(part) else part_of(view, join(passed, UNKNOWN), pattern, target)
    return part_of(view, passed, pattern, target)


def _with_default(view: View, passed: Value, complete: bool, default: Node) -> Value:
    """Returns the passed value, or the default.

    A default that is the API is meant to be used: unknown calls are assumed not to replace it.
    """
    if not complete:
        leaves_it = carries_api(view.evaluator.possible.partial(default))
        passed = join(passed, Literal(Kind.UNDEFINED) if leaves_it else UNKNOWN)
    return with_default(view, passed, default)


def _passed_value(view: View, function: Node, index: int, requested: str | None) -> tuple[Value, bool]:
    """Returns the value that known calls pass to a parameter, and whether these are all calls."""
    evaluator = view.evaluator
    passed = callback_argument(evaluator, function, index)
    if passed is not None:
        return passed, True
    calls, complete = calls_of(evaluator, function)
    evaluator.tree.spend(len(calls))
    calls = [*calls, *traced_flows(evaluator).calls.get(function.id, ())]
    values = []
    for call in calls:
        values.append(_argument(view, call, index, requested))
        if view.absorbs(values[-1]):
            return UNKNOWN, False
    values += _passed_by_name(evaluator, function, index)
    received = received_arguments(evaluator).get(function.id)
    values += [] if received is None or index not in received.values else [received.values[index]]
    known = join(*values)
    if complete and is_global_function(evaluator, function):
        complete = not is_tested(evaluator, function, index)
    if result_of(known) is not None:
        complete = len(values) == len(uses_of(evaluator, function))
    return known, bool(values) and (complete or carries_api(known))


def is_tested(evaluator: Evaluator, function: Node, index: int) -> bool:
    """Whether a function tests a parameter, so that it may treat some values differently.

    A passed value then may not reach every use of the parameter.
    """
    parameters = parameter_items(function)
    for name in names_in(parameters[index]) if index < len(parameters) else ():
        if _is_variable_tested(evaluator, name):
            return True
    return False


@once_per_script
def _is_variable_tested(evaluator: Evaluator, name: Node) -> bool:
    binding = evaluator.names.variable(name)
    return binding is None or any(_is_in_condition(evaluator, use.item) for use in binding.uses)


def _is_in_condition(evaluator: Evaluator, use: Node) -> bool:
    """Whether a use of a variable, or of a part of it, is part of a condition."""
    whole = outermost(use)
    while isinstance(whole.parent, AccessExpression) and whole.is_field("object"):
        whole = outermost(whole.parent)
    up, call = whole.parent, call_with_argument(whole)
    if isinstance(call, CallExpression):
        return _TEST_NAME.search(evaluator.tree.source(call.callee)) is not None
    if isinstance(up, ConditionalExpression):
        return whole.is_field("condition")
    return up is not None and up.type in _CONDITIONS


def _passed_by_name(evaluator: Evaluator, function: Node, index: int) -> list[Value]:
    """Returns the values that the API passes to a function that the script passes to it by name."""
    found = (callback_argument(evaluator, use, index) for use in uses_as_argument(evaluator, function))
    return [each for each in found if each is not None]


def _argument(view: View, call: CallOrNewExpression, index: int, requested: str | None) -> Value:
    if call.argument_list is None:
        return Literal(Kind.UNDEFINED) if isinstance(call, NewExpression) else UNKNOWN
    arguments = call.arguments
    is_method = isinstance(call, CallExpression) and isinstance(call.callee, MemberExpression)
    helper = key_of(view.evaluator, call.callee) if is_method else None
    if helper == "apply":
        array = view.evaluator.possible.partial(arguments[1]) if len(arguments) > 1 else UNKNOWN
        if isinstance(array, ArrayValue) and index < len(array.items):
            return array.items[index]
        return UNKNOWN
    if helper == "call":
        index += 1
    if any(each.type == "spread_element" for each in arguments[: index + 1]):
        return UNKNOWN
    return view.partial(arguments[index], requested) if index < len(arguments) else Literal(Kind.UNDEFINED)
