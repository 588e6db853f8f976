"""Eval code: literal strings that a script passes to `eval`. Finds it, and decodes it in place.

Development builds put each module into a string (`function (module) { eval("…"); }`). Decoded code is
shorter than its escapes; the remaining bytes become blanks, before a quote that opens a string, or else after
the token that contains the escape. So each token starts at its own position in the file, and positions
require no mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.analysis.syntax.lexer import code_of, is_balanced
from extlint.analysis.syntax.parse import Grammar, parse
from extlint.analysis.syntax.prefilter import candidates, names_polyfill
from extlint.analysis.syntax.source import parsable
from extlint.text.patterns import cache_last_text, lazy
from extlint.text.positions import ByteSpan, encode_name

if TYPE_CHECKING:
    from tree_sitter import Node as ParserNode

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


_MARKS = (b"sourceURL=", b"sourceMappingURL=", b"chrome", b"browser")
"""Marks of code worth reading; development builds name the source of each module."""

_REST_OF_STATEMENT = lazy(rb"[\"'](?:\s*+\)){1,2}")
_OPAQUE = lazy(rb"\"\x01*+\"|'\x01*+'|\x01++(?:`|\$\{)|\x02++\w*+")
"""A token in the output of `code_of` that must not contain blanks: a string, part of a template, a
regular expression.
"""

_QUOTES = b"\"'"
_MAY_FOLLOW_BLANKS = b" \t\n\v\f\r\"'\x01\x02"
"""The bytes in the output of `code_of` that may follow blanks."""

_BACKSLASH = b"\0"
"""Represents a backslash of the decoded code, as opposed to those of the escapes."""

_ALIGNED = (
    (rb"\\\\", b"  \0\0"),
    (rb"\\\"", b'  \0"'),
    (rb"\\\'", b"  \0'"),
    (rb"\\\n", b"  \0\n"),
    (rb"\\", b" \0"),
    (rb"\n", b" \n"),
    (rb"\t", b" \t"),
    (rb"\r", b" \r"),
    (rb"\"", b' "'),
    (rb"\'", b" '"),
)
"""The most frequent escapes and their aligned values; those that are a single escape in the code come
first.
"""

_DIVIDED = lazy(rb"(?<!\0)\0\\")
_MAX_SIBLINGS = 8


def with_eval_code(text: bytes, grammar: Grammar) -> bytes:
    """Returns the text with code of each `eval` that is its block's only statement, at the same length.

    The call around the code becomes blanks. If code cannot be decoded at the same length, its call remains.
    """
    calls = [each for each in eval_calls(text) if _is_worth_reading(text, each)]
    if not calls:
        return text
    pieces: list[bytes] = []
    at = 0
    for call, end in _sole_statements(text, calls, grammar):
        start = call.content[0]
        code = decoded_in_place(text[slice(*call.content)])
        if code is not None:
            blank = b" " * (start - call.name[0])
            # The newline ends a comment on the last line of the code.
            pieces += (text[at : call.name[0]], blank, code, b"\n".ljust(end - call.content[1]))
            at = end
    return b"".join((*pieces, text[at:]))


def decoded_in_place(content: bytes) -> bytes | None:
    """Returns the code of a literal's content, padded to the same length, or None if that is impossible."""
    divided: list[int] = []
    aligned = _aligned(content, divided)
    lexed = None if aligned is None else code_of(aligned)
    if aligned is None or lexed is None or b"\\" in lexed or not is_balanced(lexed):
        return None
    if any(lexed[at] not in _MAY_FOLLOW_BLANKS for at in divided):
        return None
    pieces: list[bytes] = []
    at = 0
    for token in _OPAQUE.finditer(lexed):
        start, end = token.span()
        escape = content.find(b"\\", start, end)
        if escape >= 0:
            pieces += (aligned[at:start], _decoded_token(content[start:end], escape - start))
            at = end
    return b"".join((*pieces, aligned[at:]))


def _aligned(content: bytes, divided: list[int]) -> bytes | None:
    """Returns the value of a literal, each character at the end of its escape, preceded by blanks.

    Tokens begin and end there as they do in the code, as blanks never split one of its own escapes.
    Positions of characters whose blanks may split another token are appended to `divided`.
    """
    if _BACKSLASH in content:
        return None
    for written, aligned in _ALIGNED:
        content = content.replace(written, aligned)

    def rare(escape: re.Match[bytes]) -> bytes:
        divided.append(escape.end() - 1)
        return unescape(escape).replace(_BACKSLASH, b" ").rjust(len(escape[0]))

    if b"\\" in content:
        if _DIVIDED.search(content) is not None:
            return None
        content = ESCAPE.sub(rare, content)
    return content.replace(_BACKSLASH, b"\\")


def _decoded_token(written: bytes, escape: int) -> bytes:
    """Returns the value of a token whose first escape is at that offset, followed by blanks."""
    if escape == len(written) - 2 and written[-1] in _QUOTES:
        return written[:escape] + written[-1:] + b" "
    return unescaped(written).ljust(len(written))


def _is_worth_reading(text: bytes, call: EvalCall) -> bool:
    start, end = call.content
    return text[start - 1] in _QUOTES and any(text.find(mark, start, end) >= 0 for mark in _MARKS)


def _sole_statements(
    text: bytes, calls: Iterable[EvalCall], grammar: Grammar
) -> Iterator[tuple[EvalCall, int]]:
    """Yields the calls that are the only statement of their block, each with the end of the call."""
    tree = parse(parsable(text), grammar)
    if tree is None:
        return
    for call in calls:
        rest = _REST_OF_STATEMENT.match(text, call.content[1])
        name = tree.root_node.descendant_for_byte_range(*call.name)
        found = None if name is None or (name.start_byte, name.end_byte) != call.name else name.parent
        if rest is None or found is None or found.type != "call_expression":
            continue
        statement = found.parent
        if found.end_byte == rest.end() and statement is not None and _is_sole_statement(statement):
            yield call, rest.end()


def _is_sole_statement(statement: ParserNode) -> bool:
    """Whether a statement is the only one of its block, apart from directives."""
    block = statement.parent
    if statement.type != "expression_statement" or block is None or block.type != "statement_block":
        return False
    return block.named_child_count <= _MAX_SIBLINGS and all(
        each == statement or each.type == "comment" or _is_directive(each) for each in block.named_children
    )


def _is_directive(statement: ParserNode) -> bool:
    return statement.type == "expression_statement" and [each.type for each in statement.named_children] == [
        "string"
    ]
