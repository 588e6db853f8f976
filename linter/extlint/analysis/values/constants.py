"""Values of literals, the truth of values, operators, and the members of built-in objects."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from extlint.analysis.facts.values import (
    OBJECT_MEMBERS,
    UNKNOWN,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    options_of,
    text_with,
    union_of,
)
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.syntax.tree import SyntaxTree

_ESCAPE = lazy(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|\r\n|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r": "", "\r\n": ""}
_SIMPLE |= {"\u2028": "", "\u2029": ""}
MAX_STRING_LENGTH = 100_000
"""The length in code points above which only the type of a string is known."""


def unescape(text: str) -> str:
    """Returns the string value of a string literal's or template's content."""
    if "\\" not in text:
        return text
    joined = _ESCAPE.sub(lambda found: _escaped(found[1]), text)
    return joined.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _escaped(escape: str) -> str:
    if escape in _SIMPLE:
        return _SIMPLE[escape]
    if escape[0] in "ux" and len(escape) > 1:
        code = int(escape[1:].strip("{}"), 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return escape


def string_value(raw: str, span: ByteSpan) -> Value:
    """Returns the value of a quoted string."""
    if len(raw) > MAX_STRING_LENGTH:
        return Typed(Kind.STRING, span)
    return Literal(Kind.STRING, unescape(raw[1:-1]), span)


def number_value(raw: str, span: ByteSpan) -> Value:
    """Returns the value of a number or bigint."""
    digits = raw.replace("_", "").lower()
    if len(digits) > 400:
        return Typed(Kind.NUMBER, span)
    try:
        if digits.endswith("n") and not digits.startswith("0x"):
            return Literal(Kind.BIGINT, int(digits[:-1], 0), span)
        if digits.startswith("0x") and digits.endswith("n"):
            return Literal(Kind.BIGINT, int(digits[:-1], 16), span)
        if digits[:2] in {"0x", "0b", "0o"}:
            return Literal(Kind.NUMBER, float(int(digits, 0)), span)
        if re.fullmatch(r"0[0-7]+", digits):
            return Literal(Kind.NUMBER, float(int(digits, 8)), span)
        return Literal(Kind.NUMBER, float(digits), span)
    except (ValueError, OverflowError):
        return Typed(Kind.NUMBER, span)


_OF_BUILD = {
    "import.meta.env.DEV": False,
    "import.meta.env.PROD": True,
    "import.meta.hot": False,
    "__DEV__": False,
}
"""The values of the constants that say whether a package is built for users."""

_MODES = {
    "import.meta.env.MODE": frozenset[str](),
    "process.env.NODE_ENV": frozenset({"production"}),
}
"""The constants with the name of a mode, each with those in which a package is built for users.

A project may have modes of its own, such as one for each browser.
"""

_OTHER_MODES = frozenset({"dev", "development", "test"})


def build_constant(tree: SyntaxTree, expression: Node) -> Literal | None:
    """Returns the value that a build for users gives an expression, or None if it is not such a constant."""
    if expression.end - expression.start > len("process.env.NODE_ENV"):
        return None
    found = _OF_BUILD.get(tree.source(expression))
    return None if found is None else Literal(Kind.BOOLEAN, found)


def is_build_mode(tree: SyntaxTree, expression: Node, name: object) -> bool | None:
    """Returns whether an expression equals a name in a build for users, or None if that is not known."""
    if expression.end - expression.start > len("process.env.NODE_ENV"):
        return None
    names = _MODES.get(tree.source(expression))
    if names is None or name not in names | _OTHER_MODES:
        return None
    return name in names


def truth(value: Value) -> bool | None:
    """Whether a value is truthy in a condition, or None if unknown.

    The extension API's own objects may not exist, so their truth is unknown as well.
    """
    match value:
        case Literal(Kind.NUMBER, float() as amount):
            return amount != 0 and not math.isnan(amount)
        case Literal(_, content):
            return bool(content)
        case Typed(Kind.SYMBOL | Kind.ARRAY | Kind.FUNCTION | Kind.OBJECT):
            return True
        case ArrayValue() | FunctionValue() | InstanceValue() | ObjectValue():
            return True
    return None


def text_of(value: Value) -> str | None:
    """Returns the string that a known primitive becomes in a template or as a key, or None if unknown."""
    match value:
        case Literal(Kind.STRING, str() as text):
            return text
        case Literal(Kind.NUMBER, float() as amount) if amount.is_integer() and abs(amount) < 1e15:
            return str(int(amount))
        case Literal(Kind.BOOLEAN, truthy):
            return "true" if truthy else "false"
        case Literal(Kind.NULL):
            return "null"
        case Literal(Kind.UNDEFINED):
            return "undefined"
        case Literal(Kind.BIGINT, amount):
            return str(amount)
    return None


PROMISE_METHODS = frozenset({"catch", "finally", "then"})
ERROR_HANDLERS = {"catch": 0, "then": 1}
"""The methods of promises that take a handler of errors, with its position."""

ARRAY_MEMBERS = tuple(
    "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap "
    "forEach includes indexOf join keys lastIndexOf length map pop push reduce reduceRight reverse shift "
    "slice some sort splice toReversed toSorted toSpliced unshift values with".split()
)
"""The members of an array, own ones and those from `Array.prototype`."""

STRING_MEMBERS = tuple(
    """
    anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes
    indexOf isWellFormed italics lastIndexOf length link localeCompare match matchAll normalize padEnd
    padStart repeat replace replaceAll search slice small split startsWith strike sub substr substring sup
    toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd trimLeft trimRight
    trimStart
    """.split()
)
"""The members of a string, own ones and those from `String.prototype`."""

NUMBER_MEMBERS = ("toExponential", "toFixed", "toPrecision")
"""The members of a number, from `Number.prototype`."""

_MEMBERS = {
    Kind.ARRAY: frozenset(ARRAY_MEMBERS),
    Kind.BOOLEAN: frozenset[str](),
    Kind.NUMBER: frozenset(NUMBER_MEMBERS),
    Kind.STRING: frozenset(STRING_MEMBERS),
}


def has_no_member(value: Value, name: str) -> bool:
    """Whether a member certainly does not exist in a value, unless a script adds it to a prototype."""
    if name in OBJECT_MEMBERS:
        return False
    match value:
        case ArrayValue():
            return not name.isdigit() and name not in ARRAY_MEMBERS
        case InstanceValue(class_name="Promise", builtin=True):
            return name not in PROMISE_METHODS
        case Literal(kind=kind) | Typed(kind=kind) if kind in _MEMBERS:
            return not name.isdigit() and name not in _MEMBERS[kind]
        case ObjectValue():
            return not value.open and name not in value.fields
    return False


_COMPARISONS = frozenset({"==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_MAX_LENGTH = 100_000


def constant_unary_value(operator: str, span: ByteSpan) -> Value | None:
    """Returns the result of a prefix operator if it is the same for every operand, or None."""
    match operator:
        case "typeof":
            return Typed(Kind.STRING, span)
        case "void":
            return Literal(Kind.UNDEFINED, None, span)
        case "delete":
            return Typed(Kind.BOOLEAN, span)
    return None


def unary_value(operator: str, value: Value, span: ByteSpan) -> Value:
    """Returns the result of a prefix operator that depends on the operand."""
    match operator:
        case "!":
            known = truth(value)
            return Typed(Kind.BOOLEAN, span) if known is None else Literal(Kind.BOOLEAN, not known, span)
        case "-" | "+":
            if isinstance(value, Literal) and isinstance(value.value, float):
                return Literal(Kind.NUMBER, -value.value if operator == "-" else value.value, span)
            if isinstance(value, Literal) and value.kind is Kind.BIGINT and isinstance(value.value, int):
                return Literal(Kind.BIGINT, -value.value, span)
            return Typed(Kind.NUMBER, span) if operator == "+" or _has_kind(value, Kind.NUMBER) else UNKNOWN
        case "~":
            return Typed(Kind.NUMBER, span) if _has_kind(value, Kind.NUMBER) else UNKNOWN
    return UNKNOWN


def constant_binary_value(operator: str, span: ByteSpan) -> Value | None:
    """Returns the result of a binary operator if it is the same for all operands, or None."""
    if operator in _COMPARISONS:
        return Typed(Kind.BOOLEAN, span)
    return Typed(Kind.NUMBER, span) if operator == ">>>" else None


def binary_value(operator: str, left: Value, right: Value, span: ByteSpan) -> Value:
    """Returns the result of a binary operator that depends on its operands; excludes `&&`, `||` and `??`."""
    if operator == "+":
        return _sum(left, right, span)
    if isinstance(left, Literal) and isinstance(right, Literal):
        folded = _arithmetic(operator, left.value, right.value)
        if folded is not None and left.kind is right.kind is Kind.NUMBER:
            return Literal(Kind.NUMBER, folded, span)
    if _has_kind(left, Kind.NUMBER) or _has_kind(right, Kind.NUMBER):
        return Typed(Kind.NUMBER, span)
    return Union((Typed(Kind.NUMBER, span), Typed(Kind.BIGINT, span)), span)


def _sum(left: Value, right: Value, span: ByteSpan) -> Value:
    if isinstance(left, Literal) and isinstance(right, Literal):
        if isinstance(left.value, float) and isinstance(right.value, float):
            return Literal(Kind.NUMBER, left.value + right.value, span)
        first, second = text_of(left), text_of(right)
        texts = Kind.STRING in (left.kind, right.kind)
        if texts and first is not None and second is not None and len(first) + len(second) < _MAX_LENGTH:
            return Literal(Kind.STRING, first + second, span)
    if _becomes_text(left) or _becomes_text(right):
        return text_with(left.prefix if isinstance(left, Typed) else text_of(left) or "", span)
    if _has_kind(left, Kind.NUMBER) and _has_kind(right, Kind.NUMBER):
        return Typed(Kind.NUMBER, span)
    kinds = [Kind.STRING, Kind.NUMBER]
    if not _has_kind(left, Kind.NUMBER) and not _has_kind(right, Kind.NUMBER):
        kinds.append(Kind.BIGINT)
    return union_of((Typed(kind, span) for kind in kinds), span)


def _arithmetic(operator: str, left: object, right: object) -> float | None:
    if not isinstance(left, float) or not isinstance(right, float):
        return None
    try:
        match operator:
            case "-":
                return left - right
            case "*":
                return left * right
            case "/" if right:
                return left / right
            case "**" if abs(right) <= 64 and abs(left) <= 1e6 and left >= 0:
                return float(left**right)
            case "%" if right and left >= 0:
                return left % abs(right)
    except (OverflowError, ValueError):
        return None
    return None


def _has_kind(value: Value, kind: Kind) -> bool:
    options = options_of(value)
    return bool(options) and all(isinstance(each, Literal | Typed) and each.kind is kind for each in options)


def _becomes_text(value: Value) -> bool:
    return _has_kind(value, Kind.STRING) or (
        isinstance(value, ObjectValue) and not value.fields and not value.open
    )
