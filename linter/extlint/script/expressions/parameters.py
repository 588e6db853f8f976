"""What a parameter is given, as far as the calls of its function are seen."""

from __future__ import annotations

from extlint.bundles.bundle import bundle_of
from extlint.script.expressions.destructuring import names_in, part_of, with_default
from extlint.script.facts.values import UNKNOWN, ArrayValue, Kind, Literal, Value
from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import index_of, is_rest, outermost, parameter_items
from extlint.script.values.api_results import passed_to, result_of
from extlint.script.values.evaluator import Evaluator, carries_api, join
from extlint.script.values.functions import calls_of, handed_on, is_global, uses_of
from extlint.script.values.memo import once_per_script
from extlint.script.values.other_scripts import received_arguments
from extlint.script.values.property_names import key_of
from extlint.script.values.traced_flows import traced_flows
from extlint.text.patterns import lazy

_TESTING = lazy(r"(?:\b|_)(?:is|has|assert|check|validate)[A-Z_]?\w*\Z|\b(?:Boolean|includes|test|hasOwn)\Z")
"""How functions end that tell of what they are given what it is."""


def parameter_value(evaluator: Evaluator, parameter: Node, target: Node) -> Value:
    """The value of the name `target` in a parameter of a function."""
    function = next((up for up in parameter.ancestors() if up.type in FUNCTIONS), None)
    if function is None or is_rest(parameter):
        return UNKNOWN
    listed = parameter_items(function)
    index = index_of(listed, parameter)
    if index is None:
        return UNKNOWN
    pattern = parameter.field("pattern") or parameter
    of_bundle = bundle_of(evaluator).parameter_value(function, index)
    if of_bundle is not None:
        return part_of(evaluator, of_bundle, pattern, target)
    given, complete = _given(evaluator, function, index)
    default = parameter.field("value") or (
        pattern.field("right") if pattern.type == "assignment_pattern" else None
    )
    if default is not None:
        given = _defaulted(evaluator, given, complete, default)
        pattern = pattern.field("left") or pattern
    elif not complete:
        part = part_of(evaluator, given, pattern, target)
        return part if carries_api(part) else part_of(evaluator, join(given, UNKNOWN), pattern, target)
    return part_of(evaluator, given, pattern, target)


def _defaulted(evaluator: Evaluator, given: Value, complete: bool, default: Node) -> Value:
    """What is given, or the default.

    A default that is the API is there to be used: calls that are not seen are taken to leave it.
    """
    if not complete:
        leaves_it = carries_api(evaluator.partial(default))
        given = join(given, Literal(Kind.UNDEFINED) if leaves_it else UNKNOWN)
    return with_default(evaluator, given, default)


def _given(evaluator: Evaluator, function: Node, index: int) -> tuple[Value, bool]:
    """What is given to a parameter by the calls that are seen, and whether there can be no others."""
    passed = passed_to(evaluator, function, index)
    if passed is not None:
        return passed, True
    calls, complete = calls_of(evaluator, function)
    evaluator.tree.spend(len(calls))
    calls = [*calls, *traced_flows(evaluator).calls.get(function.id, ())]
    values = [_argument(evaluator, call, index) for call in calls]
    values += _passed_by_name(evaluator, function, index)
    received = received_arguments(evaluator).get(function.id)
    values += [] if received is None or index not in received.values else [received.values[index]]
    known = join(*values)
    if complete and is_global(evaluator, function):
        complete = not is_asked(evaluator, function, index)
    if result_of(known) is not None:
        complete = len(values) == len(uses_of(evaluator, function))
    return known, bool(values) and (complete or carries_api(known))


def is_asked(evaluator: Evaluator, function: Node, index: int) -> bool:
    """Whether a function asks what it is passed for a parameter, and may treat values of one kind apart.

    What it does then with the one is not done with the other, so that what is passed does not reach there.
    """
    parameters = parameter_items(function)
    for name in names_in(parameters[index]) if index < len(parameters) else ():
        if _is_asked_by_name(evaluator, name):
            return True
    return False


@once_per_script
def _is_asked_by_name(evaluator: Evaluator, name: Node) -> bool:
    binding = evaluator.names.variable(name)
    return binding is None or any(_asks(evaluator, use.item) for use in binding.uses)


def _asks(evaluator: Evaluator, use: Node) -> bool:
    """Whether a use of a variable, or of a part of it, is part of a condition."""
    item = outermost(use)
    up = item.parent
    while up is not None and up.type in MEMBERS and item.is_field("object"):
        item = outermost(up)
        up = item.parent
    match None if up is None else up.type:
        case "binary_expression" | "switch_statement" | "if_statement" | "while_statement":
            return True
        case "unary_expression" | "ternary_expression":
            return up is not None and (up.type == "unary_expression" or item.is_field("condition"))
        case "arguments":
            function = None if up is None or up.parent is None else up.parent.field("function")
            return function is not None and _TESTING.search(evaluator.tree.source(function)) is not None
    return False


def _passed_by_name(evaluator: Evaluator, function: Node, index: int) -> list[Value]:
    """What the API passes to a function that is handed to it by its name."""
    found = (passed_to(evaluator, use, index) for use in handed_on(evaluator, function))
    return [each for each in found if each is not None]


def _argument(evaluator: Evaluator, call: Node, index: int) -> Value:
    function, listed = call.field("function") or call.field("constructor"), call.field("arguments")
    if listed is None and call.type == "new_expression":
        return Literal(Kind.UNDEFINED)
    if listed is None or function is None or listed.type != "arguments":
        return UNKNOWN
    arguments = listed.named()
    is_called = call.type == "call_expression" and function.type == "member_expression"
    helper = key_of(evaluator, function) if is_called else None
    if helper == "apply":
        array = evaluator.partial(arguments[1]) if len(arguments) > 1 else UNKNOWN
        if isinstance(array, ArrayValue) and index < len(array.items):
            return array.items[index]
        return UNKNOWN
    if helper == "call":
        index += 1
    if any(each.type == "spread_element" for each in arguments[: index + 1]):
        return UNKNOWN
    return evaluator.partial(arguments[index]) if index < len(arguments) else Literal(Kind.UNDEFINED)
