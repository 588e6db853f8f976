"""Adds `await` where a script uses a promise of the API instead of the value in it.

    const tabs = browser.tabs.query({});        const tabs = await browser.tabs.query({});
    show(tabs.length);                          show(tabs.length);

The call is awaited if all code that uses the variable may use the value, or else the use that is reported.
"""

from __future__ import annotations

from extlint.analysis.facts.values import ApiResult, Delivery, options_of
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.repairs.rewriting import edits_making_async, ends_without_semicolon, is_taken
from extlint.analysis.scope.model import Role, function_of
from extlint.analysis.syntax.node import CLASSES, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    CompiledAsyncFunction,
    FieldDefinition,
    ForInStatement,
    Function,
    SwitchCase,
    SwitchStatement,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    BODIES,
    EQUALITY,
    assigned_parts,
    call_of,
    call_with_argument,
    enclosing_function,
    innermost,
    outermost,
)
from extlint.analysis.timing.effects import is_generator
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, TextEdit

_PATTERNS = frozenset(
    {
        *("array_pattern", "assignment_pattern", "object_assignment_pattern", "object_pattern"),
        *("pair_pattern", "rest_pattern"),
    }
)
_LOOSER = frozenset(
    {
        *("arrow_function", "assignment_expression", "augmented_assignment_expression", "binary_expression"),
        *("sequence_expression", "ternary_expression", "yield_expression"),
    }
)
"""Expressions that require parentheses after `await`."""

_SOON = lazy(
    rb"\b(?:lastError|preventDefault|stop(?:Immediate)?Propagation|returnValue|currentTarget|clipboardData|dataTransfer"
    rb"|respondWith|waitUntil|permissions\s*\.\s*request|sidePanel\s*\.\s*open|sidebarAction"
    rb"|openPopup|downloads\s*\.\s*open|window\s*\.\s*open|request(?:Fullscreen|PictureInPicture)|execCommand"
    rb"|show(?:Directory|OpenFile|SaveFile)Picker)\b"
)
"""Names of what only works while an event is handled."""

_LISTENING = lazy(rb"\baddListener\b")


def edits_awaiting(
    evaluator: Evaluator, span: ByteSpan, *, at_top_level: bool, before_listeners: bool
) -> tuple[TextEdit, ...] | None:
    """Returns edits that await a promise of the API, or None if that is not certain to be right.

    See `Searches.edits_awaiting`.
    """
    promise = None if evaluator.tree.root.node.has_error else _promise_at(evaluator, span)
    if promise is None:
        return None
    for place in dict.fromkeys((_definition(evaluator, promise), promise)):
        found = (
            None
            if place is None
            else _edits_at(evaluator, place, at_top_level=at_top_level, before_listeners=before_listeners)
        )
        if found is not None:
            return found
    return None


def _promise_at(evaluator: Evaluator, span: ByteSpan) -> Node | None:
    """Returns the expression whose value is the promise, or None."""
    item = evaluator.tree.item_at(span)
    found = None if item is None else _used_expression(item)
    if found is None or not any(map(_is_promise, options_of(evaluator.possible.value(found)))):
        return None
    return found


def _is_promise(value: object) -> bool:
    return isinstance(value, ApiResult) and value.delivery is Delivery.RETURN and not value.steps


def _used_expression(item: Node) -> Node | None:
    """Returns the expression that `item` names a property of, loops over, or is compared with."""
    up = item.parent
    if isinstance(up, AccessExpression) and up.key.same(item):
        return up.object
    if isinstance(up, ForInStatement) and item.is_field("right"):
        return item
    if isinstance(up, BinaryExpression) and up.operator in EQUALITY:
        return up.right if item.is_field("left") else up.left
    if isinstance(up, SwitchCase) and isinstance(up.parent, Node):
        switch = up.parent.parent
        return switch.value if isinstance(switch, SwitchStatement) else None
    if up is not None and up.type == "array":
        method = outermost(up).parent
        call = None if method is None else method.parent
        return call.first_argument if isinstance(call, CallExpression) else None
    return _destructured(item)


def _destructured(item: Node) -> Node | None:
    """Returns the expression that a pattern takes apart, with `item` as a direct part of the pattern."""
    pattern = item
    while pattern.parent is not None and pattern.parent.type in _PATTERNS:
        pattern = pattern.parent
    match pattern.parent:
        case VariableDeclarator() as up if pattern.is_field("name"):
            return up.value
        case AssignmentExpression() as up if pattern.is_field("left"):
            return up.right
    return None


def _definition(evaluator: Evaluator, promise: Node) -> Node | None:
    """Returns the expression that a variable always has, if the variable is only used for its value."""
    name = innermost(promise)
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None or len(binding.declarations) != 1:
        return None
    writes = [assigned_parts(each.source) for each in binding.writes if each.source is not None]
    values = [value for found in writes if found is not None and (value := found[1]) is not None]
    targets = [found[0].type for found in writes if found is not None]
    if len(values) != 1 or len(targets) < len(binding.writes) or {*targets} != {"identifier"}:
        return None
    uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
    is_only_value = all(_may_be_value(evaluator, each) and _runs_after(each, values[0]) for each in uses)
    return values[0] if is_only_value else None


def _runs_after(use: Node, definition: Node) -> bool:
    """Whether a use follows the expression that a variable gets in the same function.

    A function that is declared may follow it, too, wherever it is declared.
    """
    function = function_of(definition)
    around, is_declared = function_of(use), False
    while not around.same(function):
        if around.parent is None:
            return False
        is_declared = is_declared or around.type == "function_declaration"
        around = function_of(around.parent)
    return is_declared or use.start >= definition.end


def _may_be_value(evaluator: Evaluator, use: Node) -> bool:
    """Whether code may use a variable as the value in a promise: it does not call a method of the promise.

    It does not pass it to a function of promises either, such as `Promise.all`.
    """
    whole = outermost(use)
    up = whole.parent
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        return key_of(evaluator, up) not in PROMISE_METHODS
    call = call_with_argument(outermost(up) if up is not None and up.type == "array" else whole)
    callee = None if call is None else call.callee
    return not isinstance(callee, AccessExpression) or evaluator.tree.source(callee.object) != "Promise"


def _edits_at(
    evaluator: Evaluator, promise: Node, *, at_top_level: bool, before_listeners: bool
) -> tuple[TextEdit, ...] | None:
    """Returns edits that await an expression, and make its function `async` if necessary."""
    function = function_of(promise)
    if not isinstance(function, Function):
        is_possible = at_top_level and function.type == "program" and not evaluator.tree.has_markup
        return _awaiting(evaluator, promise) if is_possible else None
    if not function.body.contains(promise) or _is_in_class(promise, function):
        return None
    if isinstance(function, CompiledAsyncFunction) or not _may_run_later(
        evaluator, promise, function, before_listeners=before_listeners
    ):
        return None
    edits = _awaiting(evaluator, promise)
    if edits is None or function.has_token("async"):
        return edits
    if is_generator(function):
        return None
    others = edits_making_async(evaluator, function)
    return None if others is None else (*others, *edits)


def _may_be_called_later(evaluator: Evaluator, owner: Node, function: Function) -> bool:
    """Whether a parameter of one function that another one in it calls may be called later than before.

    True if it is called later anyway, if the owner returns `true` in the end, as listeners do that respond
    later, and if the other one contains the owner.
    """
    if not isinstance(owner, Function) or not owner.contains(function):
        return True
    body = owner.body.named() if owner.body.type == "statement_block" else []
    last = body[-1].first() if body and body[-1].type == "return_statement" else None
    if last is not None and last.type == "true" and not owner.same(function):
        return True
    around = function
    while not around.same(owner):
        if is_taken(evaluator, around, around):
            return True
        outer = enclosing_function(around)
        if outer is None:
            return True
        around = outer
    return False


def _is_in_class(promise: Node, function: Function) -> bool:
    """Whether a class in a function contains an expression, whose fields cannot wait."""
    for up in promise.ancestors():
        if up.same(function):
            return False
        if up.type in CLASSES or isinstance(up, FieldDefinition):
            return True
    return False


def _may_run_later(
    evaluator: Evaluator, promise: Node, function: Function, *, before_listeners: bool
) -> bool:
    """Whether the rest of a function may run after the event that it handles.

    True if the function has waited already. Otherwise nothing may follow that is only of use at once, such as
    a call of a function that was passed by the caller, like `sendResponse`.
    """
    patterns = [_SOON] if before_listeners else [_SOON, _LISTENING]
    found = (
        each for one in patterns for each in one.finditer(evaluator.tree.text, promise.end, function.end)
    )
    is_free = not any(_runs_with(evaluator, each.start(), function) for each in found)
    if is_free and not _calls_parameter(evaluator, function, promise.end):
        return True
    return bool(Awaits(evaluator.tree).waits_before(promise))


def _runs_with(evaluator: Evaluator, offset: int, function: Function) -> bool:
    """Whether code in a function runs with it, and not in another function that is called separately."""
    around = enclosing_function(evaluator.tree.leaf_at(offset))
    while around is not None and not around.same(function):
        if call_of(around) is None:
            return False
        around = enclosing_function(around)
    return True


def _calls_parameter(evaluator: Evaluator, function: Function, start: int) -> bool:
    """Whether code in a function, after an offset, calls a parameter of it or of an outer one in time."""
    waiting = [function.body]
    while waiting:
        node = waiting.pop()
        evaluator.tree.spend(1)
        if isinstance(node, CallExpression) and node.end > start and node.callee.type == "identifier":
            binding = evaluator.names.variable(node.callee)
            is_parameter = binding is not None and any(
                each.kind == "parameter" for each in binding.declarations
            )
            if (
                binding is not None
                and is_parameter
                and not _may_be_called_later(evaluator, binding.scope, function)
            ):
                return True
        waiting += [each for each in node.named() if each.end > start]
    return False


def _awaiting(evaluator: Evaluator, promise: Node) -> tuple[TextEdit, ...] | None:
    """Returns edits that await an expression, with the parentheses that this requires."""
    text = evaluator.tree.text
    while promise.type == "parenthesized_expression" and (inner := promise.first()) is not None:
        promise = inner
    before, after = ("await (", ")") if promise.type in _LOOSER else ("await ", "")
    if _is_start_of_postfix(promise):
        waiting = _await_of_properties(promise)
        if waiting is not None:
            before = f"{_separator(evaluator, waiting)}("
            after = ")"
            return TextEdit(waiting.start, waiting.start, before), TextEdit(promise.end, promise.end, after)
        if b"?." in text[promise.start : promise.end]:
            return None
        before, after = f"{_separator(evaluator, promise)}({before}", f"{after})"
    start = TextEdit(promise.start, promise.start, before)
    return (start, TextEdit(promise.end, promise.end, after)) if after else (start,)


def _await_of_properties(promise: Node) -> AwaitExpression | None:
    """Returns the `await` of properties of a promise, `await p.a.b`, which was meant for the promise."""
    whole = promise
    while isinstance(whole.parent, AccessExpression) and whole.is_field("object"):
        whole = whole.parent
    up = whole.parent
    is_meant = isinstance(up, AwaitExpression) and promise.type not in _LOOSER and not whole.same(promise)
    return up if is_meant and isinstance(up, AwaitExpression) else None


def _is_start_of_postfix(promise: Node) -> bool:
    """Whether an expression is followed by what binds more tightly than `await`."""
    up = promise.parent
    match up:
        case AccessExpression():
            return promise.is_field("object")
        case CallOrNewExpression():
            return promise.same(up.callee)
        case BinaryExpression():
            return up.operator == "**" and promise.is_field("left")
    return up is not None and up.type == "non_null_expression"


def _separator(evaluator: Evaluator, promise: Node) -> str:
    """Returns the semicolon that a statement requires before its first parenthesis, if any.

    Without it, the statement would be the arguments of the one before, which has no semicolon at its end.
    """
    statement = promise
    while statement.parent is not None and statement.parent.type not in BODIES:
        statement = statement.parent
    up = statement.parent
    if up is None or statement.start != promise.start:
        return ""
    before = [each for each in up.named() if each.end <= statement.start and not each.is_field("value")]
    return ";" if before and ends_without_semicolon(evaluator.tree.text, before[-1]) else ""
