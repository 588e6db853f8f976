"""Determines how a script uses the promise of a call, its callback, and the errors that it catches.

A promise may be used as if it were the value in it:

    if (chrome.permissions.contains({permissions: ["tabs"]})) …     always true
    const items = load(); items.push(1);                            if `load` is asynchronous

What is read from a promise of the API is among the field reads.

Finds errors that code catches and sends as they are.

    load().catch((error) => sendResponse({ error }));

Any value can be thrown, so that the package must not have code that throws anything but errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import PromiseUse, UnawaitedPromise
from extlint.analysis.facts.values import (
    ApiResult,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.scope.model import Identifier, Role
from extlint.analysis.syntax.build_signs import seems_generated
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    ForInStatement,
    Function,
    Pair,
    PairPattern,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    TESTING,
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.api_results import is_promise
from extlint.analysis.values.constants import ERROR_HANDLERS, PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES, calls_of, is_async
from extlint.analysis.values.promise_values import chained_calls
from extlint.analysis.values.property_index import assignment_to, is_changed, key_of

_ITEMS = "0"
"""Stands for the items of a promise, which has none."""


def promise_use(evaluator: Evaluator, call: CallExpression) -> PromiseUse:
    """Returns how a script immediately uses the promise of a call."""
    whole = outermost(call)
    up = whole.parent
    if isinstance(up, AwaitExpression):
        around = outermost(up).parent
        match around:
            case Node(type="expression_statement"):
                return PromiseUse.NONE if around.is_last() else PromiseUse.WAITED
            case None:
                return PromiseUse.NONE
            case Node(type="arrow_function" | "return_statement"):
                return PromiseUse.RETURNED
        return PromiseUse.AWAITED
    is_chained = isinstance(up, AccessExpression) and whole.is_field("object") and call_of(up) is not None
    if is_chained and isinstance(up, AccessExpression) and key_of(evaluator, up) in PROMISE_METHODS:
        if up.has_token("optional_chain", "?."):
            return PromiseUse.NONE
        chained = [*chained_calls(evaluator, call)]
        last = outermost(chained[-1][1]).parent
        is_ignored = last is not None and last.type == "expression_statement"
        is_only_caught = is_ignored and all(name == "catch" for name, _ in chained)
        return PromiseUse.CAUGHT if is_only_caught else PromiseUse.CHAINED
    return PromiseUse.NONE


def is_callback_called(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the last argument is a call that certainly returns undefined: `tabs.query({}, show())`."""
    last = call.arguments[-1] if call.arguments else None
    if last is None or not isinstance(innermost(last), CallExpression):
        return False
    options = options_of(evaluator.possible.value(last))
    return all(isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in options)


def is_detached(evaluator: Evaluator, callee: Node) -> bool:
    """Whether a callee is a constant that holds a member without its object: `const { get } = storage`."""
    name = innermost(callee)
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None or len(binding.writes) != 1:
        return False
    declared = binding.writes[0].source
    if not isinstance(declared, VariableDeclarator) or declared.value is None:
        return False
    value = innermost(declared.value)
    is_name = value.type == "identifier" and declared.name.type == "object_pattern"
    return is_name or isinstance(value, AccessExpression)


def unawaited_promises(
    evaluator: Evaluator, guards: GuardReader, api_calls: Iterable[CallExpression]
) -> Iterator[UnawaitedPromise]:
    """Yields the uses of promises that calls of the API and of the script's functions return."""
    if seems_generated(evaluator.tree.text):
        return
    for call in (*api_calls, *_calls_of_own_functions(evaluator)):
        uses = [*_uses(evaluator, call)]
        options = options_of(evaluator.possible.value(call)) if uses else ()
        of = options[0] if len(options) == 1 else None
        for place, member in uses:
            at = guards.public_guards_at(place)
            if isinstance(of, ApiResult) and is_promise(of) and member is None:
                yield UnawaitedPromise(".".join(of.path), place.span, member, at, of)
            elif isinstance(of, InstanceValue) and of.builtin and of.class_name == "Promise":
                yield UnawaitedPromise(evaluator.tree.source(call.callee), place.span, member, at)
    if b"fetch" not in evaluator.tree.text:
        return
    for call in calls_about_requests(evaluator):
        for place, member in _uses(evaluator, call):
            if member is not None:
                at = guards.public_guards_at(place)
                yield UnawaitedPromise(evaluator.tree.source(call.callee), place.span, member, at)


def _calls_of_own_functions(evaluator: Evaluator) -> Iterator[CallExpression]:
    """Yields the calls, by their names, of the asynchronous functions that the script declares."""
    for at in evaluator.tree.places.iter_offsets(b"async"):
        function = evaluator.tree.leaf_at(at).parent
        if isinstance(function, Function) and is_async(function) and call_of(function) is None:
            calls, _ = calls_of(evaluator, function)
            yield from (each for each in calls if isinstance(each, CallExpression))


def _uses(evaluator: Evaluator, call: CallExpression) -> Iterator[tuple[Node, str | None]]:
    """Yields the places where a value was meant, each with the member that is read, or None if tested."""
    whole = outermost(call)
    declared = whole.parent
    if not isinstance(declared, VariableDeclarator) or not whole.is_field("value"):
        yield from _use_at(evaluator, call)
    elif declared.name.type == "array_pattern":
        yield declared.name, _ITEMS
    elif declared.name.type == "object_pattern":
        keys = (each.key if isinstance(each, PairPattern) else each for each in declared.name.named())
        yield from ((each, evaluator.tree.source(each)) for each in islice(keys, 1))
    else:
        binding = evaluator.names.variable(declared.name)
        if binding is None or len(binding.writes) != 1 or len(binding.uses) > MAX_USES:
            return
        items = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        if not any(_expects_promise(evaluator, each) for each in items):
            is_promise_used = any(_uses_promise(evaluator, each) for each in items)
            for place, member in chain.from_iterable(_use_at(evaluator, each) for each in items):
                if member is not None or not is_promise_used:
                    yield place, member


def _uses_promise(evaluator: Evaluator, item: Node) -> bool:
    """Whether a variable is used as a promise, as in `x.then(f)`: tests of it are tests for a promise."""
    whole = outermost(item)
    up = whole.parent
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        return key_of(evaluator, up) in PROMISE_METHODS
    return isinstance(up, AwaitExpression) or (up is not None and up.type == "return_statement")


def _use_at(evaluator: Evaluator, item: Node) -> Iterator[tuple[Node, str | None]]:
    whole = outermost(item)
    up = whole.parent
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        name = key_of(evaluator, up)
        if name is not None and name not in PROMISE_METHODS:
            yield up.key, name
    elif isinstance(up, ForInStatement) and whole.is_field("right"):
        if up.operator == "of" and not up.has_token("await"):
            yield item, _ITEMS
    elif _is_condition(whole):
        yield item, None


def _is_condition(whole: Node) -> bool:
    """Whether an expression is only tested: in `if (x)`, `!x`, `x && y` and the like."""
    up = whole.parent
    if up is None:
        return False
    if isinstance(up, UnaryExpression):
        return up.operator == "!"
    if isinstance(up, BinaryExpression) and up.operator in {"&&", "||"}:
        around = outermost(up)
        is_statement = around.parent is not None and around.parent.type == "expression_statement"
        is_tested = up.operator == "&&" and whole.is_field("left") and not is_statement
        return is_tested or _is_condition(around)
    return up.type in TESTING and whole.is_field("condition")


def _expects_promise(evaluator: Evaluator, item: Node) -> bool:
    """Whether a use shows that a variable is meant to hold a promise, or an object with more members."""
    whole = outermost(item)
    up = whole.parent
    if isinstance(up, BinaryExpression):
        return up.operator in {"instanceof", "in"}
    if not isinstance(up, AccessExpression) or not whole.is_field("object"):
        return isinstance(up, UnaryExpression) and up.operator == "typeof"
    is_written = assignment_to(up) is not None or is_changed(up)
    is_called = call_of(up) is not None
    return is_written or (key_of(evaluator, up) in PROMISE_METHODS and not is_called)


_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_MEMBERS = frozenset({"message", "name", "stack", "toString"})
"""The members of errors that code reads."""


def with_caught_errors(evaluator: Evaluator, node: Node, value: Value) -> Value:
    """Returns the value of an argument in which caught errors are objects of `Error`."""
    inner = innermost(node)
    if _is_caught_error(evaluator, inner):
        return InstanceValue("Error", span=inner.span)
    if not isinstance(value, ObjectValue) or inner.type != "object":
        return value
    fields = dict(value.fields)
    for each in inner.named():
        part = innermost(each.value) if isinstance(each, Pair) else each
        name = evaluator.tree.source(each.key if isinstance(each, Pair) else each)
        if name in fields and _is_caught_error(evaluator, part):
            fields[name] = replace(fields[name], value=InstanceValue("Error", span=part.span))
    return value if fields == value.fields else replace(value, fields=fields)


def _is_caught_error(evaluator: Evaluator, name: Node) -> bool:
    """Whether a name is that of a caught error, which code uses only as an error."""
    binding = evaluator.names.variable(name) if name.type in _NAMES else None
    if binding is None or len(binding.writes) != 1 or len(binding.declarations) != 1:
        return False
    return _is_handled(evaluator, binding.writes[0]) and all(
        _is_used_as_error(evaluator, each.item) for each in binding.uses
    )


def _is_handled(evaluator: Evaluator, declared: Identifier) -> bool:
    """Whether a variable is that of a `catch` clause, or of a function for the failure of a promise."""
    if declared.kind == "catch":
        return True
    function = enclosing_function(declared.item) if declared.kind == "parameter" else None
    first = [pattern_of(each) for each in parameter_items(function)[:1]] if function else []
    if function is None or not any(each.same(declared.item) for each in first):
        return False
    whole = outermost(function)
    taker = call_with_argument(whole)
    if not isinstance(taker, CallExpression) or not isinstance(taker.callee, AccessExpression):
        return False
    method = key_of(evaluator, taker.callee)
    return method in ERROR_HANDLERS and index_of(taker.arguments, whole) == ERROR_HANDLERS[method]


def _is_used_as_error(evaluator: Evaluator, use: Node) -> bool:
    whole = outermost(use)
    up = whole.parent
    if use.type == "shorthand_property_identifier" or isinstance(up, Pair):
        return True
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        return key_of(evaluator, up) in _MEMBERS
    call = call_with_argument(whole)
    return (
        isinstance(call, CallExpression)
        and call.parent is not None
        and (call.parent.type in ("expression_statement", "arrow_function"))
    )


_BODY_METHODS = frozenset({"arrayBuffer", "blob", "bytes", "formData", "json", "text"})


def calls_about_requests(evaluator: Evaluator) -> Iterator[CallExpression]:
    """Yields the calls of `fetch`, and those that read the body of a response in a constant."""
    for at in evaluator.tree.places.iter_offsets(b"fetch"):
        name = evaluator.tree.leaf_at(at)
        call = name.parent
        if not isinstance(call, CallExpression) or not call.callee.same(name):
            continue
        if not evaluator.names.is_global(name, {"fetch"}):
            continue
        yield call
        for use in _uses_of_response(evaluator, call):
            read = _read_of_body(evaluator, use)
            if read is not None:
                yield read


def _uses_of_response(evaluator: Evaluator, call: CallExpression) -> Iterator[Node]:
    awaited = outermost(call).parent
    declared = outermost(awaited).parent if isinstance(awaited, AwaitExpression) else None
    if isinstance(declared, VariableDeclarator):
        binding = evaluator.names.variable(declared.name)
        if binding is not None and len(binding.writes) == 1:
            yield from (each.item for each in binding.uses)


def _read_of_body(evaluator: Evaluator, response: Node) -> CallExpression | None:
    member = response.parent
    if not isinstance(member, AccessExpression) or key_of(evaluator, member) not in _BODY_METHODS:
        return None
    call = member.parent
    return call if isinstance(call, CallExpression) and call.callee.same(member) else None
