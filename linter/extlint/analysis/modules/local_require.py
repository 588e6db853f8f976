"""Finds functions in which `require` is a local variable, from their code without parsing it.

AMD and bundlers such as Browserify wrap each module in one: `function (require, module, exports) { … }`.
"""

from __future__ import annotations

from extlint.text.patterns import lazy

_NAMES = rb"[\w$,\s\x80-\xff]*+"
_BEFORE_PARAMETER = lazy(rb"(?:(?<![\w$.])(function)\b[\s*]*[\w$\x80-\xff]*\s*)?\([\w$,\s\x80-\xff]*\Z")
_AFTER_PARAMETER = lazy(_NAMES + rb"\)\s*(=>\s*)?\{")
_ONLY_PARAMETER = lazy(rb"\s*=>\s*\{")
_BEFORE_NAME = lazy(rb"(?:[=(,]|(?<![\w$.])return)\s*function\b[\s*]*\Z")
_AFTER_NAME = lazy(rb"\s*\(" + _NAMES + rb"\)\s*\{")
_BRACE = lazy(rb"[{}]")
_LOOK_BACK_BYTES = 400


def end_of_scope(code: bytes, start: int, end: int) -> int | None:
    """Returns the end of the function to which the variable named at a position belongs.

    Returns None if it is not certain.

    It is certain for a parameter and for the name of a function expression. The brackets of the code match.
    """
    before = code[max(0, start - _LOOK_BACK_BYTES) : start]
    body = _ONLY_PARAMETER.match(code, end)
    if body is None and _BEFORE_NAME.search(before) is not None:
        body = _AFTER_NAME.match(code, end)
    if body is None and (listed := _BEFORE_PARAMETER.search(before)) is not None:
        body = _AFTER_PARAMETER.match(code, end)
        if body is not None and (listed[1] is None) is (body[1] is None):
            return None
    return None if body is None else _closing_brace(code, body.end())


def _closing_brace(code: bytes, start: int) -> int:
    """Returns the end of the block whose content starts at a position."""
    depth = 1
    for brace in _BRACE.finditer(code, start):
        depth += 1 if brace[0] == b"{" else -1
        if not depth:
            return brace.end()
    return len(code)
