"""Excludes the values that a variable cannot have at a place, by the tests of it on the way there.

In `name.startsWith("@") ? name : clean(name)`, the text between `?` and `:` begins with `@`. If the outcome
of a test is unknown for a text or number, the variable is only known to be some string or number there.

A value of another type than a test requires is unknown there: `if (typeof tab === "number") get(tab)`, or
`if (tab.id) get(tab)` if the value has no `id`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from extlint.analysis.facts.values import (
    UNKNOWN,
    ApiResult,
    ArrayValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.scope.model import Binding, Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    IfStatement,
    MemberExpression,
    SwitchStatement,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    EQUAL,
    EQUALITY,
    combined_outcome,
    conditions_of,
    exits_block,
    innermost,
    possible_exits,
    swapped,
)
from extlint.analysis.values.constants import has_no_member, truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_MAX_DEPTH = 10
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONSTANTS = frozenset({Kind.BOOLEAN, Kind.NUMBER, Kind.STRING})
_LITERALS = frozenset({"null", "string", "undefined"})
_NULLISH = frozenset({Kind.NULL, Kind.UNDEFINED})
_TEXT_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "endsWith": str.endswith,
    "includes": str.__contains__,
    "startsWith": str.startswith,
}
_TYPE_TEST = lazy(r"\bis[A-Z]\w*\Z")
_DATA = ApiResult | ArrayValue | InstanceValue | Literal | ObjectValue | Typed
_NEVER_DATA = frozenset({"function", "undefined"})


def of_required_type(evaluator: Evaluator, value: Value, read: Node, binding: Binding) -> Value:
    """Returns the value of a variable where it is read, with options unknown whose type a test excludes."""
    options = options_of(value)
    if not any(map(_is_data, options)):
        return value
    for test, outcome in tests_before(read, binding.scope):
        evaluator.tree.spend(1)
        if any(_is_between(test, write, read) for write in binding.writes):
            continue
        options = tuple(
            UNKNOWN
            if _is_data(each) and _excludes_type(evaluator, innermost(test), binding.name, each, outcome)
            else each
            for each in options
        )
    return union_of(options)


def _is_between(test: Node, write: Identifier, read: Node) -> bool:
    source = write.source
    return test.end <= write.item.start < read.start and (source is None or not source.contains(read))


def _is_data(option: Value) -> bool:
    return isinstance(option, _DATA) and not (isinstance(option, Literal) and option.kind is Kind.STRING)


def _excludes_type(
    evaluator: Evaluator, test: Node, name: str, option: Value, outcome: bool, depth: int = 0
) -> bool:
    """Whether a test cannot have an outcome if a variable has a value, because of the type of the value."""
    evaluator.tree.spend(1)
    match test:
        case UnaryExpression(operator="!") if depth < _MAX_DEPTH:
            return _excludes_type(evaluator, innermost(test.argument), name, option, not outcome, depth + 1)
        case BinaryExpression(operator="&&" | "||") if depth < _MAX_DEPTH:
            found = (
                _excludes_type(evaluator, innermost(each), name, option, outcome, depth + 1)
                for each in (test.left, test.right)
            )
            return any(found) if (test.operator == "&&") is outcome else all(found)
        case BinaryExpression(operator="instanceof"):
            return _is_variable(evaluator, test.left, name)
        case BinaryExpression(operator=token) if token in EQUALITY:
            equal = (token in EQUAL) is outcome
            required = _type_compared(evaluator, test, name)
            if required is not None:
                return _is_other_type(option, required, equal)
            return equal and any(
                _has_no_member(evaluator, innermost(subject), name, option)
                and _is_something(evaluator, against)
                for subject, against, _ in swapped(test)
            )
        case BinaryExpression(operator="<" | "<=" | ">" | ">="):
            sides = innermost(test.left), innermost(test.right)
            return outcome and any(_has_no_member(evaluator, each, name, option) for each in sides)
        case BinaryExpression(operator="in"):
            key = evaluator.text(test.left) if outcome and _is_variable(evaluator, test.right, name) else None
            return key is not None and has_no_member(option, key)
        case AccessExpression():
            return outcome and _has_no_member(evaluator, test, name, option)
        case CallExpression() if (first := test.first_argument) is not None:
            is_test = _TYPE_TEST.search(evaluator.tree.source(test.callee)) is not None
            return is_test and _is_variable(evaluator, first, name)
        case UnaryExpression(operator="typeof"):
            return _is_variable(evaluator, test.argument, name)
    return False


def _has_no_member(evaluator: Evaluator, access: Node, name: str, option: Value) -> bool:
    """Whether an expression reads a member of a variable, or a part of one, that the value does not have."""
    while isinstance(access, AccessExpression):
        owner = innermost(access.object)
        if _is_variable(evaluator, owner, name):
            key = key_of(evaluator, access)
            return key is not None and has_no_member(option, key)
        access = owner
    return False


def _is_something(evaluator: Evaluator, expression: Node) -> bool:
    value = evaluator.value(expression)
    return isinstance(value, Literal) and value.kind not in _NULLISH


def _type_compared(evaluator: Evaluator, test: BinaryExpression, name: str) -> str | None:
    """Returns the type that a comparison with `typeof name` names, or None for any other comparison."""
    for subject, against, _ in swapped(test):
        inner = innermost(subject)
        if isinstance(inner, UnaryExpression) and inner.operator == "typeof":
            text = evaluator.text(against) if _is_variable(evaluator, inner.argument, name) else None
            if text is not None:
                return text
    return None


def _is_other_type(option: Value, required: str, equal: bool) -> bool:
    """Whether a value is not of a type, or with `equal` false: is of it; or whether it may be, if unknown."""
    match option:
        case ArrayValue() | ObjectValue():
            return (required == "object") is not equal
        case Literal(kind=kind) | Typed(kind=kind):
            name = "object" if kind in {Kind.ARRAY, Kind.NULL} else kind.value
            return (required == name) is not equal
    return required != "object" if equal else required not in _NEVER_DATA


def without_excluded(evaluator: Evaluator, value: Value, read: Node, scope: Node) -> Value:
    """Returns the value of a variable of a scope where it is read, without the options that tests exclude."""
    name = evaluator.tree.source(read)
    word = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    for test, outcome in tests_before(read, scope):
        if word.search(evaluator.tree.source(test)) is not None:
            value = union_of(_possible_options(evaluator, value, innermost(test), name, outcome))
    return value


def tests_before(read: Node, scope: Node) -> Iterator[tuple[Node, bool]]:
    """Yields the conditions in a scope that decide whether a place is reached, with the required outcome."""
    child = read
    for up in read.ancestors():
        yield from conditions_of(child, up)
        if up.type in {"switch_case", "switch_default"} and not child.is_field("value"):
            switch = None if up.parent is None else up.parent.parent
            if isinstance(switch, SwitchStatement) and isinstance(innermost(switch.value), UnaryExpression):
                yield switch.value, True
        if up.type == "statement_block":
            for each in possible_exits(up):
                if each.start >= child.start:
                    break
                if isinstance(each, IfStatement) and _is_exit(each):
                    yield each.condition, False
        if up.same(scope):
            return
        child = up


def _is_exit(statement: IfStatement) -> bool:
    return statement.alternative is None and exits_block(statement.consequence)


def _possible_options(
    evaluator: Evaluator, value: Value, test: Node, name: str, outcome: bool
) -> Iterator[Value]:
    for option in options_of(value):
        found = combined_outcome(test, partial(_outcome, evaluator, name, option))
        if found is None and isinstance(option, Literal) and option.kind in (Kind.NUMBER, Kind.STRING):
            yield Typed(option.kind, option.span)
        elif found is not (not outcome):
            yield option


def _outcome(evaluator: Evaluator, name: str, option: Value, test: Node, _depth: int) -> bool | None:
    """Returns the outcome of a test if a variable has a value, or None if that is unknown."""
    evaluator.tree.spend(1)
    match test:
        case BinaryExpression(operator=token) if token in EQUALITY:
            same = _equality(evaluator, test, name, option)
            return None if same is None else same is (token in EQUAL)
        case BinaryExpression(operator=token) if token in _ORDERS:
            return _order(evaluator, test, name, option)
        case CallExpression(callee=MemberExpression() as callee) if _is_variable(
            evaluator, callee.object, name
        ):
            return _outcome_of_text_test(evaluator, test, callee, option)
    return truth(option) if _is_variable(evaluator, test, name) else None


def _equality(evaluator: Evaluator, test: BinaryExpression, name: str, option: Value) -> bool | None:
    for subject, against, _ in swapped(test):
        inner = innermost(subject)
        tested = (
            inner.argument if isinstance(inner, UnaryExpression) and inner.operator == "typeof" else inner
        )
        if not _is_variable(evaluator, tested, name) or not isinstance(option, Literal):
            continue
        expected = evaluator.value(against)
        if not isinstance(expected, Literal):
            return None
        if tested is not inner:
            return expected.value == ("object" if option.kind is Kind.NULL else option.kind.value)
        if expected.kind is option.kind and option.kind in _CONSTANTS:
            return expected.value == option.value
        is_strict = test.operator in {"===", "!=="} and expected.kind is not option.kind
        return False if is_strict or (expected.kind in _NULLISH) is not (option.kind in _NULLISH) else None
    return None


def _order(evaluator: Evaluator, test: BinaryExpression, name: str, option: Value) -> bool | None:
    """Returns the outcome of a comparison of numbers: `name > 0`."""
    is_first = _is_variable(evaluator, test.left, name)
    if not is_first and not _is_variable(evaluator, test.right, name):
        return None
    expected = evaluator.value(test.right if is_first else test.left)
    match option, expected:
        case Literal(Kind.NUMBER), Literal(Kind.NUMBER):
            pair = (option.value, expected.value) if is_first else (expected.value, option.value)
            return _ORDERS[test.operator](*pair)
    return None


def _outcome_of_text_test(
    evaluator: Evaluator, call: CallExpression, callee: MemberExpression, option: Value
) -> bool | None:
    test = _TEXT_TESTS.get(key_of(evaluator, callee) or "")
    first = call.first_argument if len(call.arguments) == 1 else None
    part = None if test is None or first is None else _constant(evaluator, first)
    match option, part:
        case Literal(Kind.STRING, str() as text), Literal(Kind.STRING, str() as piece) if test is not None:
            return test(text, piece)
    return None


def _is_variable(evaluator: Evaluator, expression: Node, name: str) -> bool:
    inner = innermost(expression)
    return inner.type == "identifier" and evaluator.tree.source(inner) == name


def _constant(evaluator: Evaluator, expression: Node) -> Value | None:
    """Returns the value of a literal; other expressions might depend on the variable."""
    inner = innermost(expression)
    return evaluator.value(inner) if inner.type in _LITERALS else None
