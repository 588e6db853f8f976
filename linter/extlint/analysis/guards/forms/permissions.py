"""Tests of permissions: `await browser.permissions.contains({permissions: ["tabs"]})` and the like.

Firefox 153 and Chromium 156 report that a permission missing from the manifest is not contained, and reject a
request for it (verified by `extlint_judge permissions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from extlint.analysis.facts.script_facts import ANY_PERMISSION, HOSTS
from extlint.analysis.facts.values import ArrayValue, ObjectValue, options_of
from extlint.analysis.guards.forms.facts import GRANTED, NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AwaitExpression,
    CallExpression,
    MemberExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import result_of
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

REQUEST = ("permissions", "request")

_TESTS = frozenset({("permissions", "contains"), REQUEST})
_ALL = ("permissions", "getAll")


def implied(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the permissions that are granted if a call returns true.

    Returns None if it does not test permissions.
    """
    found = _permissions(query, call)
    if found is None:
        return None
    return _facts(found) if query.outcome and query.present else NOTHING_IMPLIED


def _permissions(query: ConditionQuery, call: Node) -> Iterable[str] | None:
    if not isinstance(call, CallExpression):
        return None
    callee, arguments = call.callee, call.arguments
    member = query.evaluator.api(callee)
    if member is not None and member.path in _TESTS:
        return _named_permissions(query.evaluator, call, query.text)
    if not isinstance(callee, MemberExpression) or key_of(query.evaluator, callee) != "includes":
        return None
    result = result_of(query.evaluator.value(callee.object))
    if result is None or (result.path, result.steps) != (_ALL, ("permissions",)) or len(arguments) != 1:
        return None
    return [query.text(arguments[0]) or ANY_PERMISSION]


def requested_permissions(evaluator: Evaluator, statement: Node) -> Facts:
    """Returns permissions on which a statement (an expression or declaration) awaits the user's decision.

    The request fails for permissions missing from the manifest, so that the following code never runs without
    them.
    """
    inner = statement.first()
    if isinstance(inner, VariableDeclarator):
        inner = inner.value
    match inner if inner is None else innermost(inner):
        case AwaitExpression(argument=CallExpression() as call):
            found = evaluator.api(call.callee)
            if found is not None and found.path == REQUEST:
                return _facts(_named_permissions(evaluator, call, lambda item: evaluator.text(item)))
    return NOTHING_IMPLIED


def _facts(permissions: Iterable[str]) -> Facts:
    return frozenset(("", GRANTED, name) for name in permissions)


def _named_permissions(
    evaluator: Evaluator, call: CallExpression, text: Callable[[Node], str | None]
) -> Iterator[str]:
    """Yields the permissions that the first argument of a call names."""
    argument = call.first_argument
    value = None if argument is None else evaluator.value(argument)
    if argument is None or not isinstance(value, ObjectValue):
        yield ANY_PERMISSION
        return
    if value.open:
        yield ANY_PERMISSION
    if "origins" in value.fields:
        yield HOSTS
    if "permissions" in value.fields:
        listed = _array_literal(evaluator, argument)
        if listed is not None:
            for each in listed.named():
                yield text(each) or ANY_PERMISSION
            return
        for option in options_of(value.fields["permissions"].value):
            yield from _items(option)


def _items(value: object) -> Iterator[str]:
    if not isinstance(value, ArrayValue) or value.open:
        yield ANY_PERMISSION
        return
    for each in value.items:
        yield text_of(each) or ANY_PERMISSION


def _array_literal(evaluator: Evaluator, argument: Node) -> Node | None:
    """Returns the list as it is written in `{permissions: […]}`, or None."""
    argument = innermost(argument)
    for each in argument.named() if argument.type == "object" else ():
        if isinstance(each, Pair) and key_of(evaluator, each) == "permissions":
            value = innermost(each.value)
            if value.type == "array":
                return value
    return None
