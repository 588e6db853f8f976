"""Tests of the user agent: `navigator.userAgent.includes("Firefox")`.

A fact about the user agent has, after `USER_AGENT`, whether it contains one of some texts (`HAS_ANY`) or none
of them (`HAS_NONE`), how letters are compared (`EXACT`, `FOLDED`), and the texts.
"""

from __future__ import annotations

from typing import TypeAlias

from extlint.analysis.facts.script_facts import EXACT, FOLDED, HAS_ANY, HAS_NONE, ApiPath
from extlint.analysis.guards.forms.comparisons import is_position, search_by
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, USER_AGENT, ConditionQuery, Facts
from extlint.analysis.guards.forms.possible_values import NAMES, assigned_values
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    RegularExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import innermost, swapped
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_Search: TypeAlias = tuple[str, tuple[str, ...]]
"""How letters are compared, and the alternative texts to find."""

_MAX_DEPTH = 4
_MAX_TEXTS = 8
_TESTS = frozenset({"includes", "match", "test"})
_DECIDED = frozenset({"chrome", "chrome/", "firefox", "firefox/"})
_POSITIONS = frozenset({"indexOf", "lastIndexOf", "search"})
_PLAIN = lazy(r"[\w /\-]+")
_ANY_VERSION = lazy(r"(?<=/)[(]?(?:\\d|\[(?:\d-\d|\\d|\.|\\\.)+\])[+*]?[)]?$")
"""Matches the beginning of a version, which follows every name and slash."""


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """Returns the facts about the user agent if an expression has an outcome.

    Returns None if it does not test that.
    """
    found = _implied(query, item)
    if not found:
        return None
    return found if query.present else NOTHING_IMPLIED


def _implied(query: ConditionQuery, item: Node) -> Facts:
    match item:
        case CallExpression():
            return _fact(_search_in_call(query, item, _TESTS), query.outcome)
        case UnaryExpression(operator="~", argument=inner):
            return _fact(_search_by_position(query, inner), query.outcome)
        case BinaryExpression():
            return _implied_by_comparison(query, item)
    return NOTHING_IMPLIED


def is_decided_by_agent(fact: ApiPath) -> bool:
    """Whether a fact is about texts that are certainly or certainly not in the user agent of each browser."""
    return fact[:2] == ("", USER_AGENT) and all(each.lower() in _DECIDED for each in fact[4:])


def _fact(found: _Search | None, outcome: bool) -> Facts:
    if found is None:
        return NOTHING_IMPLIED
    letters, texts = found
    return frozenset({("", USER_AGENT, HAS_ANY if outcome else HAS_NONE, letters, *sorted(texts))})


def _implied_by_comparison(query: ConditionQuery, expression: BinaryExpression) -> Facts:
    """Reads `navigator.userAgent.indexOf("Firefox") !== -1`, in all its forms."""
    for subject, against, is_swapped in swapped(expression):
        if not isinstance(innermost(subject), CallExpression):
            continue
        is_found = is_position(query.evaluator, expression, against, is_swapped)
        if is_found is not None:
            return _fact(_search_by_position(query, subject), query.outcome is is_found)
    return NOTHING_IMPLIED


def _search_by_position(query: ConditionQuery, item: Node) -> _Search | None:
    call = innermost(item)
    return _search_in_call(query, call, _POSITIONS) if isinstance(call, CallExpression) else None


def _search_in_call(query: ConditionQuery, call: CallExpression, methods: frozenset[str]) -> _Search | None:
    """Returns the letter comparison and the alternative texts of a call searching the user agent, or None."""
    evaluator, search = query.evaluator, search_by(query.evaluator, call)
    if search is None or search[0] not in methods:
        return None
    method, subject, search_term = search
    letters = _letter_case(evaluator, subject)
    if letters is None:
        return None
    if isinstance(search_term, RegularExpression):
        return _search_in_pattern(evaluator, search_term, letters)
    text = query.text(search_term) if method not in {"search", "test"} else None
    if text is None or (method == "match" and not _PLAIN.fullmatch(text)):
        return None
    return (letters, (text,)) if letters == EXACT or text == text.lower() else None


def _search_in_pattern(evaluator: Evaluator, regex: RegularExpression, letters: str) -> _Search | None:
    """Returns the texts that a regular expression finds if it consists only of texts, or None."""
    is_folded = regex.flags is not None and "i" in evaluator.tree.source(regex.flags)
    written = evaluator.tree.source(regex.pattern).replace("\\/", "/")
    texts = [
        _ANY_VERSION.sub("", each).removeprefix(r"\b").removesuffix(r"\b") for each in written.split("|")
    ]
    if len(texts) > _MAX_TEXTS or not all(map(_PLAIN.fullmatch, texts)):
        return None
    if is_folded:
        return FOLDED, tuple(each.lower() for each in texts)
    return (letters, tuple(texts)) if letters == EXACT or written == written.lower() else None


def _letter_case(evaluator: Evaluator, item: Node, depth: int = 0) -> str | None:
    """Returns how letters of an expression compare to those of the user agent.

    Returns None if it is something else.
    """
    item = innermost(item)
    if depth > _MAX_DEPTH:
        return None
    if isinstance(item, CallExpression):
        callee = item.callee
        if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) != "toLowerCase":
            return None
        return None if _letter_case(evaluator, callee.object, depth + 1) is None else FOLDED
    if isinstance(item, AccessExpression) and key_of(evaluator, item) == "userAgent":
        return EXACT if _is_navigator(evaluator, item.object) else None
    if item.type not in NAMES and not isinstance(item, AccessExpression):
        return None
    values = [each.value for each in assigned_values(evaluator, item)]
    return (
        _letter_case(evaluator, values[0], depth + 1) if len(values) == 1 and values[0] is not None else None
    )


def _is_navigator(evaluator: Evaluator, target: Node) -> bool:
    """Whether an expression is the browser's `navigator`."""
    target = innermost(target)
    if isinstance(target, AccessExpression):
        return key_of(evaluator, target) == "navigator"
    return evaluator.names.is_global(target, {"navigator"})
