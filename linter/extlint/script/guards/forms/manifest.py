"""Tests of the manifest: `runtime.getManifest().manifest_version === 3`.

A fact about the manifest has, after `MANIFEST`, the operator (`==`, with `!` before it where the test fails),
the value that the manifest is compared with, as JSON, and the keys that lead to what is compared.
"""

from __future__ import annotations

import json

from extlint.script.facts.script_facts import INCLUDES, TRUE
from extlint.script.facts.values import Kind, Literal, Value
from extlint.script.guards.forms.comparisons import ORDER, SWAPPED
from extlint.script.guards.forms.facts import MANIFEST, NOTHING_IMPLIED, Facts
from extlint.script.guards.forms.query import ConditionQuery
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, first_argument, innermost
from extlint.script.values.condition_facts import of_manifest
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

_SAME = {"==": "==", "===": "==", "!=": "!==", "!==": "!=="}
_NUMBERS = frozenset({"Number", "parseInt"})


def implied(query: ConditionQuery, item: Node) -> Facts | None:
    """What holds of the manifest if an expression has an outcome; None if it is no test of that."""
    found = _implied(query.evaluator, item, query.outcome)
    if not found:
        return None
    return found if query.present else NOTHING_IMPLIED


def _implied(evaluator: Evaluator, item: Node, outcome: bool) -> Facts:
    match item.type:
        case "identifier" | "member_expression" | "subscript_expression":
            steps = _steps(evaluator, item)
            return _fact(TRUE, None, steps, outcome) if steps else NOTHING_IMPLIED
        case "binary_expression":
            return _compared(evaluator, item, outcome)
        case "call_expression":
            return _included(evaluator, item, outcome)
    return NOTHING_IMPLIED


def implied_by_case(evaluator: Evaluator, subject: Node, case: Node, outcome: bool) -> Facts:
    """What holds of the manifest if the value of a `switch` is, or is not, that of a case."""
    steps, value = _steps(evaluator, subject), case.field("value")
    known = None if value is None else _plain(evaluator.value(value))
    return _fact("==", known.value, steps, outcome) if steps and known is not None else NOTHING_IMPLIED


def _fact(operator: str, value: object, steps: tuple[str, ...], outcome: bool) -> Facts:
    name = operator if outcome else f"!{operator}"
    return frozenset({("", MANIFEST, name, json.dumps(value), *steps)})


def _steps(evaluator: Evaluator, item: Node) -> tuple[str, ...] | None:
    """The keys that lead from the manifest to an expression, also one that is made a number."""
    item = innermost(item)
    if item.type == "call_expression":
        function, inner = item.field("function"), first_argument(item)
        is_number = function is not None and evaluator.tree.source(function) in _NUMBERS
        if is_number:
            return None if inner is None else _steps(evaluator, inner)
    if item.type not in {"call_expression", "identifier"} and item.type not in MEMBERS:
        return None
    return of_manifest(evaluator.partial(item)) or None


def _plain(value: Value) -> Literal | None:
    is_plain = isinstance(value, Literal) and value.kind in {Kind.BOOLEAN, Kind.NUMBER, Kind.STRING}
    return value if isinstance(value, Literal) and is_plain else None


def _compared(evaluator: Evaluator, item: Node, outcome: bool) -> Facts:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return NOTHING_IMPLIED
    if operator.type == "in":
        name, keys = text_of(evaluator.value(left)), of_manifest(evaluator.partial(right))
        return NOTHING_IMPLIED if name is None or keys is None else _fact(TRUE, None, (*keys, name), outcome)
    written = _SAME.get(operator.type) or (operator.type if operator.type in ORDER else None)
    if written is None:
        return NOTHING_IMPLIED
    for subject, against, name in ((left, right, written), (right, left, SWAPPED.get(written, written))):
        steps = _steps(evaluator, subject)
        value = _plain(evaluator.value(against)) if steps else None
        if steps and value is not None:
            is_negated = name == "!=="
            return _fact("==" if is_negated else name, value.value, steps, outcome is not is_negated)
    return NOTHING_IMPLIED


def _included(evaluator: Evaluator, call: Node, outcome: bool) -> Facts:
    """`manifest.permissions.includes("tabs")`, where the list may be missing."""
    function, arguments = call.field("function"), arguments_of(call)
    target = None if function is None else function.field("object")
    if function is None or target is None or len(arguments) != 1:
        return NOTHING_IMPLIED
    if function.type != "member_expression" or key_of(evaluator, function) != "includes":
        return NOTHING_IMPLIED
    target = innermost(target)
    if target.type == "binary_expression" and (target.has("||") or target.has("??")):
        target = target.field("left") or target
    steps, text = _steps(evaluator, target), text_of(evaluator.value(arguments[0]))
    return _fact(INCLUDES, text, steps, outcome) if steps and text is not None else NOTHING_IMPLIED
