"""Finds variables that shadow the API's root names, without parsing the script.

Libraries that detect the browser declare them: `var chrome = /Chrome/.test(navigator.userAgent)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extlint.text.patterns import lazy

_DECLARING = lazy(rb"(?<![\w$.])(?:(var)|let|const)\s+\Z")
_NAME = lazy(rb"(?:browser|chrome)(?=\s*=(?![=>]))")
_FUNCTION = lazy(rb"(?:function\s*[\w$]*\s*\([^()]*\)|=>)\s*\Z")
_BRACE = lazy(rb"[{}]")
_NEIGHBORHOOD_BYTES = 64

MAX_BRACES_BEFORE = 100
"""The most braces between a declaration and the start of its block; beyond these, the search for the
block stops.
"""


def root_declarations(text: bytes, places: Sequence[int]) -> Mapping[bytes, int]:
    """Returns offsets where root names seem to be declared, each in its own declaration with a value."""
    found: dict[bytes, int] = {}
    for at in places:
        name = _NAME.match(text, at)
        if name is not None and _DECLARING.search(text, max(0, at - _NEIGHBORHOOD_BYTES), at) is not None:
            found.setdefault(name[0], at)
    return found


def is_always_shadowed(code: bytes, declared: int, name: bytes, places: Sequence[int]) -> bool:
    """Whether a name declared in a block refers to that variable at all of these positions in code.

    In code, strings and comments are blank; see `lexer`.
    """
    block = _block_of(code, declared)
    if block is None or code[declared : declared + len(name)] != name:
        return False
    return all(
        block[0] < at < block[1] and _is_variable(code, at, at + len(name))
        for at in places
        if code[at : at + len(name)] == name
    )


def _block_of(code: bytes, declared: int) -> tuple[int, int] | None:
    """Returns the braces around a variable.

    Returns None if it may be top-level, and so a property of the global object.
    """
    at, depth = declared, 0
    for _ in range(MAX_BRACES_BEFORE):
        at = max(code.rfind(b"{", 0, at), code.rfind(b"}", 0, at))
        if at < 0:
            return None
        depth += 1 if code[at : at + 1] == b"}" else -1
        if depth < 0:
            break
    else:
        return None
    before = max(0, declared - _NEIGHBORHOOD_BYTES)
    declaring = _DECLARING.search(code, before, declared)
    is_of_block = declaring is not None and declaring[1] is None
    if not is_of_block and _FUNCTION.search(code, max(0, at - _NEIGHBORHOOD_BYTES), at) is None:
        return None
    depth = 0
    for brace in _BRACE.finditer(code, at):
        depth += 1 if brace[0] == b"{" else -1
        if depth == 0:
            return at, brace.start()
    return None


def _is_variable(code: bytes, start: int, end: int) -> bool:
    """Whether a name is neither a property nor part of a pattern that destructures an object."""
    before = code[max(0, start - _NEIGHBORHOOD_BYTES) : start].rstrip()[-1:]
    after = code[end : end + _NEIGHBORHOOD_BYTES].lstrip()[:1]
    return before != b"." and after != b":" and not (before in (b"{", b",") and after in (b"}", b","))
