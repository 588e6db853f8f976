"""Finds values that are certainly different each time that the program computes them."""

from __future__ import annotations

from extlint.analysis.facts.values import InstanceValue, ObjectValue, Typed, Unknown, Value
from extlint.extension import Script
from extlint.text.patterns import lazy

_TIMES = (
    rb"\b(?:Date\.now\(\)|Math\.random\(\)|new\s+Date(?:\(\)|\b(?!\s*\())|randomUUID\(\)"
    rb"|performance\.now\(\))"
)
_CHANGING = lazy(_TIMES)
"""Matches an expression for the time, or for a random value."""

_CALL = lazy(rb"(?:\w+\.)*" + _TIMES + rb"(?:\.\w+\(\))?")
"""Matches such an expression with a method of its value: `new Date().toISOString()`."""

_NAME = lazy(rb"[A-Za-z_$][\w$]*+")


def is_changing(script: Script, value: Value) -> bool:
    """Whether a value depends on the time or on chance, directly or by the constant that it names."""
    if isinstance(value, ObjectValue):
        return any(is_changing(script, each.value) for each in value.fields.values())
    if value.span is None or not isinstance(value, Typed | Unknown | InstanceValue):
        return False
    text = script.index.text
    start, end = value.span[0] + script.base, value.span[1] + script.base
    if isinstance(value, Typed) and _CHANGING.search(text, start, end) is not None:
        return True
    if _CALL.fullmatch(text, start, end) is not None:
        return True
    name = _NAME.fullmatch(text, start, end)
    return name is not None and _is_changing_constant(text, script.base, name[0])


def _is_changing_constant(text: bytes, base: int, name: bytes) -> bool:
    """Whether a script has one constant of a name, whose value in one line depends on the time or chance."""
    found = text.split(b"const %b = " % name)
    if len(found) != 2 or text.find(found[1]) < base:
        return False
    return _CHANGING.search(found[1].partition(b"\n")[0].partition(b";")[0]) is not None
