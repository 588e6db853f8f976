"""How many brackets of a script are open at once, told from its bytes before it is parsed.

The parser keeps each bracket that is open. Where brackets are never closed it also tries, at the end of the
text, to do without each of them, and its memory grows with the square of their number: six thousand calls
that are not closed, in 36 kilobytes, take half a gigabyte or more. Real scripts have some dozens open.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.text.patterns import lazy

MAX_UNCLOSED_BRACKETS = 2000
"""Brackets that may be left open at the end of a script that is parsed."""

MAX_NESTED_BRACKETS = 100_000
"""Brackets that may be open at once in it, about; each takes the parser two kilobytes."""

_PAIRS = (b"()", b"[]", b"{}")
_ANGLES = (b"<>",)

_MAX_SEARCHES = 12
"""How often brackets are searched for pairs, relative to their number, before each is looked at."""

_MIN_SEARCHED_BYTES = 1 << 24

_LITERALS = lazy(
    rb"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|`[^`\\]*+(?:\\.[^`\\]*+)*+`"
    rb"|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
    rb"|(?<=[(,=:\[!&|?{};\n])\s*/(?![*/])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*+\])++/"
)
"""Strings, templates, comments and, after what no division follows, regular expressions."""


def nests_too_deeply(text: bytes, *, has_types: bool = False) -> bool:
    """Whether more brackets are open than the parser has memory for.

    With `has_types`, angle brackets count too. Costs about a hundredth of what parsing does. Brackets in
    strings, comments and regular expressions are left aside only where it matters.
    """
    if has_types and text.count(b"<") > MAX_UNCLOSED_BRACKETS:
        angles = _without_pairs(text.replace(b"=>", b""), _ANGLES)
        if _opening(angles, _ANGLES) > MAX_UNCLOSED_BRACKETS:
            return True
    if _opening(_without_pairs(text, _PAIRS), _PAIRS) <= MAX_UNCLOSED_BRACKETS:
        return False
    return _stay_open(_without_pairs(_LITERALS.sub(b"", text), _PAIRS))


def _without_pairs(text: bytes, pairs: Sequence[bytes]) -> bytes:
    """The brackets of a text without pairs, and then pairs around pairs, as far as that pays."""
    left = text.translate(None, _OTHERS[pairs[0]])
    allowed = _MAX_SEARCHES * len(left) + _MIN_SEARCHED_BYTES
    before = -1
    while MAX_UNCLOSED_BRACKETS < len(left) != before and allowed > 0:
        before = len(left)
        allowed -= before
        for pair in pairs:
            left = left.replace(pair, b"")
    return left


def _opening(brackets: bytes, pairs: Sequence[bytes]) -> int:
    return sum(brackets.count(pair[:1]) for pair in pairs)


def _stay_open(brackets: bytes) -> bool:
    """Whether too many brackets are never closed by their own kind, or there are too many to tell."""
    if len(brackets) > 2 * MAX_NESTED_BRACKETS:
        return True
    stack = bytearray()
    for each in brackets:
        if each in _CLOSED_BY:
            stack.append(_CLOSED_BY[each])
        elif stack and stack[-1] == each:
            stack.pop()
    return len(stack) > MAX_UNCLOSED_BRACKETS


def _all_but(kept: bytes) -> bytes:
    return bytes(each for each in range(256) if each not in kept)


_OTHERS = {each[0]: _all_but(b"".join(each)) for each in (_PAIRS, _ANGLES)}
_CLOSED_BY = {pair[0]: pair[1] for pair in _PAIRS}
