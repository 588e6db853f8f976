"""Finds eval code: literal strings that a script passes to `eval`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.syntax.lexer import code_of
from extlint.analysis.syntax.prefilter import candidates, names_polyfill
from extlint.text.last_text import cache_last_text
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name

_CALL = lazy(rb"eval\s*+(?:\)\s*+)?\(\s*+(?:[\w$.]++\s*+\(\s*+)?(?=[\"'`])", needs=(b"eval",))
"""A call up to the literal, which may pass through one function, as required by Trusted Types."""

_GLOBAL = lazy(rb"(?:(?<![\w$.])|(?<=window\.)|(?<=self\.)|(?<=globalThis\.))")
_LITERAL = lazy(rb"\"(?:[^\"\\\r\n]++|\\[\s\S])*+\"|'(?:[^'\\\r\n]++|\\[\s\S])*+'|`(?:[^`\\]++|\\[\s\S])*+`")
ESCAPE = lazy(rb"\\(?:u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))")
"""An escape in a literal."""

_CONTROLS = {
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b"0": b"\0",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}
_LAST_CODE_POINT = 0x10FFFF


class EvalCall(Struct, frozen=True):
    """A call of `eval`: the byte ranges of the name and of the text between the quotes of its literal."""

    name: ByteSpan
    content: ByteSpan


def eval_calls(text: bytes) -> Iterator[EvalCall]:
    """Yields the calls of `eval` with a literal, in order, including text that only looks like code."""
    for found in _CALL.finditer(text):
        start = found.start()
        literal = _LITERAL.match(text, found.end()) if _GLOBAL.match(text, start) else None
        if literal is not None:
            yield EvalCall((start, start + len(b"eval")), (literal.start() + 1, literal.end() - 1))


@cache_last_text
def eval_calls_using_api(text: bytes) -> Sequence[ByteSpan]:
    """Returns the byte ranges of `eval` in calls whose code may name the API."""
    return [each.name for each in eval_calls(text) if _may_use_api(unescaped(text[slice(*each.content)]))]


def _may_use_api(code: bytes) -> bool:
    """Whether code may name the API outside its comments and strings."""
    places = candidates(code)
    return names_polyfill(code) or bool(places and code_of(code, places) is None)


def unescaped(content: bytes) -> bytes:
    """Returns the value of a literal's content."""
    return ESCAPE.sub(unescape, content) if b"\\" in content else content


def unescape(escape: re.Match[bytes]) -> bytes:
    """Returns the value of one escape."""
    digits = escape[1] or escape[2] or escape[3]
    if digits is None:
        return _CONTROLS.get(escape[4], escape[4])
    code_point = int(digits, 16)
    return encode_name(chr(code_point)) if code_point <= _LAST_CODE_POINT else escape[0]
