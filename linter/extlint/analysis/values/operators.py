"""Evaluates operators."""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
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
from extlint.analysis.values.constants import text_of, truth
from extlint.text.positions import ByteSpan

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
