"""Separates the code of a script from its strings and comments, and counts open brackets, without parsing.

A slash begins a regular expression, a division or a comment. If that depends on more than the tokens
before it, or if the script may contain markup (JSX), the caller gets None and has to parse.

The parser stores each open bracket. If brackets are never closed, it also tries, at the end of the
text, to do without each of them, and its memory grows with the square of their number: six thousand unclosed
calls, in 36 kilobytes, take half a gigabyte or more. Real scripts have some dozens open.
A bracket in a string or a comment closes nothing, so brackets are counted in code.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.text.patterns import lazy

IN_STRING = b"\x01"
"""Replaces each byte inside a string or template; the quotes remain."""

_QUOTES = frozenset(b"\"'")
_IN_REGEX = b"\x02"
_BLANK = b" "
_STRING = (
    rb"(?:(?<=\")(?:[^\"\\\r\n]++|\\(?:\r\n|[\s\S]))*+\""
    rb"|(?<=')(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*+'|)"
)
"""The rest of a string after its first quote; empty if it does not end, or if it does not begin one."""

_TOKENS = lazy(rb"[\"'`/]" + _STRING), lazy(rb"[\"'`/{}]" + _STRING)
"""The start or end of text that is not code, and, inside a template's code, of its braces."""

_HTML_COMMENT = rb"|<!--|[\r\n][ \t]*-->"
_TOKENS_WITH_HTML = (
    lazy(rb"[\"'`/]" + _STRING + _HTML_COMMENT),
    lazy(rb"[\"'`/{}]" + _STRING + _HTML_COMMENT),
)
"""The same for a text that may contain HTML comments; searching for them too takes ten times as long."""

_TEMPLATE_TEXT = lazy(rb"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+")
_LINE = lazy(rb"[^\r\n\xe2]*+(?:\xe2(?!\x80[\xa8\xa9])[^\r\n\xe2]*+)*+")
_REGEX = lazy(rb"/(?:[^/\\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*+\])++/")
_NO_OPERAND = lazy(rb"[\^?|&)\]%,;:>]|\\[^u]|\.[^\d.]")
"""The start of anything but an operand, so that the slash before it is not a division."""

_LAST_WORD = lazy(rb"[\w$\x80-\xff]+\Z")
_BEFORE_OPERAND = frozenset(
    b"await case delete do else extends in instanceof new of return throw typeof void yield".split()
)
_CONDITION = lazy(rb"(?<![\w$.])(?:for(?:\s+await)?|if|while|with)\s*\Z")

MAX_LOOK_BACK = 2_000
"""The bytes before a slash that are searched for its meaning; if they do not decide it, `code_of` returns
None.
"""

MAX_REGEX_BYTES = 20_000
"""The longest regular expression in bytes; where a longer one may begin, `code_of` returns None."""

_MAX_TEMPLATE_BRACKETS = 300
"""The deepest nesting of brackets; deeper code does not count as balanced."""

_PAIRS = (b"()", b"[]", b"{}")
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"()[]{}")


def code_of(text: bytes, places: Sequence[int] = ()) -> bytes | None:
    """Returns the text, of the same length, without contents of strings, comments and regular expressions.

    Comments become blanks. Returns None instead where their boundaries are uncertain, or one of the `places`,
    which are in order, is in code; a quote counts as code.
    """
    plain, nested = _TOKENS_WITH_HTML if b"<!--" in text or b"-->" in text else _TOKENS
    code = bytearray(text)
    depths: list[int] = []
    waiting = iter((*places, len(text) + 1))
    place = next(waiting)
    at: int | None = 0
    while at is not None:
        token = (nested if depths else plain).search(text, at)
        start = len(text) if token is None else token.start()
        while place < at:
            place = next(waiting)
        if place <= start:
            return None
        if token is None:
            return None if depths else bytes(code)
        match token[0]:
            case string if len(string) > 1 and string[0] in _QUOTES:
                at = _fill(code, start + 1, token.end() - 1, IN_STRING) + 1
            case b"`":
                at = _end_of_template_text(text, code, start + 1, depths)
            case b"{":
                depths[-1] += 1
                at = start + 1
            case b"}" if depths[-1]:
                depths[-1] -= 1
                at = start + 1
            case b"}":
                depths.pop()
                at = _end_of_template_text(text, code, start + 1, depths)
            case b"/":
                at = _end_of_slash_token(text, code, start)
            case _:
                at = None
    return None


def is_balanced(code: bytes) -> bool:
    """Whether each bracket in code is closed by its own kind."""
    left = code.translate(None, _NO_BRACKETS)
    for _ in range(_MAX_TEMPLATE_BRACKETS):
        if not left:
            return True
        for pair in _PAIRS:
            left = left.replace(pair, b"")
    return False


def _end_of_template_text(text: bytes, code: bytearray, start: int, depths: list[int]) -> int | None:
    """Returns the end of the template text starting here: after the template, or in the code inside it.

    `depths` has the number of open braces in the code of each enclosing template.
    """
    found = _TEMPLATE_TEXT.match(text, start)
    end = _fill(code, start, start if found is None else found.end(), IN_STRING)
    if text.startswith(b"`", end):
        return end + 1
    if not text.startswith(b"${", end):
        return None
    depths.append(0)
    return end + 2


def _end_of_slash_token(text: bytes, code: bytearray, start: int) -> int | None:
    """Returns the end of the comment or regex that a slash begins, or the offset after a division's slash."""
    after = text[start + 1 : start + 2]
    if after == b"/":
        line = _LINE.match(text, start)
        return _fill(code, start, len(text) if line is None else line.end(), _BLANK)
    if after == b"*":
        end = text.find(b"*/", start + 2)
        return None if end < 0 else _fill(code, start, end + 2, _BLANK)
    begins = _operand_follows(bytes(code[max(0, start - MAX_LOOK_BACK) : start]))
    if begins is False:
        return None if after == b">" else start + 1
    regex = _REGEX.match(text, start, start + MAX_REGEX_BYTES)
    if begins is None:
        if regex is None:
            rest = text[start : start + MAX_REGEX_BYTES]
            return start + 1 if len(rest) < MAX_REGEX_BYTES or b"\n" in rest else None
        begins = _NO_OPERAND.match(text, start + 1) is not None
    return None if regex is None or not begins else _fill(code, start, regex.end(), _IN_REGEX)


def _fill(code: bytearray, start: int, end: int, byte: bytes) -> int:
    code[start:end] = byte * (end - start)
    return end


def _operand_follows(before: bytes) -> bool | None:
    """Whether an operand, not an operator, follows this code, or None if that is uncertain."""
    before = before.rstrip()
    last = before[-1:]
    if not last:
        return None
    if last in b"\"'`]\x02" or (last in b"+-" and before[-2:-1] == last):
        return False
    if last == b")":
        return _ends_condition(before)
    if last == b"!":
        return _operand_follows(before[:-1]) or None
    if last in b"<}.":
        return None
    word = _LAST_WORD.search(before, max(0, len(before) - 40))
    return (
        True
        if word is None
        else word[0] in _BEFORE_OPERAND and before[word.start() - 1 : word.start()] != b"."
    )


def _ends_condition(before: bytes) -> bool | None:
    """Whether the closing bracket at the end belongs to the condition of an `if` or similar statement."""
    depth, at = 0, len(before)
    while True:
        at = max(before.rfind(b"(", 0, at), before.rfind(b")", 0, at))
        if at < 0:
            return None
        depth += 1 if before[at : at + 1] == b")" else -1
        if depth == 0:
            return _CONDITION.search(before, max(0, at - 40), at) is not None


_DATA = lazy(
    rb"(?:[\s{}\]]++"
    rb"|[\[,:]\s*+(?:-\d++(?:\.\d++)?+(?![\w$.]))?+"
    rb"|\"[^\"\\\r\n]*+\"|'[^'\\\r\n]*+'"
    rb"|\d++(?:\.\d++)?+(?![\w$.])"
    rb"|(?:true|false|null)(?![\w$.])"
    rb"|[A-Za-z_$][\w$]*+(?=\s*+:))++"
)
_TEXTS = lazy(rb"\"([^\"]*+)\"|'([^']*+)'")


def texts_of_data(text: bytes, start: int, end: int) -> frozenset[bytes] | None:
    """Returns the strings in an object or array literal, also quoted keys, without their quotes, or None.

    None stands for a literal with anything but strings without escapes, plain numbers and constants.
    """
    if _DATA.fullmatch(text, start, end) is None:
        return None
    return frozenset(found[1] or found[2] or b"" for found in _TEXTS.finditer(text, start, end))


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
