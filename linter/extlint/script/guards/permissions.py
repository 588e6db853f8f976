"""Tests of permissions: `await browser.permissions.contains({permissions: ["tabs"]})` and the like.

Of a permission that the manifest lacks, Firefox 153 and Chromium 156 say that it is not contained, and refuse
to request it (`extlint_judge permissions` asks them).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.script.facts.script_facts import ANY_PERMISSION, HOSTS, ApiPath
from extlint.script.facts.values import ArrayValue, ObjectValue, options_of
from extlint.script.guards.existence import NOTHING_TOLD, ExistenceTest
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import arguments_of, innermost
from extlint.script.values.api_results import result_of
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

GRANTED = "granted"
"""The second name of the path that stands for a permission, `("", GRANTED, "tabs")`."""

_ASKING = frozenset({("permissions", "contains"), ("permissions", "request")})
REQUEST = ("permissions", "request")

_ALL = ("permissions", "getAll")


def granted_by(ask: ExistenceTest, call: Node) -> frozenset[ApiPath] | None:
    """The permissions that are granted if a call has the outcome true; None if it asks for none."""
    function = call.field("function")
    if function is None:
        return None
    found = ask.evaluator.api(function)
    if found is not None and found.path in _ASKING:
        return _paths(_asked(ask.evaluator, call, ask.given))
    if function.type == "member_expression" and key_of(ask.evaluator, function) == "includes":
        owner, arguments = function.field("object"), arguments_of(call)
        given = None if owner is None else result_of(ask.evaluator.value(owner))
        if (
            given is not None
            and (given.path, given.steps) == (_ALL, ("permissions",))
            and len(arguments) == 1
        ):
            return _paths([_named(ask.evaluator, arguments[0], ask.given)])
    return None


def requested_before(evaluator: Evaluator, statement: Node) -> frozenset[ApiPath]:
    """The permissions for which a statement waits until the user was asked.

    The request fails for those that the manifest lacks, so that what follows never runs without them.
    """
    inner = statement.first() if statement.type in _STATEMENTS else None
    if inner is not None and inner.type == "variable_declarator":
        inner = inner.field("value")
    call = (
        innermost(inner).first()
        if inner is not None and innermost(inner).type == "await_expression"
        else None
    )
    if call is None or call.type != "call_expression":
        return NOTHING_TOLD
    function = call.field("function")
    found = None if function is None else evaluator.api(function)
    if found is None or found.path != REQUEST:
        return NOTHING_TOLD
    return _paths(_asked(evaluator, call, {}))


_STATEMENTS = frozenset({"expression_statement", "lexical_declaration", "variable_declaration"})


def _paths(names: Iterator[str] | list[str]) -> frozenset[ApiPath]:
    return frozenset(("", GRANTED, name) for name in names)


def _asked(evaluator: Evaluator, call: Node, given: Mapping[str, str]) -> Iterator[str]:
    """The names of the permissions that a call asks for."""
    arguments = arguments_of(call)
    asked = None if not arguments else evaluator.value(arguments[0])
    if asked is None or not isinstance(asked, ObjectValue):
        yield ANY_PERMISSION
        return
    if asked.open:
        yield ANY_PERMISSION
    if "origins" in asked.fields:
        yield HOSTS
    if "permissions" in asked.fields:
        literal = _literal(evaluator, arguments[0])
        if literal is not None:
            yield from (_named(evaluator, each, given) for each in literal.named())
            return
        for option in options_of(asked.fields["permissions"].value):
            yield from _items(option)


def _items(value: object) -> Iterator[str]:
    if not isinstance(value, ArrayValue) or value.open:
        yield ANY_PERMISSION
        return
    for each in value.items:
        yield text_of(each) or ANY_PERMISSION


def _literal(evaluator: Evaluator, argument: Node) -> Node | None:
    """The list as it is written in `{permissions: […]}`."""
    argument = innermost(argument)
    for each in argument.named() if argument.type == "object" else ():
        value = (
            each.field("value") if each.type == "pair" and key_of(evaluator, each) == "permissions" else None
        )
        if value is not None and innermost(value).type == "array":
            return innermost(value)
    return None


def _named(evaluator: Evaluator, item: Node, given: Mapping[str, str]) -> str:
    if item.type == "identifier" and evaluator.tree.source(item) in given:
        return given[evaluator.tree.source(item)]
    return text_of(evaluator.value(item)) or ANY_PERMISSION
