"""Tests whether the own address is that of a web page, or of the extension.

`document.URL.startsWith("http")`, `/^http/.test(location.href)`, `location.host === chrome.runtime.id`

A script that runs in web pages and in pages of the extension determines its location this way. Only one
outcome of such a test implies something: the page is not a web page.
"""

from __future__ import annotations

import re

from extlint.analysis.facts.values import ArrayValue
from extlint.analysis.guards.forms import own_address
from extlint.analysis.guards.forms.comparisons import is_position, search_by
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

_PAGE_ADDRESS = lazy(rb"\blocation\b|\b(?:self|window|globalThis|document)\.(?:origin|URL|baseURI)\b")
_OF_EXTENSION = lazy(rb"\bgetURL\b|\bruntime\s*\??\.\s*id\b")
_WORDS = lazy(rb"http|extension|\blocation\b|\borigin\b|\bgetURL\b|\bruntime\b")
_SEARCHES = frozenset({"endsWith", "includes", "match", "startsWith", "test"})
_POSITIONS = frozenset({"indexOf", "search"})
_WEB_SCHEME = lazy(r"\^?\(?(?:\?:)?(?:https?|http\(s\)|https\?)\)?\??(?::(?:\\?/){0,2})?")
"""Matches the scheme of web pages and nothing after it, as a text or as a pattern."""


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """Returns the fact that the page is not a web page if a test for that fails.

    Returns None for any other expression.
    """
    if item.end - item.start > _MAX_BYTES or not _WORDS.search(
        query.evaluator.tree.text, item.start, item.end
    ):
        return None
    is_of_web = _outcome_in_web_page(query.evaluator, item)
    if is_of_web is None:
        return None
    is_outside = query.outcome is not is_of_web and query.present
    of_file = own_address.implied(query, item) or NOTHING_IMPLIED
    return of_file | {OUTSIDE_WEB} if is_outside else of_file


def _outcome_in_web_page(evaluator: Evaluator, item: Node) -> bool | None:
    """Returns the outcome that an expression has in a web page, or None if it does not test for that."""
    if isinstance(item, CallExpression):
        return _found_in_web_page(evaluator, item, _SEARCHES)
    if not isinstance(item, BinaryExpression):
        return None
    for subject, against, is_swapped in swapped(item):
        subject = innermost(subject)
        if isinstance(subject, CallExpression):
            is_at_start = item.operator in EQUALITY and text_of(evaluator.value(against)) == "0"
            is_found = is_position(evaluator, item, against, is_swapped)
            is_found = item.operator in EQUAL if is_at_start else is_found
            found = _found_in_web_page(evaluator, subject, _POSITIONS)
            if found is not None and is_found is not None:
                return is_found is found
        if item.operator in EQUALITY:
            found = _matches_in_web_page(evaluator, subject, against)
            if found is not None:
                return (item.operator in EQUAL) is found
    return None


def _found_in_web_page(evaluator: Evaluator, call: CallExpression, methods: frozenset[str]) -> bool | None:
    """Whether one of some methods finds what it searches for in a web page, or None if unknown."""
    search = search_by(evaluator, call)
    if search is None or search[0] not in methods:
        return None
    _, text, term = search
    listed = evaluator.value(text) if search[0] == "includes" else None
    if isinstance(listed, ArrayValue) and is_own_address(evaluator, term):
        return any(_is_scheme(text_of(each)) for each in listed.items) or None
    return _matches_in_web_page(evaluator, text, term)


def _matches_in_web_page(evaluator: Evaluator, one: Node, other: Node) -> bool | None:
    """Whether two texts match in a web page: its address, and the scheme of web pages or of extensions.

    Returns None if they are something else.
    """
    text = evaluator.tree.source(other.pattern) if isinstance(other, RegularExpression) else None
    text = evaluator.text(other) if text is None else text
    if _is_scheme(text) and is_own_address(evaluator, one):
        return True
    is_protocol = evaluator.tree.source(one).endswith("protocol")
    is_scheme = text is not None and text.rstrip("$/:").endswith("extension") and (is_protocol or ":" in text)
    is_of_extension = is_scheme or _mentions(evaluator, other, _OF_EXTENSION)
    if is_of_extension and _mentions(evaluator, one, _PAGE_ADDRESS):
        return False
    is_reversed = _mentions(evaluator, one, _OF_EXTENSION) and _mentions(evaluator, other, _PAGE_ADDRESS)
    return False if is_reversed else None


def _is_scheme(text: str | None) -> bool:
    return text is not None and _WEB_SCHEME.fullmatch(text) is not None


def is_own_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is, by its text, an address of the page or script itself."""
    return _mentions(evaluator, expression, _OWN_ADDRESS)


def _mentions(evaluator: Evaluator, expression: Node, words: re.Pattern[bytes]) -> bool:
    """Whether an expression, or what is assigned to its variable, has one of some words."""
    start, end = expression.span
    if words.search(evaluator.tree.text, start, min(end, start + _MAX_BYTES)):
        return True
    root = expression
    while isinstance(root, AccessExpression):
        root = root.object
    binding = evaluator.names.variable(root) if root.type == "identifier" else None
    sources = [] if binding is None else [each.source for each in binding.writes[:3]]
    return any(
        words.search(evaluator.tree.text, each.start, min(each.end, each.start + _MAX_BYTES))
        for each in sources
        if isinstance(each, VariableDeclarator | AssignmentExpression)
    )
