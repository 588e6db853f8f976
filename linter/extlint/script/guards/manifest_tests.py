"""What a condition asks of the manifest: `getManifest().manifest_version === 3`.

A fact of this kind stands among the members that are there. It is a path behind an empty name: `manifest`,
what is asked (`===`, with `!` before it where that is not so), the value it is asked about as JSON, and the
keys that lead from the manifest to what is asked.
"""

from __future__ import annotations

import json

from extlint.script.facts.script_facts import INCLUDES, TRUE, ApiPath
from extlint.script.facts.values import Kind, Literal, Value
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, first_argument, innermost
from extlint.script.values.condition_facts import of_manifest
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

OF_MANIFEST = "manifest"

_NOTHING: frozenset[ApiPath] = frozenset()
_SAME = {"==": "==", "===": "==", "!=": "!==", "!==": "!=="}
_ORDER = frozenset({"<", "<=", ">", ">="})
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NUMBERS = frozenset({"Number", "parseInt"})


def manifest_facts(evaluator: Evaluator, item: Node, truth: bool) -> frozenset[ApiPath]:
    """What holds of the manifest if an expression has an outcome; nothing if it is no test of that."""
    match item.type:
        case "identifier" | "member_expression" | "subscript_expression":
            steps = _steps(evaluator, item)
            return _fact(TRUE, None, steps, truth) if steps else _NOTHING
        case "binary_expression":
            return _compared(evaluator, item, truth)
        case "call_expression":
            return _included(evaluator, item, truth)
    return _NOTHING


def case_facts(evaluator: Evaluator, subject: Node, case: Node, truth: bool) -> frozenset[ApiPath]:
    """What holds of the manifest if the value of a `switch` is, or is not, that of a case."""
    steps, value = _steps(evaluator, subject), case.field("value")
    known = None if value is None else _plain(evaluator.value(value))
    return _fact("==", known.value, steps, truth) if steps and known is not None else _NOTHING


def _fact(asked: str, value: object, steps: tuple[str, ...], truth: bool) -> frozenset[ApiPath]:
    name = asked if truth else f"!{asked}"
    return frozenset({("", OF_MANIFEST, name, json.dumps(value), *steps)})


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


def _compared(evaluator: Evaluator, item: Node, truth: bool) -> frozenset[ApiPath]:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return _NOTHING
    if operator.type == "in":
        name, steps = text_of(evaluator.value(left)), of_manifest(evaluator.partial(right))
        return _NOTHING if name is None or steps is None else _fact(TRUE, None, (*steps, name), truth)
    asked = _SAME.get(operator.type) or (operator.type if operator.type in _ORDER else None)
    if asked is None:
        return _NOTHING
    for subject, against, name in ((left, right, asked), (right, left, _TURNED.get(asked, asked))):
        steps = _steps(evaluator, subject)
        value = _plain(evaluator.value(against)) if steps else None
        if steps and value is not None:
            is_negated = name == "!=="
            return _fact("==" if is_negated else name, value.value, steps, truth is not is_negated)
    return _NOTHING


def _included(evaluator: Evaluator, call: Node, truth: bool) -> frozenset[ApiPath]:
    """`manifest.permissions.includes("tabs")`, where the list may be missing."""
    function, arguments = call.field("function"), arguments_of(call)
    target = None if function is None else function.field("object")
    if function is None or target is None or len(arguments) != 1:
        return _NOTHING
    if function.type != "member_expression" or key_of(evaluator, function) != "includes":
        return _NOTHING
    target = innermost(target)
    if target.type == "binary_expression" and (target.has("||") or target.has("??")):
        target = target.field("left") or target
    steps, text = _steps(evaluator, target), text_of(evaluator.value(arguments[0]))
    return _fact(INCLUDES, text, steps, truth) if steps and text is not None else _NOTHING
