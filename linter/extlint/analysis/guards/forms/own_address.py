"""Tests of the own address: `location.pathname === "/popup.html"`, `/popup/.test(location.href)`.

A fact about the address has, after `ADDRESS`, whether one of some patterns matches (`HAS_ANY`) or none of
them (`HAS_NONE`), the part of the address (`HREF`, `PATH`, `FILE`, `SCHEME`), and the patterns: JavaScript
regular expressions. The scheme is that of each file of the extension, so that tests of it are tests of the
browser: `runtime.getURL("").startsWith("moz-extension://")`.
"""

from __future__ import annotations

import re

from extlint.analysis.facts.script_facts import FILE, GET_URL, HAS_ANY, HAS_NONE, HREF, PATH, SCHEME
from extlint.analysis.facts.values import is_nullish
from extlint.analysis.guards.forms.comparisons import is_position, search_by
from extlint.analysis.guards.forms.facts import ADDRESS, NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.guards.forms.possible_values import NAMES, assigned_values
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    NewExpression,
    RegularExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, first_argument, innermost, swapped
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.elements import is_document
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_MAX_DEPTH = 4
_MAX_PATTERN_LENGTH = 200
_TESTS = frozenset({"endsWith", "exec", "includes", "match", "startsWith", "test"})
_RESULTS = frozenset({"exec", "match"})
_POSITIONS = frozenset({"indexOf", "lastIndexOf", "search"})
_OF_PATTERNS = frozenset({"exec", "match", "search", "test"})
_FORMS = {"===": "^%s$", "endsWith": "%s$", "startsWith": "^%s"}
"""The patterns that do what comparisons and methods do; for another method, the text is anywhere."""

_KEYS = {
    "URL": HREF,
    "documentURI": HREF,
    "href": HREF,
    "pathname": PATH,
    "origin": SCHEME,
    "protocol": SCHEME,
}
_SCHEME = lazy(r"\^?((?:chrome|moz|ms-browser|safari|safari-web)-extension)(?::(?:\\?/){0,2})?")
"""A whole scheme of extensions, in a text or at the beginning of a regular expression."""
_NO_TEXTS = frozenset({"array", "false", "null", "number", "object", "true", "unary_expression", "undefined"})
_ORIGIN = r"[\w-]+:\/\/[^\/]+"
_ADDRESS = lazy(rb"\blocation\b|\bdocument\s*\.\s*(?:URL|documentURI)\b|\bgetURL\b")
_IGNORED_FLAGS = frozenset("g")


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """Returns the facts about the own address if an expression has an outcome.

    Returns None if it does not test that.
    """
    found = _implied(query, item) if _may_test_address(query.evaluator) else NOTHING_IMPLIED
    if not found:
        return None
    return found if query.present else NOTHING_IMPLIED


@once_per_script
def _may_test_address(evaluator: Evaluator) -> bool:
    return _ADDRESS.search(evaluator.tree.text) is not None


def _implied(query: ConditionQuery, item: Node) -> Facts:
    match item:
        case CallExpression():
            return _fact(_pattern_of_search(query, item, _TESTS), query.outcome)
        case UnaryExpression(operator="~", argument=inner):
            return _fact(_pattern_of_search(query, inner, _POSITIONS), query.outcome)
        case BinaryExpression():
            return _implied_by_comparison(query, item)
    return NOTHING_IMPLIED


def implied_by_case(query: ConditionQuery, subject: Node, value: Node, outcome: bool) -> Facts:
    """Returns the facts about the address if the value of a `switch` is, or is not, that of a case."""
    is_test = _may_test_address(query.evaluator)
    return _fact(_pattern_of(query, "===", subject, value), outcome) if is_test else NOTHING_IMPLIED


def _implied_by_comparison(query: ConditionQuery, comparison: BinaryExpression) -> Facts:
    """Reads `location.href.match(/popup/) === null`, and comparisons with a text or position."""
    operator, evaluator = comparison.operator, query.evaluator
    for subject, against, is_swapped in swapped(comparison):
        is_equal = query.outcome is (operator in EQUAL)
        if operator in EQUALITY:
            found = _pattern_of(query, "===", subject, against)
            if found is not None:
                return _fact(found, is_equal)
        if not isinstance(innermost(subject), CallExpression):
            continue
        if operator in EQUALITY and is_nullish(evaluator.value(against)):
            return _fact(_pattern_of_search(query, subject, _RESULTS), not is_equal)
        is_found = is_position(evaluator, comparison, against, is_swapped)
        if is_found is not None:
            return _fact(_pattern_of_search(query, subject, _POSITIONS), query.outcome is is_found)
    return NOTHING_IMPLIED


def _fact(found: tuple[str, str] | None, outcome: bool) -> Facts:
    return NOTHING_IMPLIED if found is None else frozenset({("", ADDRESS, _quantifier(outcome), *found)})


def _quantifier(outcome: bool) -> str:
    return HAS_ANY if outcome else HAS_NONE


def _pattern_of_search(query: ConditionQuery, item: Node, methods: frozenset[str]) -> tuple[str, str] | None:
    """Returns the part of the address that a call of one of some methods searches, and a pattern, or None."""
    call = innermost(item)
    search = search_by(query.evaluator, call) if isinstance(call, CallExpression) else None
    return None if search is None or search[0] not in methods else _pattern_of(query, *search)


def _pattern_of(query: ConditionQuery, method: str, subject: Node, term: Node) -> tuple[str, str] | None:
    """Returns the part of the address that an expression is, and what a method finds in it, or None."""
    part = None if innermost(term).type in _NO_TEXTS else _part_of_address(query.evaluator, subject)
    pattern = None if part is None else _pattern(query, method, innermost(term), part)
    if part is None or pattern is None or len(pattern) > _MAX_PATTERN_LENGTH:
        return None
    return part, pattern


def _pattern(query: ConditionQuery, method: str, term: Node, part: str) -> str | None:
    evaluator = query.evaluator
    if part == SCHEME:
        regex = term.pattern if isinstance(term, RegularExpression) else None
        text = query.text(term) if regex is None else evaluator.tree.source(regex)
        scheme = None if text is None else _SCHEME.fullmatch(text)
        return None if scheme is None else f"^{scheme[1]}:"
    if isinstance(term, RegularExpression):
        flags = "" if term.flags is None else evaluator.tree.source(term.flags)
        if method not in _OF_PATTERNS or not {*flags} <= _IGNORED_FLAGS | {"i"}:
            return None
        return ("(?i)" if "i" in flags else "") + evaluator.tree.source(term.pattern)
    own = _file_of_address(query, term)
    text = query.text(term) if own is None else own
    if text is None or (method in _OF_PATTERNS and not text.isalnum()):
        return None
    pattern = re.escape(text) if own is None else f"{_ORIGIN}/{re.escape(own.lstrip('/'))}"
    return _FORMS.get(method, "%s") % pattern


def _file_of_address(query: ConditionQuery, item: Node) -> str | None:
    """Returns the file whose address an expression is: `runtime.getURL("popup.html")`."""
    if not isinstance(item, CallExpression):
        return None
    found, name = query.evaluator.api(item.callee), first_argument(item)
    return None if found is None or found.path not in GET_URL or name is None else query.text(name)


def _part_of_address(evaluator: Evaluator, item: Node, depth: int = 0) -> str | None:
    """Returns the part of the own address that an expression is, or None for something else."""
    item = innermost(item)
    if depth > _MAX_DEPTH:
        return None
    if _is_location(evaluator, item, depth):
        return HREF
    if isinstance(item, CallExpression):
        return _part_by_call(evaluator, item, depth)
    if isinstance(item, AccessExpression):
        part = _KEYS.get(key_of(evaluator, item) or "")
        holds = is_document(evaluator, item.object) or _is_location(evaluator, item.object, depth)
        if part is not None and (holds or (part == SCHEME and _is_own_url(evaluator, item.object, depth))):
            return part
    elif item.type not in NAMES:
        return None
    values = [each.value for each in assigned_values(evaluator, item)]
    if len(values) != 1 or values[0] is None:
        return None
    return _part_of_address(evaluator, values[0], depth + 1)


def _part_by_call(evaluator: Evaluator, call: CallExpression, depth: int) -> str | None:
    """Reads `location.toString()`, `String(location)` and `location.pathname.split("/").pop()`."""
    callee, first = call.callee, first_argument(call)
    found = evaluator.api(callee)
    if found is not None and found.path in GET_URL:
        return SCHEME
    if not isinstance(callee, AccessExpression):
        is_text = first is not None and evaluator.names.is_global(callee, {"String"})
        return _part_of_address(evaluator, first, depth + 1) if is_text and first is not None else None
    method, target = key_of(evaluator, callee), innermost(callee.object)
    if method == "toString":
        return _part_of_address(evaluator, target, depth + 1)
    if method == "pop" and isinstance(target, CallExpression):
        split = search_by(evaluator, target)
        is_split = split is not None and split[0] == "split" and text_of(evaluator.value(split[2])) == "/"
        if split is not None and is_split and _part_of_address(evaluator, split[1], depth + 1) == PATH:
            return FILE
    return None


def _is_own_url(evaluator: Evaluator, item: Node, depth: int) -> bool:
    """Whether an expression is a `URL` of a file of the extension."""
    item = innermost(item)
    first = item.arguments[0] if isinstance(item, NewExpression) and item.arguments else None
    is_url = isinstance(item, NewExpression) and evaluator.names.is_global(item.callee, {"URL"})
    return is_url and first is not None and _part_of_address(evaluator, first, depth + 1) == SCHEME


def _is_location(evaluator: Evaluator, item: Node, depth: int) -> bool:
    """Whether an expression is the global `location`, or a `URL` of it."""
    item = innermost(item)
    if isinstance(item, NewExpression):
        first = item.arguments[0] if item.arguments else None
        is_url = evaluator.names.is_global(item.callee, {"URL"}) and len(item.arguments) == 1
        return is_url and first is not None and _part_of_address(evaluator, first, depth + 1) == HREF
    if isinstance(item, AccessExpression) and key_of(evaluator, item) == "location":
        holder = evaluator.tree.source(innermost(item.object))
        return holder in {"document", "globalThis", "self", "window"}
    return evaluator.names.is_global(item, {"location"})
