"""Finds API results that escape to unknown code, messages, storage or other objects, or cannot.

A tab does not escape if a script reads only `tab.id`. One that it sends, stores in an object or
passes to an unknown function does: any of its fields may be read there.

    define(target, "default", { value: browser });

If `define` is not a function of the script, no value that the script reads is this object. So no property
named `value` that it reads anywhere is the API because of it.
"""

from __future__ import annotations

from extlint.analysis.call_graph.prototypes import called_name
from extlint.analysis.expressions.variables import variable_value
from extlint.analysis.facts.values import (
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Literal,
    ObjectValue,
    Typed,
    Unknown,
    Value,
    options_of,
)
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import MEMBERS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    ForInStatement,
    Function,
    MemberExpression,
    Parameter,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    WRAPPERS,
    call_of,
    call_with_argument,
    enclosing_function,
    innermost,
    is_handler_in_markup,
    is_rest,
    outermost,
    pattern_of,
)
from extlint.analysis.values.api_results import HELPERS, results_among
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of, uses_of
from extlint.analysis.values.promise_values import chained_calls, chained_promise
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_READING = frozenset(
    {
        *("binary_expression", "do_statement", "expression_statement", "if_statement", "switch_case"),
        *("switch_statement", "template_substitution", "unary_expression", "while_statement"),
    }
)
"""The types of nodes that only test a value, or convert it to a string."""

_FORWARDING = WRAPPERS | {
    *("assignment_expression", "await_expression", "instantiation_expression", "sequence_expression"),
    *("ternary_expression", "type_assertion"),
}

_METHODS = frozenset(
    {
        *("at", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "forEach", "includes"),
        *("indexOf", "join", "lastIndexOf", "map", "pop", "reverse", "shift", "slice", "some", "sort"),
        *("toReversed", "toSorted", "toString", "then", "catch", "finally"),
    }
)
"""Methods of arrays and promises that are followed if their callbacks are known."""

_KEEPING_VALUE = frozenset({"catch", "finally"})
"""Methods of promises whose results may have the same value."""

_IGNORING_RESULTS = frozenset(
    {
        *("addEventListener", "queueMicrotask", "requestAnimationFrame", "requestIdleCallback"),
        *("setInterval", "setTimeout"),
    }
)
"""Functions of the Web platform that ignore what their callbacks return."""

_USING_RESULTS = lazy(
    r"\.on\w*(?:AuthRequired|BeforeSendHeaders|HeadersReceived|Message|Request)(?:External)?\Z"
)
"""Events that use what their listeners return."""


def api_results_of(evaluator: Evaluator, expression: Node) -> list[ApiResult]:
    """Returns the API results that an expression may evaluate to."""
    return results_among(evaluator.possible.value(expression))


def escapes(evaluator: Evaluator, expression: Node, up: Node) -> bool:
    """Whether an API result escapes from an expression into its parent."""
    if up.type in _FORWARDING or (isinstance(up, BinaryExpression) and up.is_logical):
        if isinstance(up, AssignmentExpression) and _assigns_elsewhere(up.left):
            return True
        return not _is_condition(expression, up) and not api_results_of(evaluator, up)
    match up:
        case AccessExpression():
            return expression.is_field("object") and _member_escapes(evaluator, up)
        case VariableDeclarator():
            return _assigns_elsewhere(up.name)
        case CallExpression() | AssignmentPattern() | Parameter():
            return False
        case ForInStatement():
            return up.operator != "of"
        case Node(type="arguments"):
            return not _is_followed(evaluator, up)
        case Node(type="array"):
            return not _is_taken_apart(evaluator, up)
        case Node(type="arrow_function" | "return_statement"):
            return not _has_known_callers(evaluator, expression, up)
    return up.type not in _READING


def _may_be_unknown_function(evaluator: Evaluator, function: Node) -> bool:
    """Whether an expression may be an unknown function, or one that reads all its arguments."""
    value = evaluator.possible.value(function)
    if isinstance(value, Literal | ObjectValue | ArrayValue | Typed):
        return False
    definition = evaluator.definition(value)
    if not isinstance(value, FunctionValue) or not isinstance(definition, Function):
        return True
    return value.uses_arguments or any(map(is_rest, definition.parameters))


def _is_condition(expression: Node, up: Node) -> bool:
    if isinstance(up, ConditionalExpression):
        return expression.is_field("condition")
    return isinstance(up, BinaryExpression) and up.operator == "&&" and expression.is_field("left")


def _assigns_elsewhere(pattern: Node) -> bool:
    """Whether a value is assigned to anything other than variables and named parts."""
    waiting = [pattern]
    while waiting:
        part = waiting.pop()
        if part.type in MEMBERS or part.type == "rest_pattern":
            return True
        waiting += [each for each in part.named() if each.type.endswith("pattern") or each.type in MEMBERS]
    return False


def _member_escapes(evaluator: Evaluator, member: Node) -> bool:
    name = key_of(evaluator, member)
    if name is None:
        return True
    call = call_of(member)
    if call is None:
        return False
    is_used = call.parent is not None and call.parent.type != "expression_statement"
    if name in _KEEPING_VALUE and is_used and not api_results_of(evaluator, call):
        return True
    return name not in _METHODS or any(
        _may_be_unknown_function(evaluator, each) for each in _possible_functions(call)
    )


def _possible_functions(call: CallExpression) -> list[Node]:
    """Returns the arguments of a call that may be functions."""
    return [each for each in call.arguments if each.type not in {"number", "unary_expression", "string"}]


def _is_followed(evaluator: Evaluator, listed: Node) -> bool:
    if not isinstance(listed.parent, CallExpression):
        return False
    callee = listed.parent.callee
    if callee.type == "identifier" and evaluator.tree.source(callee) == "Boolean":
        return True
    return not listed.has_token("spread_element") and not _may_be_unknown_function(evaluator, callee)


def _is_taken_apart(evaluator: Evaluator, promises: Node) -> bool:
    """Whether the results of an array of promises (`Promise.all`) are only given to variables."""
    call = call_with_argument(promises)
    value = None if call is None else evaluator.possible.value(call)
    if call is None or not isinstance(value, InstanceValue) or not isinstance(value.fulfillment, ArrayValue):
        return False
    whole = outermost(call)
    up = whole.parent
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        then = call_of(up)
        callback = None if then is None or not then.arguments else innermost(then.arguments[0])
        if key_of(evaluator, up) != "then" or not isinstance(callback, Function):
            return False
        if _may_be_unknown_function(evaluator, callback):
            return False
        parameters = callback.parameters
        return bool(parameters) and _has_only_named_items(pattern_of(parameters[0]))
    if up is None or up.type != "await_expression":
        return up is not None and up.type == "expression_statement"
    up = outermost(up).parent
    if isinstance(up, VariableDeclarator):
        return _has_only_named_items(up.name)
    return up is not None and up.type == "expression_statement"


def _has_only_named_items(pattern: Node) -> bool:
    return pattern.type == "array_pattern" and not _assigns_elsewhere(pattern)


def _is_ignored(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function is passed to a method of a promise whose result is followed, or not used at all."""
    chain = call_with_argument(outermost(function))
    if chain is None or chained_promise(evaluator, chain) is None:
        return False
    return bool(api_results_of(evaluator, chain)) or _is_dropped(evaluator, chain)


def _is_dropped(evaluator: Evaluator, promise: Node) -> bool:
    """Whether nothing uses the value of a promise, also where a function returns it to such a chain."""
    last = promise
    for method, each in chained_calls(evaluator, promise):
        if method not in _KEEPING_VALUE:
            return method == "then" and _takes_nothing(evaluator, each.first_argument)
        last = each
    whole = outermost(last)
    up = whole.parent
    if up is not None and up.type == "await_expression":
        up = outermost(up).parent
    if up is None or up.type == "expression_statement":
        return up is not None
    function = up if up.type == "arrow_function" else None
    if up.type == "return_statement":
        function = enclosing_function(up)
    return function is not None and _is_ignored(evaluator, function)


def _takes_nothing(evaluator: Evaluator, callback: Node | None) -> bool:
    """Whether an expression is a function of the script that ignores its arguments."""
    if callback is None or _may_be_unknown_function(evaluator, callback):
        return False
    definition = evaluator.definition_of(callback)
    parameters = definition.parameters if isinstance(definition, Function) else ()
    names = (evaluator.names.variable(pattern_of(each)) for each in parameters)
    return isinstance(definition, Function) and all(name is not None and not name.uses for name in names)


def _has_known_callers(evaluator: Evaluator, expression: Node, up: Node) -> bool:
    function = up if isinstance(up, Function) else enclosing_function(up)
    if function is None or function.type.startswith("generator"):
        return False
    if up.type == "arrow_function" and not expression.is_field("body"):
        return True
    if is_listener_without_result(evaluator, function) or _is_ignored(evaluator, function):
        return True
    calls, complete = calls_of(evaluator, function)
    if complete:
        return True
    uses = uses_of(evaluator, function)
    if not uses or len(uses) != len(calls) or not evaluator.tree.is_module:
        return False
    return not any(each.type == "export_statement" for each in outermost(function).ancestors())


def is_listener_without_result(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function is passed to an event, a timer or a call of the API, which ignore its result."""
    whole = outermost(function)
    up = whole.parent
    if isinstance(up, AssignmentExpression):
        left = up.left
        return isinstance(left, AccessExpression) and (key_of(evaluator, left) or "").startswith("on")
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return is_handler_in_markup(whole, evaluator.tree.source)
    name, member = called_name(evaluator, call), evaluator.api(call.callee)
    if name in _IGNORING_RESULTS:
        return True
    if member is None:
        return name == "addListener" and isinstance(evaluator.value(call.callee), ApiResult)
    if name != "addListener":
        return len(member.path) > 1 and name not in HELPERS and call.arguments[-1].same(whole)
    return _USING_RESULTS.search(".".join(member.path[:-1])) is None


MAX_USES = 50
"""The most uses of one object that are examined."""

_READS_ONLY = frozenset({"expression_statement", "unary_expression", "if_statement"})


def is_confined(evaluator: Evaluator, literal: Node) -> bool:
    """Whether an object literal is only named by variables of a function, or passed to unknown code."""
    if b"this" in evaluator.tree.text[literal.start : literal.end]:
        return False
    waiting, visited = [literal], set[int]()
    while waiting:
        use = waiting.pop()
        if use.id in visited:
            continue
        visited.add(use.id)
        names = _names_after(evaluator, use)
        if names is None or len(visited) + len(names) > MAX_USES:
            return False
        waiting += names
    return True


def _names_after(evaluator: Evaluator, use: Node) -> list[Node] | None:
    """Returns the references to an object after a use of it has been evaluated, or None if unknown."""
    whole = outermost(use)
    up, call = whole.parent, call_with_argument(whole)
    if up is None:
        return None
    if call is not None:
        return [] if _is_unknown_call(evaluator, call) else None
    if up.type in _READS_ONLY or (isinstance(up, AccessExpression) and whole.is_field("object")):
        return []
    if isinstance(up, VariableDeclarator) and whole.is_field("value") and up.name.type == "identifier":
        binding = evaluator.names.variable(up.name)
        if binding is not None and (binding.scope.type != "program" or evaluator.tree.is_module):
            if any(each.role is not Role.REFERENCE for each in binding.uses):
                return None
            return [each.item for each in binding.uses]
    return None


def _is_unknown_call(evaluator: Evaluator, call: CallOrNewExpression) -> bool:
    """Whether no code in the script receives the arguments of a call."""
    callee = call.callee
    if isinstance(callee, MemberExpression) and key_of(evaluator, callee) in HELPERS:
        return False
    if not _is_unknown(evaluator.possible.value(callee)) or not _is_unknown(evaluator.possible.value(call)):
        return False
    if callee.type != "identifier" or evaluator.names.variable(callee) is None:
        return True
    return _is_unknown(variable_value(evaluator.possible, callee))


def _is_unknown(value: Value) -> bool:
    """Whether a value does not come from the script."""
    return all(
        isinstance(each, Unknown)
        or (isinstance(each, InstanceValue) and each.builtin and each.fulfillment is None)
        for each in options_of(value)
    )
