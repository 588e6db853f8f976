"""Finds variables that are read before the callback that sets them: `let x; get((v) => (x = v)); f(x.y)`.

All assignments of such a variable are in functions that the API calls later, so it is undefined until the
function that declares it returns or waits. A value that such a function returns does not get to the callers
of the function around it either: `function load() { get((v) => { return v; }); }`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extlint.analysis.facts.script_facts import EarlyRead
from extlint.analysis.scope.model import Binding, Identifier, Role, function_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    CallOrNewExpression,
    Function,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, is_optional, outermost
from extlint.analysis.timing.continuations import CallTime, call_time
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements, returned_expressions, uses_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_WAITING = lazy(rb"(?<![\w$.])(?:await|yield)(?![\w$])")


_VALUES = frozenset({"array", "identifier", "number", "object", "string", "template_string"})
_USING = frozenset({"arguments", "binary_expression", "return_statement", "template_substitution"})


def early_reads(
    evaluator: Evaluator, callbacks: Iterable[ByteSpan], variables: Iterable[int]
) -> tuple[EarlyRead, ...]:
    """Returns the first early read of each variable, and the calls of functions around callbacks.

    Variables are the offsets of the names where they are declared without a value.
    """
    if evaluator.tree.has_markup:
        return ()
    found = [each for callback in callbacks for each in _lost_results(evaluator, callback)]
    for declared in variables:
        name = evaluator.tree.leaf_at(declared)
        binding = evaluator.names.variable(name) if name.type == "identifier" else None
        read = None if binding is None else _early_read(evaluator, binding)
        if read is not None:
            found.append(read)
    return tuple(found)


def _lost_results(evaluator: Evaluator, span: ByteSpan) -> Iterator[EarlyRead]:
    """Yields the calls whose value is used, of a function whose callback returns a value, unlike itself."""
    callback = next((each for each in evaluator.tree.leaf_at(span[0]).scopes() if each.span == span), None)
    taker = None if callback is None else call_with_argument(outermost(callback))
    if not isinstance(callback, Function) or not isinstance(taker, CallExpression):
        return
    home, api = function_of(taker), evaluator.api(taker.callee)
    if api is None or not isinstance(home, Function) or returned_expressions(evaluator, home):
        return
    returned = (each.first() for each in return_statements(evaluator, callback.body))
    if not any(
        each is not None and (isinstance(each, AccessExpression) or each.type in _VALUES) for each in returned
    ):
        return
    for use in uses_of(evaluator, home):
        call = use.parent
        if isinstance(call, CallExpression) and call.callee.same(use) and _is_used(call):
            yield EarlyRead(evaluator.tree.source(use), use.span, api.path, is_result=True)


def _is_used(call: CallExpression) -> bool:
    """Whether the value of a call is used, or that of the promise that it returns."""
    whole = outermost(call)
    if isinstance(whole.parent, AwaitExpression):
        whole = outermost(whole.parent)
    up = whole.parent
    if isinstance(up, VariableDeclarator):
        return up.name.type == "identifier"
    return up is not None and (up.type in _USING or isinstance(up, AssignmentExpression))


def _early_read(evaluator: Evaluator, binding: Binding) -> EarlyRead | None:
    declaration = binding.declarations[0] if len(binding.declarations) == 1 else None
    if declaration is None or not _is_local(declaration):
        return None
    writes = [each for each in binding.writes if each.item.start != declaration.item.start]
    takers = [_later_taker(evaluator, each, binding) for each in writes]
    if not takers or None in takers:
        return None
    first = min((each for each in takers if each is not None), key=lambda each: each.end)
    api = _api_of(evaluator, first)
    here = function_of(declaration.item)
    uses = [
        each.item
        for each in binding.uses
        if each.role is Role.REFERENCE and function_of(each.item).same(here) and each.item.start >= first.end
    ]
    if api is None or not uses or not all(map(_needs_value, uses)):
        return None
    at = uses[0]
    if _WAITING.search(evaluator.tree.text, declaration.item.start, at.start) is not None:
        return None
    return EarlyRead(binding.name, at.span, api)


def _is_local(declaration: Identifier) -> bool:
    """Whether no other script can assign a variable that is declared without a value."""
    source = declaration.source
    if not isinstance(source, VariableDeclarator) or source.value is not None:
        return False
    return declaration.kind == "let" or isinstance(function_of(declaration.item), Function)


def _later_taker(evaluator: Evaluator, write: Identifier, binding: Binding) -> CallExpression | None:
    """Returns the call that takes a function with a write, and calls it later, or None if it may run at once.

    The call is one in the function that declares the variable.
    """
    home = function_of(binding.declarations[0].item)
    for function in write.item.scopes():
        if function.same(home):
            return None
        whole = outermost(function)
        listed = whole.parent
        taker = None if listed is None else listed.parent
        if not isinstance(function, Function) or not isinstance(taker, CallOrNewExpression):
            continue
        index = next((i for i, each in enumerate(taker.arguments) if each.same(whole)), None)
        if (
            index is not None
            and isinstance(taker, CallExpression)
            and function_of(taker).same(home)
            and call_time(evaluator, taker, index) is CallTime.LATER
        ):
            return taker
    return None


def _api_of(evaluator: Evaluator, call: CallExpression) -> tuple[str, ...] | None:
    """Returns the function of the API that a call calls, or whose promise it uses."""
    while (found := evaluator.api(call.callee)) is None:
        below = innermost(call.callee.object) if isinstance(call.callee, AccessExpression) else None
        if not isinstance(below, CallExpression):
            return None
        call = below
    return found.path


def _needs_value(use: Node) -> bool:
    """Whether code at a read makes no sense with an undefined value: it returns it, or reads a part of it."""
    whole = outermost(use)
    up = whole.parent
    match up:
        case AccessExpression():
            return whole.is_field("object") and not is_optional(up)
        case AssignmentExpression():
            return whole.is_field("right") and isinstance(up.left, AccessExpression)
    return up is not None and up.type in {"return_statement", "template_substitution"}
