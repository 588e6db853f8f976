"""What a condition tells of the API: which members are there, or missing, if it holds or fails."""

from __future__ import annotations

from extlint.script.constants import text_of
from extlint.script.constants import truth as outcome
from extlint.script.evaluate import Evaluator
from extlint.script.facts import Path
from extlint.script.functions import WRAPPERS, return_values
from extlint.script.keys import key_of
from extlint.script.names import Role
from extlint.script.tree import FUNCTIONS, Item
from extlint.values import Kind, Literal

_NOTHING: frozenset[Path] = frozenset()
_DEEPEST = 40
_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Object.prototype.hasOwnProperty.call", "Reflect.has"})
_LONGEST_OWNER = 64


def implied(
    evaluator: Evaluator, condition: Item, truth: bool, *, present: bool, depth: int = 0
) -> frozenset[Path]:
    """The members that are there (or, not `present`, are missing) if a condition has an outcome."""
    if depth > _DEEPEST:
        return _NOTHING
    item = _unwrapped(condition)
    evaluator.tree.spend(1)
    match item.type:
        case "await_expression":
            inner = item.first()
            return (
                _NOTHING
                if inner is None
                else implied(evaluator, inner, truth, present=present, depth=depth + 1)
            )
        case "unary_expression" if item.has("!"):
            inner = item.field("argument")
            return (
                _NOTHING
                if inner is None
                else implied(evaluator, inner, not truth, present=present, depth=depth + 1)
            )
        case "binary_expression":
            return _binary(evaluator, item, truth, present, depth)
        case "call_expression":
            inner = boolean_argument(evaluator, item)
            if inner is not None:
                return implied(evaluator, inner, truth, present=present, depth=depth + 1)
            owned = _asked_for(evaluator, item)
            if owned is not None:
                return owned if truth is present else _NOTHING
            return _answered(evaluator, item, truth, present, depth)
        case "identifier":
            constant = _constant(evaluator, item)
            if constant is not None:
                return implied(evaluator, constant, truth, present=present, depth=depth + 1)
    return _member(evaluator, item) if truth is present else _NOTHING


def _answered(evaluator: Evaluator, call: Item, truth: bool, present: bool, depth: int) -> frozenset[Path]:
    """What it tells that a function of the script answers so (`function has() { return !!browser.x }`)."""
    function = call.field("function")
    definition = None if function is None else evaluator.definition(evaluator.value(function))
    body = definition.field("body") if definition is not None and definition.type in FUNCTIONS else None
    if body is None:
        return _NOTHING
    found = [body] if body.type != "statement_block" else return_values(evaluator, body) or []
    answers = [
        implied(evaluator, each, truth, present=present, depth=depth + 1)
        for each in found
        if each is not None and outcome(evaluator.value(each)) is not (not truth)
    ]
    return frozenset.intersection(*answers) if answers else _NOTHING


def case_implies(evaluator: Evaluator, case: Item) -> frozenset[Path]:
    """The members that are there in a case of `switch (typeof api.x)` or of `switch (true)`."""
    switch = case.parent.parent if case.parent is not None else None
    subject, value = (None if switch is None else switch.field("value")), case.field("value")
    if subject is None or value is None:
        return _NOTHING
    if outcome(evaluator.value(subject)):
        return implied(evaluator, value, True, present=True)
    subject = _unwrapped(subject)
    inner = (
        subject.field("argument") if subject.type == "unary_expression" and subject.has("typeof") else None
    )
    if inner is None or text_of(evaluator.value(value)) in {None, "undefined"}:
        return _NOTHING
    return _member(evaluator, _unwrapped(inner))


def _member(evaluator: Evaluator, item: Item) -> frozenset[Path]:
    found = evaluator.api(item)
    return frozenset({found.path}) if found is not None and found.path else _NOTHING


def _binary(evaluator: Evaluator, item: Item, truth: bool, present: bool, depth: int) -> frozenset[Path]:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return _NOTHING
    if operator.type in {"&&", "||", "??"}:
        first = implied(evaluator, left, truth, present=present, depth=depth + 1)
        second = implied(evaluator, right, truth, present=present, depth=depth + 1)
        if (operator.type == "&&") is truth:
            return first | second
        for side, other in ((left, second), (right, first)):
            if outcome(evaluator.value(side)) is (not truth):
                return other
        return first & second
    if operator.type == "in":
        return _in(evaluator, left, right) if truth is present else _NOTHING
    if operator.type in {"==", "===", "!=", "!=="}:
        same = operator.type in {"==", "==="}
        for subject, against in ((left, right), (right, left)):
            found = _compared(evaluator, subject, against, same is truth)
            if found is not None:
                path, is_there = found
                return path if is_there is present else _NOTHING
    if operator.type == "instanceof" and truth and present:
        return _member(evaluator, _unwrapped(left))
    return _NOTHING


def _in(evaluator: Evaluator, left: Item, right: Item) -> frozenset[Path]:
    owner, name = evaluator.api(right), text_of(evaluator.value(left))
    return _NOTHING if owner is None or name is None else frozenset({(*owner.path, name)})


def _asked_for(evaluator: Evaluator, call: Item) -> frozenset[Path] | None:
    """The member that `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")` or `Reflect.has(x, "y")` asks for."""
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "member_expression":
        return None
    owner, method, arguments = function.field("object"), key_of(evaluator, function), listed.named()
    if owner is None:
        return None
    if method == "hasOwnProperty" and len(arguments) == 1:
        return _in(evaluator, arguments[0], owner)
    called = f"{evaluator.tree.source(owner)}.{method}" if owner.end - owner.start < _LONGEST_OWNER else ""
    if called in _OWNERSHIP_TESTS and len(arguments) == 2:
        return _in(evaluator, arguments[1], arguments[0])
    return None


def _compared(
    evaluator: Evaluator, subject: Item, against: Item, equal: bool
) -> tuple[frozenset[Path], bool] | None:
    """The member that a comparison tells of, and whether it is there."""
    subject, value = _unwrapped(subject), evaluator.value(against)
    if not isinstance(value, Literal):
        return None
    if subject.type == "unary_expression" and subject.has("typeof"):
        inner = subject.field("argument")
        path = _NOTHING if inner is None else _member(evaluator, _unwrapped(inner))
        if not path or value.kind is not Kind.STRING:
            return None
        if value.value == "undefined":
            return path, not equal
        return (path, True) if equal else None
    if value.kind in {Kind.NULL, Kind.UNDEFINED}:
        path = _member(evaluator, subject)
        return (path, not equal) if path else None
    if value.kind is Kind.BOOLEAN:
        outcome = bool(value.value) is equal
        path = implied(evaluator, subject, outcome, present=True)
        return (path, True) if path else None
    return None


def _constant(evaluator: Evaluator, item: Item) -> Item | None:
    """The condition that a `const` with a name for it stands for (`const hasTest = !!browser.test`)."""
    binding = evaluator.names.variable(item)
    if binding is None or len(binding.declarations) != 1:
        return None
    declared = binding.declarations[0]
    if declared.kind not in {"let", "var"} or declared.source is None:
        return None
    if any(use.role is Role.WRITE for use in binding.uses):
        return None
    name, value = declared.source.field("name"), declared.source.field("value")
    if name is None or value is None or name.type != "identifier":
        return None
    return (
        value
        if _unwrapped(value).type in {"binary_expression", "call_expression", "unary_expression"}
        else None
    )


def boolean_argument(evaluator: Evaluator, call: Item) -> Item | None:
    """The `x` of `Boolean(x)`."""
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "identifier":
        return None
    return listed.first() if evaluator.tree.source(function) == "Boolean" else None


def _unwrapped(item: Item) -> Item:
    while item.type in WRAPPERS:
        inner = item.first()
        if inner is None:
            return item
        item = inner
    return item
