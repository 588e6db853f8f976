"""Tests of the manifest: `runtime.getManifest().manifest_version === 3`.

A fact about the manifest has, after `MANIFEST`, the operator (`==`, prefixed with `!` if the test fails),
the value that the manifest is compared with, as JSON, and the keys that lead to the compared value.
"""

from __future__ import annotations

import json

from extlint.analysis.bundles.chunks import is_chunk
from extlint.analysis.facts.script_facts import INCLUDES, TRUE
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, Value
from extlint.analysis.guards.forms.comparisons import is_position, search_by
from extlint.analysis.guards.forms.facts import MANIFEST, NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression, CallExpression
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, SWAPPED, innermost, swapped
from extlint.analysis.values.api_results import MANIFEST as MANIFEST_GETTER
from extlint.analysis.values.condition_values import manifest_path_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import without_options
from extlint.text.patterns import lazy_word
from extlint.text.positions import encode_name

_NO_KEYWORD = rb"\w$.@\-\"'"
_IMPORTING = tuple(lazy_word(each, _NO_KEYWORD, rb"\w$") for each in (b"import", b"require"))


@once_per_script
def may_hold_foreign_values(evaluator: Evaluator) -> bool:
    """Whether anything but a tested global may have a value that another script assigned.

    Most bundles import nothing: everything that would come from elsewhere is a part of them.
    """
    shared, text = evaluator.shared, evaluator.tree.text
    return bool(
        shared.values or shared.parameters or any(each.search(text) for each in _IMPORTING) or is_chunk(text)
    )


_NUMBERS = frozenset({"Number", "parseInt"})
_INCLUDES, _POSITIONS = frozenset({"includes"}), frozenset({"indexOf", "lastIndexOf"})
_PLAIN = frozenset({Kind.BOOLEAN, Kind.NUMBER, Kind.STRING})


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """Returns the facts about the manifest if an expression has an outcome.

    Returns None if it does not test the manifest.
    """
    if not _may_have_manifest(query.evaluator):
        return None
    found = _implied(query.evaluator, item, query.outcome)
    if not found:
        return None
    return found if query.present else NOTHING_IMPLIED


@once_per_script
def _may_have_manifest(evaluator: Evaluator) -> bool:
    """Whether a script may read the manifest, or receive it from another one."""
    return encode_name(MANIFEST_GETTER[-1]) in evaluator.tree.text or may_hold_foreign_values(evaluator)


def _implied(evaluator: Evaluator, item: Node, outcome: bool) -> Facts:
    match item:
        case BinaryExpression():
            return _implied_by_comparison(evaluator, item, outcome)
        case CallExpression():
            return _implied_by_search(evaluator, item, _INCLUDES, outcome)
        case AccessExpression() | Node(type="identifier"):
            steps = _manifest_keys(evaluator, item)
            return _fact(TRUE, None, steps, outcome) if steps else NOTHING_IMPLIED
    return NOTHING_IMPLIED


def implied_by_case(evaluator: Evaluator, subject: Node, value: Node, outcome: bool) -> Facts:
    """Returns the facts about the manifest if the value of a `switch` is, or is not, that of a case."""
    if not _may_have_manifest(evaluator):
        return NOTHING_IMPLIED
    steps, known = _manifest_keys(evaluator, subject), _plain(evaluator.value(value))
    return _fact("==", known.value, steps, outcome) if steps and known is not None else NOTHING_IMPLIED


def _fact(operator: str, value: object, steps: tuple[str, ...], outcome: bool) -> Facts:
    name = operator if outcome else f"!{operator}"
    return frozenset({("", MANIFEST, name, json.dumps(value), *steps)})


def _manifest_keys(evaluator: Evaluator, item: Node) -> tuple[str, ...] | None:
    """Returns the keys from the manifest to an expression, even if converted to a number, or None."""
    item = innermost(item)
    if isinstance(item, CallExpression) and evaluator.tree.source(item.callee) in _NUMBERS:
        inner = item.first_argument
        return None if inner is None else _manifest_keys(evaluator, inner)
    if item.type != "identifier" and not isinstance(
        item, CallExpression | AccessExpression | BinaryExpression
    ):
        return None
    value = without_options(evaluator.partial(item), _is_empty_list)
    return manifest_path_of(value) or None


def _is_empty_list(value: Value) -> bool:
    """Whether a value is the list that replaces a missing list of the manifest."""
    return isinstance(value, ArrayValue) and not value.items and not value.open


def _plain(value: Value) -> Literal | None:
    return value if isinstance(value, Literal) and value.kind in _PLAIN else None


def _implied_by_comparison(evaluator: Evaluator, expression: BinaryExpression, outcome: bool) -> Facts:
    operator = expression.operator
    if operator == "in":
        name = evaluator.text(expression.left)
        keys = manifest_path_of(evaluator.partial(expression.right))
        return NOTHING_IMPLIED if name is None or keys is None else _fact(TRUE, None, (*keys, name), outcome)
    for subject, against, is_swapped in swapped(expression):
        steps = _manifest_keys(evaluator, subject)
        value = _plain(evaluator.value(against)) if steps else None
        if steps and value is not None:
            if operator in EQUALITY:
                return _fact("==", value.value, steps, outcome is (operator in EQUAL))
            return _fact(SWAPPED[operator] if is_swapped else operator, value.value, steps, outcome)
        found = is_position(evaluator, expression, against, is_swapped)
        if found is not None and isinstance(subject, CallExpression):
            return _implied_by_search(evaluator, subject, _POSITIONS, outcome is found)
    return NOTHING_IMPLIED


def _implied_by_search(
    evaluator: Evaluator, call: CallExpression, methods: frozenset[str], outcome: bool
) -> Facts:
    """Returns the facts implied by `manifest.permissions.includes("tabs")`, where the list may be missing."""
    found = search_by(evaluator, call)
    if found is None or found[0] not in methods:
        return NOTHING_IMPLIED
    steps, text = _manifest_keys(evaluator, found[1]), evaluator.text(found[2])
    return _fact(INCLUDES, text, steps, outcome) if steps and text is not None else NOTHING_IMPLIED
