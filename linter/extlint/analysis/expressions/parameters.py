"""Evaluates a parameter from the calls of its function, and determines which parameters it reads."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import (
    names_in,
    part_of,
    requested_part_of_pattern,
    with_default,
)
from extlint.analysis.facts.values import (
    UNKNOWN,
    ArrayValue,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Union,
    Value,
)
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    MemberExpression,
    NewExpression,
    Parameter,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    EQUALITY,
    call_of,
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
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.recorded import received_arguments, traced_flows
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


def with_reads(evaluator: Evaluator, value: Value) -> Value:
    """Returns the value, adding to each function of the script the parameters that it certainly reads.

    This includes the functions that are properties of an object.
    """
    if isinstance(value, Union):
        return replace(value, options=tuple(with_reads(evaluator, each) for each in value.options))
    if isinstance(value, ObjectValue):
        functions = {
            key: replace(each, value=with_reads(evaluator, each.value))
            for key, each in value.fields.items()
            if isinstance(each.value, FunctionValue)
        }
        return replace(value, fields={**value.fields, **functions}) if functions else value
    if not isinstance(value, FunctionValue) or not value.parameters:
        return value
    function = evaluator.definition(value)
    if function is None:
        return value
    read = [each.span for each in parameter_items(function) if is_read(evaluator, each)]
    return replace(value, read=frozenset(read))


def is_read(evaluator: Evaluator, parameter: Node) -> bool:
    """Whether a function certainly reads the argument of a parameter.

    A pattern reads its argument. A parameter with a default, or one that is assigned, may hold another
    value. Code that reads a parameter whose type allows `undefined`, that compares it with `undefined`, or
    that reads it with `?.` or `??`, expects that it may be missing.
    """
    pattern = pattern_of(parameter)
    if isinstance(parameter, Parameter):
        if parameter.value is not None:
            return False
        if pattern.type == "identifier" and _may_be_undefined(evaluator, parameter.annotation):
            return False
    if pattern.type != "identifier":
        return pattern.type in {"array_pattern", "object_pattern"}
    binding = evaluator.names.variable(pattern)
    if binding is None or any(each.role is Role.WRITE for each in binding.writes):
        return False
    reads = [each.item for each in binding.uses if each.role is Role.REFERENCE]
    return bool(reads) and not any(
        _has_alternative(each) or _is_compared_with_undefined(evaluator, each) for each in reads
    )


def _has_alternative(read: Node) -> bool:
    """Whether a variable is read in a way that is useful only if it may be undefined: `it?.id`, `it ?? 1`."""
    match read.parent:
        case BinaryExpression(operator="??"):
            return read.is_field("left")
        case AccessExpression() | CallExpression() as up if (
            read.is_field("object") or call_of(read) is not None
        ):
            return up.has_token("optional_chain", "?.")
    return False


def _is_compared_with_undefined(evaluator: Evaluator, read: Node) -> bool:
    """Whether a read of a variable is compared with undefined.

    Examples: `it === undefined`, `typeof it !== "undefined"`.
    """
    side, parent = read, read.parent
    by_type = isinstance(parent, UnaryExpression) and parent.operator == "typeof"
    if by_type and parent is not None:
        side, parent = parent, parent.parent
    if not isinstance(parent, BinaryExpression) or parent.operator not in EQUALITY:
        return False
    other = evaluator.possible.value(parent.right if side.same(parent.left) else parent.left)
    if not isinstance(other, Literal):
        return False
    return other.value == "undefined" if by_type else other.kind is Kind.UNDEFINED


_UNDEFINED = frozenset({"undefined", "void"})
_AROUND_TYPES = frozenset({"parenthesized_type", "type_annotation", "union_type"})


def _may_be_undefined(evaluator: Evaluator, annotation: Node | None) -> bool:
    """Whether the TypeScript type of a parameter is a union with `undefined` or `void`."""
    waiting = [] if annotation is None else [annotation]
    while waiting:
        part = waiting.pop()
        if part.type in _AROUND_TYPES:
            waiting += part.named()
        elif evaluator.tree.source(part) in _UNDEFINED:
            return True
    return False
