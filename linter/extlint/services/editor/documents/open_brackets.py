"""Finds the brackets and quotes that a script opens before a position and never closes."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.text.patterns import lazy

_TOKEN = lazy(
    rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    rb"|\"(?:[^\"\\\r\n]++|\\(?:\r\n|[\s\S]))*+\"?|'(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*+'?"
    rb"|[`()\[\]{}/]"
)
_TEMPLATE = lazy(rb"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+(`|\$\{|\Z)")
_REGEX = lazy(rb"/(?:[^/\\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*+\])++/")
_BEFORE_REGEX = lazy(
    rb"(?:[(,=:\[!&|?{};+*%~^<>-]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|delete|new))\s*\Z"
)
_LOOK_BACK = 100
_REGEX_MARK = b"/re"
_CLOSERS = {b"(": b")", b"[": b"]", b"{": b"}", b"`": b"`", b"${": b"}"}
_OPENERS = (b"(", b"[", b"{")
_CLOSING = (b")", b"]", b"}")


def missing_closers(text: bytes, offset: int) -> bytes:
    """Returns what closes the string and the brackets that are open at an offset, and only there.

    The rest of the text may close those that were opened further out. An offset within a complete string or
    a comment has nothing to close.
    """
    opened: list[bytes] = []
    at = 0
    quote = b""
    while at < offset:
        if opened[-1:] == [b"`"] and _end_of_template_text(text, at) >= offset:
            return b""
        start, at, token = _next(text, at, opened, offset)
        if token is None or start >= offset:
            at = offset
            break
        is_string = token[:1] in (b'"', b"'")
        is_closed = is_string and len(token) > 1 and token.endswith(token[:1])
        is_open_comment = token.startswith(b"//") or (token.startswith(b"/*") and not token.endswith(b"*/"))
        if at > offset and (is_closed or token.startswith((b"/*", _REGEX_MARK))):
            return b""
        if at >= offset and is_open_comment:
            return b""
        if is_string and not is_closed and at >= offset:
            quote, at = token[:1], offset
            break
    if b"`" in opened:
        return quote
    closed = list(_unmatched_closers(text, at))
    kept = 0
    for opener, closer in zip(opened, reversed(closed), strict=False):
        if _CLOSERS[opener] != closer:
            break
        kept += 1
    return quote + b"".join(_CLOSERS[each] for each in reversed(opened[kept:]))


def _unmatched_closers(text: bytes, at: int) -> Iterator[bytes]:
    """Yields the brackets after an offset that close something opened before it."""
    inner: list[bytes] = []
    while at < len(text):
        depth = len(inner)
        _, at, token = _next(text, at, inner)
        if token is None:
            return
        if not depth and token in _CLOSING:
            yield token


def _end_of_template_text(text: bytes, at: int) -> int:
    found = _TEMPLATE.match(text, at)
    return len(text) if found is None else found.start(1)


def _next(
    text: bytes, at: int, opened: list[bytes], limit: int | None = None
) -> tuple[int, int, bytes | None]:
    """Returns the range and the text of the next token, and updates the open brackets.

    A token that begins at the limit or later changes nothing.
    """
    if opened and opened[-1] == b"`":
        found = _TEMPLATE.match(text, at)
        if found is None or not found[1]:
            return len(text), len(text), None
        if found[1] == b"`":
            opened.pop()
        else:
            opened.append(b"${")
        return found.start(1), found.end(), found[1]
    found = _TOKEN.search(text, at)
    if found is None:
        return len(text), len(text), None
    token, start, after = found[0], found.start(), found.end()
    if limit is not None and start >= limit:
        return start, after, token
    if token == b"/":
        regex = _REGEX.match(text, start)
        if regex is not None and _BEFORE_REGEX.search(text, max(0, start - _LOOK_BACK), start):
            return start, regex.end(), _REGEX_MARK
    elif token == b"`" or token in _OPENERS:
        opened.append(token)
    elif token in _CLOSING and opened and _CLOSERS[opened[-1]] == token:
        opened.pop()
    return start, after, token
