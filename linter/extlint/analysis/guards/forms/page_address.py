"""Tests of the scheme of the own address: `document.URL.startsWith("http")`, `/^http/.test(location.href)`.

A script that runs in web pages and in pages of the extension determines its location this way. Only the
failure of such a test implies something: the page is not a web page.
"""

from __future__ import annotations

from extlint.analysis.guards.forms.comparisons import search_by
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, OUTSIDE_WEB, ConditionQuery, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    RegularExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, innermost, swapped
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.patterns import lazy

_MAX_BYTES = 300
"""The maximum number of bytes of a test, and of an address, to search; a longer test is ignored."""

_OWN_ADDRESS = lazy(
    rb"\blocation\b|\bgetURL\b|\b(?:self|window|globalThis|document)\.(?:origin|URL|baseURI)\b|\bimport\.meta\.url"
)

_SEARCHES = frozenset({"includes", "match", "startsWith", "test"})
_POSITIONS = frozenset({"indexOf", "search"})
_WEB_SCHEME = lazy(r"\^?\(?(?:\?:)?(?:https?|http\(s\)|https\?)\)?\??(?::(?:\\?/){0,2})?")
"""Matches the scheme of web pages and nothing after it, as a text or as a pattern."""


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """Returns the fact that the page is not a web page if a test for that fails.

    Returns None for any other expression.
    """
    text = query.evaluator.tree.text
    is_short = item.end - item.start <= _MAX_BYTES
    if not is_short or b"http" not in text[item.start : item.end]:
        return None
    is_of_web = _outcome_in_web_page(query.evaluator, item)
    if is_of_web is None:
        return None
    is_outside = query.outcome is not is_of_web
    return frozenset({OUTSIDE_WEB}) if is_outside and query.present else NOTHING_IMPLIED


def _outcome_in_web_page(evaluator: Evaluator, item: Node) -> bool | None:
    """Returns the outcome that an expression has in a web page, or None if it does not test for that."""
    if isinstance(item, CallExpression):
        return True if _searches(evaluator, item, _SEARCHES) else None
    if not isinstance(item, BinaryExpression):
        return None
    for subject, against, _ in swapped(item):
        value = evaluator.value(against)
        subject = innermost(subject)
        if isinstance(subject, CallExpression) and _searches(evaluator, subject, _POSITIONS):
            number = text_of(value)
            if item.operator in EQUALITY and number in {"0", "-1"}:
                return (item.operator in EQUAL) is (number == "0")
            return True if (item.operator, number) in {(">", "-1"), (">=", "0")} else None
        if item.operator in EQUALITY and _is_scheme(text_of(value)) and is_own_address(evaluator, subject):
            return item.operator in EQUAL
    return None


def _searches(evaluator: Evaluator, call: CallExpression, methods: frozenset[str]) -> bool:
    """Whether a call of one of these methods searches the own address for the scheme of web pages."""
    search = search_by(evaluator, call)
    if search is None or search[0] not in methods:
        return False
    _, address, search_term = search
    text = (
        evaluator.tree.source(search_term.pattern)
        if isinstance(search_term, RegularExpression)
        else evaluator.text(search_term)
    )
    return _is_scheme(text) and is_own_address(evaluator, address)


def _is_scheme(text: str | None) -> bool:
    return text is not None and _WEB_SCHEME.fullmatch(text) is not None


def is_own_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is, by its text, an address of the page or script itself."""
    start, end = expression.span
    if _OWN_ADDRESS.search(evaluator.tree.text, start, min(end, start + _MAX_BYTES)):
        return True
    root = expression
    while isinstance(root, AccessExpression):
        root = root.object
    binding = evaluator.names.variable(root) if root.type == "identifier" else None
    sources = [] if binding is None else [each.source for each in binding.writes[:3]]
    return any(
        _OWN_ADDRESS.search(evaluator.tree.text, each.start, min(each.end, each.start + _MAX_BYTES))
        for each in sources
        if isinstance(each, VariableDeclarator | AssignmentExpression)
    )
