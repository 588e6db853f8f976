"""What a condition tells of the API: which members are there, or missing, if it holds or fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from extlint.script.answers import Answer, answers_of, given_values
from extlint.script.constants import text_of
from extlint.script.constants import truth as outcome
from extlint.script.evaluate import Evaluator
from extlint.script.facts import Guards, Path
from extlint.script.keys import key_of
from extlint.script.shape import arguments_of, innermost, parameter_items
from extlint.script.tree import FUNCTIONS, MEMBERS, Item
from extlint.values import Kind, Literal

_NOTHING: frozenset[Path] = frozenset()
_DEEPEST = 40
_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Reflect.has"})
_KEY_LISTS = frozenset({"Object.getOwnPropertyNames", "Object.keys", "Reflect.ownKeys"})
_LONGEST_OWNER = 64

Around = Callable[[Item], Guards]
"""What was tested before a place is reached."""


class Question(Struct, frozen=True):
    """What is asked of a condition: what it tells if it is (or is not) `truth`.

    With `present` the members that are there are asked for, else those that are missing. `given` are
    the texts that the call of a function that tests gives to its parameters, by name.
    """

    evaluator: Evaluator
    around: Around
    truth: bool
    present: bool
    given: Mapping[str, str] = {}
    depth: int = 0


def implied(ask: Question, condition: Item) -> frozenset[Path]:
    """The members that are there (or, not `present`, are missing) if a condition has an outcome."""
    if ask.depth > _DEEPEST:
        return _NOTHING
    item = innermost(condition)
    ask.evaluator.tree.spend(1)
    match item.type:
        case "await_expression":
            return _inner(ask, item.first(), ask.truth)
        case "sequence_expression":
            return _inner(ask, item.named()[-1], ask.truth)
        case "unary_expression" if item.has("!"):
            return _inner(ask, item.field("argument"), not ask.truth)
        case "ternary_expression":
            return _ternary(ask, item)
        case "binary_expression":
            return _binary(ask, item)
        case "assignment_expression":
            return _inner(ask, item.field("right"), ask.truth)
        case "call_expression":
            return _call(ask, item)
    member = _member(ask, item)
    if member:
        return member if ask.truth is ask.present else _NOTHING
    if item.type == "identifier" or item.type in MEMBERS:
        told = _told_once(ask, item, given_values)
        return told | _holder(ask, item) if ask.truth is ask.present else told
    return _NOTHING


def holder_of(evaluator: Evaluator, item: Item) -> Path | None:
    """A variable, or a property by its name, in the form of a path that no member of the API has.

    A test of it tells that whatever it holds is there, if it is not known what that is.
    """
    if item.type == "identifier":
        binding = evaluator.names.variable(item)
        if binding is None or not binding.declarations:
            return None
        return "", f"{binding.declarations[0].item.start}"
    name = key_of(evaluator, item) if item.type in MEMBERS else None
    return None if name is None else ("", f".{name}")


def _holder(ask: Question, item: Item) -> frozenset[Path]:
    found = holder_of(ask.evaluator, item)
    return _NOTHING if found is None else frozenset({found})


def _held(ask: Question, item: Item) -> frozenset[Path]:
    """The member that an expression is, or what holds some member."""
    return _member(ask, item) or _holder(ask, item)


def _inner(ask: Question, inner: Item | None, truth: bool) -> frozenset[Path]:
    return _NOTHING if inner is None else implied(replace(ask, truth=truth, depth=ask.depth + 1), inner)


def _told_once(
    ask: Question, item: Item, find: Callable[[Evaluator, Item], Iterable[Answer]]
) -> frozenset[Path]:
    """What the answers that are found for a node tell; what was told before is not asked again.

    A question inside itself tells nothing. One that was asked deeper down may have been cut short.
    """
    key = (item.id, ask.truth, ask.present, tuple(sorted(ask.given.items())))
    depth, told = ask.evaluator.tests.get(key, (_DEEPEST + 1, _NOTHING))
    if depth > ask.depth:
        ask.evaluator.tests[key] = (ask.depth, _NOTHING)
        told = _told_by(ask, find(ask.evaluator, item))
        ask.evaluator.tests[key] = (ask.depth, told)
    return told


def _told_by(ask: Question, answers: Iterable[Answer]) -> frozenset[Path]:
    """What holds whichever of several expressions the condition was, those of another outcome aside."""
    found: list[frozenset[Path]] = []
    for each in answers:
        if each.value is None or outcome(ask.evaluator.value(each.value)) is (not ask.truth):
            continue
        told = _inner(ask, each.value, ask.truth)
        if each.place is not None and outcome(ask.evaluator.value(each.value)) is not None:
            guards = ask.around(each.place)
            told |= guards.tested if ask.present else guards.missing
        if not told:
            return _NOTHING
        found.append(told)
    return frozenset.intersection(*found) if found else _NOTHING


def _ternary(ask: Question, item: Item) -> frozenset[Path]:
    condition = item.field("condition")
    found = []
    for branch, truth in ((item.field("consequence"), True), (item.field("alternative"), False)):
        if branch is not None and outcome(ask.evaluator.value(branch)) is not (not ask.truth):
            found.append(_inner(ask, condition, truth) | _inner(ask, branch, ask.truth))
    return frozenset.intersection(*found) if found else _NOTHING


def _call(ask: Question, call: Item) -> frozenset[Path]:
    inner = boolean_argument(ask.evaluator, call)
    if inner is not None:
        return _inner(ask, inner, ask.truth)
    owned = _asked_for(ask, call)
    if owned is not None:
        return owned if ask.truth is ask.present else _NOTHING
    function = call.field("function")
    definition = None if function is None else ask.evaluator.definition(ask.evaluator.value(function))
    if definition is None or definition.type not in FUNCTIONS:
        return _NOTHING
    ask = replace(ask, given=_texts_given(ask.evaluator, call, definition))
    return _told_once(ask, definition, answers_of)


def _texts_given(evaluator: Evaluator, call: Item, definition: Item) -> dict[str, str]:
    arguments = arguments_of(call)
    texts = {}
    for parameter, argument in zip(parameter_items(definition), arguments, strict=False):
        text = text_of(evaluator.value(argument))
        if text is not None:
            texts[evaluator.tree.source(parameter.field("pattern") or parameter)] = text
    return texts


def case_implies(ask: Question, case: Item) -> frozenset[Path]:
    """The members that are there in a case of `switch (typeof api.x)` or of `switch (true)`."""
    switch = case.parent.parent if case.parent is not None else None
    subject, value = (None if switch is None else switch.field("value")), case.field("value")
    if subject is None or value is None:
        return _NOTHING
    if outcome(ask.evaluator.value(subject)):
        return implied(ask, value)
    subject = innermost(subject)
    inner = (
        subject.field("argument") if subject.type == "unary_expression" and subject.has("typeof") else None
    )
    if inner is None or text_of(ask.evaluator.value(value)) in {None, "undefined"}:
        return _NOTHING
    return _held(ask, innermost(inner))


def _member(ask: Question, item: Item) -> frozenset[Path]:
    found = ask.evaluator.api(item)
    if found is not None and found.path:
        return frozenset({found.path})
    target, index = item.field("object"), item.field("index")
    if item.type == "subscript_expression" and target is not None and index is not None:
        return _in(ask, index, target)
    return _NOTHING


def _binary(ask: Question, item: Item) -> frozenset[Path]:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return _NOTHING
    if operator.type in {"&&", "||", "??"}:
        first, second = _inner(ask, left, ask.truth), _inner(ask, right, ask.truth)
        if (operator.type == "&&") is ask.truth:
            return first | second
        for side, other in ((left, second), (right, first)):
            if outcome(ask.evaluator.value(side)) is (not ask.truth):
                return other
        return first & second
    if operator.type == "in":
        return _in(ask, left, right) if ask.truth is ask.present else _NOTHING
    if operator.type in {"==", "===", "!=", "!=="}:
        same = operator.type in {"==", "==="}
        for subject, against in ((left, right), (right, left)):
            found = _compared(ask, subject, against, same is ask.truth)
            if found is not None:
                path, is_there = found
                return path if is_there is ask.present else _NOTHING
    if operator.type in {"<", ">"}:
        for subject, against, says_there in ((left, right, "<"), (right, left, ">")):
            path = _shortened_typeof(ask, subject, against)
            if path:
                is_there = (operator.type == says_there) is ask.truth
                return path if is_there is ask.present else _NOTHING
    if operator.type == "instanceof" and ask.truth and ask.present:
        return _held(ask, innermost(left))
    return _NOTHING


def _shortened_typeof(ask: Question, subject: Item, against: Item) -> frozenset[Path]:
    """The member of `typeof x < "u"`, as minifiers write that it is not undefined."""
    subject = innermost(subject)
    inner = (
        subject.field("argument") if subject.type == "unary_expression" and subject.has("typeof") else None
    )
    if inner is None or text_of(ask.evaluator.value(against)) != "u":
        return _NOTHING
    return _held(ask, innermost(inner))


def _in(ask: Question, left: Item, right: Item) -> frozenset[Path]:
    owner, name = ask.evaluator.api(right), text_of(ask.evaluator.value(left))
    if left.type == "identifier":
        name = ask.given.get(ask.evaluator.tree.source(left), name)
    return _NOTHING if owner is None or name is None else frozenset({(*owner.path, name)})


def _asked_for(ask: Question, call: Item) -> frozenset[Path] | None:
    """The member that a call asks for.

    `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")`, `Reflect.has(x, "y")`, `Object.keys(x).includes("y")`.
    """
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "member_expression":
        return None
    owner, method, arguments = function.field("object"), key_of(ask.evaluator, function), listed.named()
    if owner is None:
        return None
    if method == "hasOwnProperty" and len(arguments) == 1:
        return _in(ask, arguments[0], owner)
    if method == "call" and owner.type == "member_expression" and len(arguments) == 2:
        return _in(ask, arguments[1], arguments[0]) if _is_ownership_test(ask, owner) else None
    if method == "includes" and owner.type == "call_expression" and len(arguments) == 1:
        lister, of = owner.field("function"), owner.field("arguments")
        if lister is not None and of is not None and _named(ask, lister) in _KEY_LISTS and of.first():
            return _in(ask, arguments[0], of.named()[0])
    if _named(ask, function) in _OWNERSHIP_TESTS and len(arguments) == 2:
        return _in(ask, arguments[1], arguments[0])
    return None


def _is_ownership_test(ask: Question, function: Item) -> bool:
    return key_of(ask.evaluator, function) == "hasOwnProperty"


def _named(ask: Question, function: Item) -> str:
    return ask.evaluator.tree.source(function) if function.end - function.start < _LONGEST_OWNER else ""


def _compared(
    ask: Question, subject: Item, against: Item, equal: bool
) -> tuple[frozenset[Path], bool] | None:
    """The member that a comparison tells of, and whether it is there."""
    subject, value = innermost(subject), ask.evaluator.value(against)
    if not isinstance(value, Literal):
        return None
    if subject.type == "unary_expression" and subject.has("typeof"):
        inner = subject.field("argument")
        path = _NOTHING if inner is None else _held(ask, innermost(inner))
        if not path or value.kind is not Kind.STRING:
            return None
        if value.value == "undefined":
            return path, not equal
        return (path, True) if equal else None
    if value.kind in {Kind.NULL, Kind.UNDEFINED}:
        path = _held(ask, subject)
        return (path, not equal) if path else None
    if value.kind is Kind.BOOLEAN:
        path = _inner(replace(ask, present=True), subject, bool(value.value) is equal)
        return (path, True) if path else None
    return None


def boolean_argument(evaluator: Evaluator, call: Item) -> Item | None:
    """The `x` of `Boolean(x)`."""
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "identifier":
        return None
    return listed.first() if evaluator.tree.source(function) == "Boolean" else None
