"""The forms of test that a condition may have, in the order in which they are tried.

Forms that are not listed here are ignored, and so are nodes whose type is not in the form's `kinds`.
Syntax that combines conditions (`!`, `&&`, `?:`) or refers to one (a variable, a function) is not a form:
`extlint.analysis.guards.conditions` reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.guards.forms import (
    comparisons,
    manifest,
    members,
    own_address,
    page_address,
    permissions,
    user_agent,
)
from extlint.analysis.guards.forms.facts import ConditionQuery, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.shapes import EQUALITY, ORDER
from extlint.analysis.values.evaluator import Evaluator

Implied: TypeAlias = Callable[[ConditionQuery, Node], Facts | None]
"""Returns the implications of a test for the outcome of the query, or None for any other form of
expression.
"""

OnlyTests: TypeAlias = Callable[[Evaluator, Node, Node], bool]
"""Whether an operand (the first node) is read only for a test (the second one, its parent)."""

CALL = ("call_expression",)
IN = ("in",)
NAMES = ("identifier", "member_expression", "subscript_expression")


class Form(Struct, frozen=True):
    """A form of test: an example, the expressions that may have it, and its implications.

    `kinds` are types of syntax nodes; a binary expression is identified by its operator. `only_tests` is for
    forms that read a member of the API to test it, which does not count as a use of the member.
    """

    example: str
    kinds: Iterable[str]
    implied: Implied
    only_tests: OnlyTests | None = None


FORMS = (
    Form(
        "browser.runtime.getManifest().manifest_version === 3",
        {*NAMES, *CALL, *IN, *EQUALITY, *ORDER},
        manifest.implied,
    ),
    Form(
        'navigator.userAgent.includes("Firefox")',
        {*CALL, *EQUALITY, *ORDER, "unary_expression"},
        user_agent.implied,
    ),
    Form('location.protocol !== "https:"', {*CALL, *EQUALITY, *ORDER}, page_address.implied),
    Form(
        'location.pathname === "/popup.html"',
        {*CALL, *EQUALITY, *ORDER, "unary_expression"},
        own_address.implied,
    ),
    Form('"management" in browser', IN, members.implied_by_in),
    Form('Object.hasOwn(browser, "management")', CALL, members.implied_by_call),
    Form(
        'typeof browser.management !== "undefined"',
        {*EQUALITY, "<", ">"},
        comparisons.implied_by_typeof,
        comparisons.only_compares_type,
    ),
    Form(
        "browser.management !== undefined",
        EQUALITY,
        comparisons.implied_by_null,
        comparisons.only_compares_with_null,
    ),
    Form(
        "browser.management instanceof Object",
        {"instanceof", *EQUALITY},
        comparisons.implied_by_class,
        comparisons.only_tests_class,
    ),
    Form('await browser.permissions.contains({permissions: ["tabs"]})', CALL, permissions.implied),
    Form("isTested === true", EQUALITY, comparisons.implied_by_comparison),
    Form("Boolean(isTested)", CALL, comparisons.implied_by_call, comparisons.only_converts),
    Form(
        "_.isFunction(browser.management.getAll)",
        CALL,
        comparisons.implied_by_predicate,
        comparisons.only_calls_predicate,
    ),
)


def _by_kind() -> dict[str, Sequence[Implied]]:
    found: dict[str, list[Implied]] = defaultdict(list)
    for form in FORMS:
        for kind in form.kinds:
            found[kind].append(form.implied)
    return dict(found)


_IMPLIED_BY_KIND = _by_kind()
_ONLY_TESTS = tuple(form.only_tests for form in FORMS if form.only_tests is not None)


def implied_by_form(query: ConditionQuery, expression: Node, kind: str) -> Facts | None:
    """Returns the implications of a test of a listed form.

    Returns None if the expression, which is of a kind, has no such form.
    """
    for implied in _IMPLIED_BY_KIND.get(kind, ()):
        found = implied(query, expression)
        if found is not None:
            return found
    return None


def is_only_operand(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an expression is read only for a test of a listed form, which is its parent."""
    return any(only_tests(evaluator, operand, parent) for only_tests in _ONLY_TESTS)
