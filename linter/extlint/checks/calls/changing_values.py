"""Finds values that are certainly different each time that the program computes them."""

from __future__ import annotations

from extlint.analysis.facts.values import Literal, ObjectValue, Value
from extlint.extension import Script
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_CHANGING = lazy(
    rb"\b(?:Date\.now\(\)|Math\.random\(\)|new\s+Date(?:\(\)|\b(?!\s*\())|randomUUID\(\)|performance\.now\(\))"
)
"""Matches an expression for the time, or for a random value."""

_NAME = lazy(rb"[A-Za-z_$][\w$]*+")
_MAX_BYTES = 300
"""The length of a longer expression, which may use the time for a small part of its value."""


def is_changing(script: Script, value: Value) -> bool:
    """Whether a value depends on the time or on chance, directly or by the constant that it names."""
    if isinstance(value, Literal):
        return False
    if isinstance(value, ObjectValue):
        return any(is_changing(script, each.value) for each in value.fields.values())
    return value.span is not None and _is_changing_at(script, value.span)


def _is_changing_at(script: Script, span: ByteSpan) -> bool:
    text = script.index.text
    start, end = span[0] + script.base, span[1] + script.base
    if end - start > _MAX_BYTES:
        return False
    if _CHANGING.search(text, start, end) is not None:
        return True
    name = _NAME.fullmatch(text, start, end)
    return name is not None and _is_changing_constant(text, script.base, name[0])


def _is_changing_constant(text: bytes, base: int, name: bytes) -> bool:
    """Whether a script has one constant of a name, whose value in one line depends on the time or chance."""
    found = text.split(b"const %b = " % name)
    if len(found) != 2 or text.find(found[1]) < base:
        return False
    return _CHANGING.search(found[1].partition(b"\n")[0].partition(b";")[0]) is not None
