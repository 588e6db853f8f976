"""Counts how many brackets of a script are open at once, from its bytes, before parsing.

The parser stores each open bracket. If brackets are never closed, it also tries, at the end of the
text, to do without each of them, and its memory grows with the square of their number: six thousand unclosed
calls, in 36 kilobytes, take half a gigabyte or more. Real scripts have some dozens open.
A bracket in a string or a comment closes nothing, so brackets are counted in code.
"""

from __future__ import annotations

from extlint.text.patterns import lazy

MAX_UNCLOSED_BRACKETS = 2000
"""The most brackets that may be left open at the end of a script that is parsed."""

MAX_NESTED_BRACKETS = 100_000
"""The approximate number of brackets that may be open at once; each takes the parser two kilobytes."""

_BRACKETS: tuple[bytes, ...] = (b"()", b"[]", b"{}")
_ANGLES: tuple[bytes, ...] = (b"<>",)

_COUNTED_BYTES = 64 * 1024
"""The bytes of a text in which brackets are counted at a time."""

_SEARCHES = 30
"""How often all brackets are searched for pairs; real code is seldom nested deeper."""

_LITERALS = lazy(
    rb"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|`[^`\\]*+(?:\\.[^`\\]*+)*+`"
    rb"|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
    rb"|/(?:(?<=[(,=:\[!&|?{};\n]/)(?![*/])|(?<=\s/)(?![*/\s=])|(?<=return/)|(?<=typeof/)|(?<=case/))"
    rb"(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*+\])++/"
)
"""Strings, templates, comments and, where a division is impossible, regular expressions."""


def nests_too_deeply(text: bytes, *, has_types: bool = False) -> bool:
    """Whether more brackets are open than the parser has memory for.

    With `has_types`, angle brackets count too. Costs one or two percent of parsing: the boundaries of
    literals are guessed, and checked precisely only if too many brackets seem to remain.
    """
    if not _may_nest(text, _BRACKETS) and not (has_types and _may_nest(text, _ANGLES)):
        return False
    code = _LITERALS.sub(b"", text)
    if has_types and _leaves_open(code.replace(b"=>", b""), _ANGLES):
        return True
    if not _leaves_open(code, _BRACKETS):
        return False
    from extlint.analysis.syntax.lexer import code_of

    known = code_of(text)
    return known is None or _leaves_open(known, _BRACKETS)


def _may_nest(text: bytes, pairs: tuple[bytes, ...]) -> bool:
    """Whether a text has enough opening brackets; in a long text, the first part is usually enough."""
    found = 0
    for start in range(0, len(text), _COUNTED_BYTES):
        found += sum(text.count(pair[:1], start, start + _COUNTED_BYTES) for pair in pairs)
        if found > MAX_UNCLOSED_BRACKETS:
            return True
    return False


def _leaves_open(code: bytes, pairs: tuple[bytes, ...]) -> bool:
    """Whether too many brackets are never closed by their own kind, or there are too many to check."""
    left = code.translate(None, _OTHER_BYTES[pairs])
    for _ in range(_SEARCHES):
        before = len(left)
        for pair in pairs:
            left = left.replace(pair, b"")
        if len(left) == before or not _may_nest(left, pairs):
            break
    if not _may_nest(left, pairs):
        return False
    if len(left) > 2 * MAX_NESTED_BRACKETS:
        return True
    closed_by = {pair[0]: pair[1] for pair in pairs}
    stack = bytearray()
    for each in left:
        if each in closed_by:
            stack.append(closed_by[each])
        elif stack and stack[-1] == each:
            stack.pop()
    return len(stack) > MAX_UNCLOSED_BRACKETS


def _all_but(excluded: bytes) -> bytes:
    return bytes(each for each in range(256) if each not in excluded)


_OTHER_BYTES = {pairs: _all_but(b"".join(pairs)) for pairs in (_BRACKETS, _ANGLES)}
