"""Tests of the results of calls: what is known of an object where it is read, and alternatives to it.

The test may come before a call or an assignment that passes the object on, and its form may be unknown.
"""

from __future__ import annotations

from itertools import islice

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.guards.forms.comparisons import boolean_argument
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.guards.tested_uses import parameter_for
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    Function,
    PairPattern,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    enclosing_function,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.api_results import result_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.excluded_options import tests_before
from extlint.analysis.values.functions import returned_expressions, uses_of
from extlint.analysis.values.property_index import key_of, members_named
from extlint.text.patterns import lazy

_MAX_DEPTH = 4
_MAX_PLACES = 8
"""The maximum number of writes of a variable, and of calls of a function."""


def is_certainly_something(evaluator: Evaluator, guards: GuardReader, read: Node) -> bool:
    """Whether a member, which is an access or in a pattern, is read only if its object is something."""
    if isinstance(read, AccessExpression):
        return _exists(evaluator, guards, read.object)
    pattern = next((each for each in read.ancestors() if each.type == "object_pattern"), None)
    return pattern is not None and _is_given(evaluator, guards, pattern, 0)


def _exists(evaluator: Evaluator, guards: GuardReader, expression: Node, depth: int = 0) -> bool:
    item = innermost(expression)
    if isinstance(item, AwaitExpression):
        return _exists(evaluator, guards, item.argument, depth)
    if isinstance(item, CallExpression) and _is_returned_only_if_tested(evaluator, guards, item, depth):
        return True
    fact = variable_fact(evaluator, item)
    if depth > _MAX_DEPTH or fact is None:
        return False
    if fact in guards.guards_at(item).tested or _is_tested_in_another_form(evaluator, guards, item, fact):
        return True
    binding = evaluator.names.variable(item) if item.type == "identifier" else None
    writes = () if binding is None else binding.writes
    return 0 < len(writes) <= _MAX_PLACES and all(
        _is_given(evaluator, guards, each.item, depth + 1) for each in writes
    )


def _is_returned_only_if_tested(
    evaluator: Evaluator, guards: GuardReader, call: CallExpression, depth: int
) -> bool:
    """Whether the function that is called tests what it returns, or what it returns is not from the API."""
    function = evaluator.definition_of(call.callee) if depth <= _MAX_DEPTH else None
    returned = returned_expressions(evaluator, function) if isinstance(function, Function) else []
    return bool(returned) and all(_is_result_tested(evaluator, guards, each, depth + 1) for each in returned)


def _is_given(evaluator: Evaluator, guards: GuardReader, target: Node, depth: int) -> bool:
    """Whether a name or pattern has a default, or its value is tested where it is passed or assigned."""
    match target.parent:
        case AssignmentPattern():
            return True
        case VariableDeclarator(value=value):
            return value is None or _is_result_tested(evaluator, guards, value, depth)
        case AssignmentExpression(right=value):
            return _is_result_tested(evaluator, guards, value, depth)
        case PairPattern() | Node(type="object_pattern") as up:
            key = key_of(evaluator, up) if isinstance(up, PairPattern) else evaluator.tree.source(target)
            return ("", f".{key}") in guards.guards_at(target).tested
    function = next((each for each in target.ancestors() if isinstance(each, Function)), None)
    if function is None:
        return False
    patterns = [pattern_of(each) for each in parameter_items(function)]
    index = next((at for at, each in enumerate(patterns) if each.same(target)), None)
    entry = next((each for each in entry_points_of(evaluator, function) if each.direct), None)
    if index is None or entry is None or not 0 < len(entry.uses) <= _MAX_PLACES:
        return False
    for use in entry.uses:
        call = call_of(use)
        if call is None or index >= len(call.arguments):
            return False
        if not _is_result_tested(evaluator, guards, call.arguments[index], depth + 1):
            return False
    return True


def _is_result_tested(evaluator: Evaluator, guards: GuardReader, value: Node, depth: int) -> bool:
    """Whether a value is tested, or does not come from the API."""
    return result_of(evaluator.value(value)) is None or _exists(evaluator, guards, value, depth)


def _is_tested_in_another_form(evaluator: Evaluator, guards: GuardReader, item: Node, fact: ApiPath) -> bool:
    """Whether a condition before a place depends on a variable in a form that is not understood."""
    binding = evaluator.names.variable(item) if item.type == "identifier" else None
    if binding is None:
        return False
    uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
    tests = [test for test, _ in tests_before(item, binding.scope)]
    parts = [_part_with(use, test) for use in uses for test in tests if test.contains(use)]
    return not all(
        any(fact in guards.implied(part, outcome).tested for outcome in (True, False)) for part in parts
    )


def _part_with(use: Node, test: Node) -> Node:
    """Returns the operand of `!`, `&&` and `||` in a test that has a use of a variable."""
    item = innermost(test)
    match item:
        case UnaryExpression(operator="!"):
            return _part_with(use, item.argument)
        case BinaryExpression(is_logical=True):
            return _part_with(use, item.left if item.left.contains(use) else item.right)
    return item


MAX_USES = 200
"""The maximum number of places to follow for one call; a value that reaches more is assumed to have a
fallback.
"""

_COMPARING = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in"})

_EMPTY = lazy(r"/\^(?:\\s\*)?\$/\w*")
"""A regular expression that matches the empty text."""

_CONDITIONAL = frozenset(
    {
        "do_statement",
        "for_statement",
        "if_statement",
        "switch_statement",
        "ternary_expression",
        "while_statement",
    }
)
_METHODS = frozenset({"method_definition", "pair", "field_definition", "public_field_definition"})


def has_fallback(evaluator: Evaluator, call: Node) -> bool:
    """Whether the result of a call is tested somewhere, or has an alternative next to it (`f(x) || y`).

    The result is followed into variables and parameters, and out of functions to their calls.
    """
    waiting, visited = [call], {call.id}
    while waiting:
        further = _flows_to(evaluator, waiting.pop())
        if further is None or len(visited) > MAX_USES:
            return True
        for each in further:
            if each.id not in visited:
                visited.add(each.id)
                waiting.append(each)
        evaluator.tree.spend(len(further) + 1)
    return False


def _flows_to(evaluator: Evaluator, item: Node) -> list[Node] | None:
    """Returns the expressions that have the value next, or None if this one tests whether it is empty."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return []
    if up.type in _CONDITIONAL and (whole.is_field("condition") or whole.is_field("value")):
        return None
    match up:
        case Node(type="await_expression" | "ternary_expression"):
            return [up]
        case UnaryExpression():
            return None if up.operator == "!" else []
        case BinaryExpression():
            return _flow_through_operator(whole, up)
        case Node(type="member_expression"):
            return _flow_through_method(evaluator, up)
        case VariableDeclarator():
            return _reads(evaluator, up.name)
        case AssignmentExpression() if whole.is_field("right"):
            return [up, *_reads(evaluator, up.left)]
        case AugmentedAssignment() if whole.is_field("left"):
            return None if up.is_logical else []
        case Node(type="arguments", parent=Node() as call):
            if boolean_argument(evaluator, call) is not None:
                return None
            return _reads(evaluator, parameter_for(evaluator, whole, up))
        case Node(type="arrow_function") if whole.is_field("body"):
            return _calls(evaluator, up)
        case Node(type="return_statement"):
            function = enclosing_function(up)
            return [] if function is None else _calls(evaluator, function)
    return []


def _flow_through_operator(whole: Node, up: BinaryExpression) -> list[Node] | None:
    operator = up.operator
    if not operator or operator in _COMPARING:
        return None
    if up.is_logical:
        return None if whole.is_field("left") else [up]
    return []


def _flow_through_method(evaluator: Evaluator, member: Node) -> list[Node] | None:
    """Returns the call of a string method, whose result is as empty as the string.

    Returns None if a member tests the string, or replaces the empty one.
    """
    name = key_of(evaluator, member)
    if name == "length" or member.has_token("optional_chain"):
        return None
    call = call_of(member)
    if call is not None and name in ("match", "replace", "search"):
        pattern = call.first_argument
        if name != "replace" or (pattern is not None and _EMPTY.fullmatch(evaluator.tree.source(pattern))):
            return None
    return [] if call is None else [call]


def _reads(evaluator: Evaluator, name: Node | None) -> list[Node]:
    if name is None or name.type != "identifier":
        return []
    binding = evaluator.names.variable(name)
    uses = [] if binding is None else binding.uses
    return [
        use.item
        for use in islice(uses, MAX_USES + 1)
        if use.role is Role.REFERENCE or use.kind == "augmented"
    ]


def _calls(evaluator: Evaluator, function: Node) -> list[Node]:
    """Returns the calls of a function by its own name, or by that of the property that holds it."""
    owner = function if function.type == "method_definition" else outermost(function).parent
    named = uses_of(evaluator, function)
    if owner is not None and owner.type in _METHODS:
        name = key_of(evaluator, owner)
        named = [] if name is None else list(islice(members_named(evaluator, name), MAX_USES + 1))
    calls: list[Node] = [call for each in named if (call := call_of(each)) is not None]
    own = call_of(function)
    return calls if own is None else [*calls, own]
