"""Reads JSON in the middle of an edit: whatever is missing, the rest keeps its structure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.text.json.values import JsonValue, Step
from extlint.text.patterns import lazy

MAX_LEVELS = 100
"""The maximum nesting depth of values; deeper ones are skipped."""

_TOKEN = lazy(
    r"(?P<space>[ \t\r\n\ufeff]++)"
    r"|(?P<comment>//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r'|(?P<string>"(?:[^"\\\r\n]++|\\[^\r\n])*+(?:"|\\?+))'
    r"|(?P<mark>[{}\[\]:,])"
    r"|(?P<word>[^ \t\r\n\ufeff{}\[\]:,\"/]++|/)"
)
_CLOSING = {"{": "}", "[": "]"}
_WORDS = {"true": True, "false": False, "null": None}
_NUMBER = lazy(r"-?\d{1,15}")

Offsets: TypeAlias = tuple[int, int]


class Token(Struct, frozen=True):
    """A word, a string with its quotes, or a punctuation mark; offsets count code points."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after it."""
        return self.start + len(self.text)

    @property
    def is_closed(self) -> bool:
        """Whether a string has its second quote."""
        return len(self.text) > 1 and self.text.endswith('"') and _trailing_backslashes(self.text) % 2 == 0

    @property
    def content(self) -> str:
        """The text without quotes and escapes."""
        if self.kind != "string":
            return self.text
        if self.is_closed:
            try:
                return str(json.loads(self.text, strict=False))
            except ValueError:
                pass
        return self.text[1:-1] if self.is_closed else self.text[1:]


class LooseMember(Struct):
    """A member of an object. Any part may be missing. `comma` is the offset of the one after it."""

    key: Token | None = None
    colon: int | None = None
    value: LooseValue | None = None
    comma: int | None = None


class LooseValue(Struct):
    """A value: a token, or an object or array with its members. The members of an array have only values.

    `end` is the offset after its closing bracket, or the end of the text without one.
    """

    start: int
    end: int
    token: Token | None = None
    opening: str = ""
    members: list[LooseMember] = []

    def member(self, step: Step) -> LooseValue | None:
        """Returns the value of a key, or of an item by its index, or None."""
        if isinstance(step, int):
            is_item = self.opening == "[" and step < len(self.members)
            return self.members[step].value if is_item else None
        if self.opening != "{":
            return None
        return next((each.value for each in self.members if each.key and each.key.content == step), None)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of an object."""
        return tuple(each.key.content for each in self.members if each.key) if self.opening == "{" else ()

    @property
    def strings(self) -> tuple[str, ...]:
        """The strings in an array."""
        values = (each.value.token for each in self.members if self.opening == "[" and each.value)
        return tuple(each.content for each in values if each is not None and each.kind == "string")

    @property
    def plain(self) -> JsonValue:
        """The value as `json.loads` would return it; missing values are null."""
        if self.opening == "[":
            return [each.value.plain for each in self.members if each.value]
        if self.opening == "{":
            return {
                each.key.content: each.value.plain if each.value else None
                for each in self.members
                if each.key
            }
        if self.token is None or self.token.kind == "string":
            return None if self.token is None else self.token.content
        if _NUMBER.fullmatch(self.token.text):
            return int(self.token.text)
        return _WORDS.get(self.token.text)


class LooseDocument(Struct, frozen=True):
    """A text and its value, if it has any. `comments` are the offsets of its comments."""

    text: str
    root: LooseValue | None
    comments: Sequence[Offsets]


class JsonPlace(Struct, frozen=True):
    """A place in a JSON text where a key or a value is, or can be inserted.

    `steps` lead to the object or array around it, which is `container`. `member` is the member at the place,
    or None where a new one begins; `token` is its key or value at the place, if it has one. `at_key` is true
    for a key.
    """

    steps: tuple[Step, ...]
    container: LooseValue
    member: LooseMember | None
    token: Token | None
    at_key: bool

    @property
    def value_steps(self) -> tuple[Step, ...]:
        """The steps to the value of the member."""
        if self.container.opening == "[":
            return (*self.steps, 0)
        key = None if self.member is None else self.member.key
        return (*self.steps, "" if key is None else key.content)


def read_loosely(text: str) -> LooseDocument:
    """Reads a text as far as it resembles JSON. Never raises."""
    comments: list[Offsets] = []
    reader = _Reader(list(_tokens(text, comments)), len(text))
    return LooseDocument(text, reader.value(0), comments)


def place_at(document: LooseDocument, offset: int) -> JsonPlace | None:
    """Returns the place at an offset, or None in a comment and outside the outermost value."""
    if any(
        start < offset and (offset < end or _is_open_comment(document.text, start, end, offset))
        for start, end in document.comments
    ):
        return None
    value, steps = document.root, list[Step]()
    if value is None or not value.opening or not _is_inside(value, offset):
        return None
    while True:
        index, member = _member_at(value, offset)
        inner = None if member is None else member.value
        if inner is None or not inner.opening or not _is_inside(inner, offset):
            break
        key = None if member is None else member.key
        steps.append(index if value.opening == "[" else "" if key is None else key.content)
        value = inner
    return _place_in(value, tuple(steps), member, offset)


def _place_in(
    container: LooseValue, steps: tuple[Step, ...], member: LooseMember | None, offset: int
) -> JsonPlace | None:
    if container.opening == "[":
        token = None if member is None or member.value is None else member.value.token
        if member is not None and member.value is not None and token is None:
            return None  # right next to the bracket of an object or array
        return JsonPlace(steps, container, member, token if _touches(token, offset) else None, at_key=False)
    if member is None:
        return JsonPlace(steps, container, None, None, at_key=True)
    if _touches(member.key, offset):
        return JsonPlace(steps, container, member, member.key, at_key=True)
    if member.colon is None or offset <= member.colon:
        return None
    token = None if member.value is None else member.value.token
    if member.value is not None and not _touches(token, offset):
        return None
    return JsonPlace(steps, container, member, token, at_key=False)


def _member_at(container: LooseValue, offset: int) -> tuple[int, LooseMember | None]:
    """Returns the member of a container to which an offset belongs, with its index.

    Behind a complete value, on another line or after a comma, a new member begins.
    """
    for index, each in enumerate(container.members):
        if offset < _start(each):
            return index, None
        end = None if each.value is None else each.value.end
        if end is None:
            end = _end_of_blank(container, index)
        if offset <= end:
            return index, each
    return len(container.members), None


def _end_of_blank(container: LooseValue, index: int) -> int:
    """Returns the end of the place for the missing value of a member."""
    member = container.members[index]
    if member.comma is not None:
        return member.comma
    if member.colon is None:
        return -1 if member.key is None else member.key.end
    return _start(container.members[index + 1]) - 1 if index + 1 < len(container.members) else container.end


def _start(member: LooseMember) -> int:
    if member.key is not None:
        return member.key.start
    return member.value.start if member.value is not None else member.colon or 0


def _is_inside(value: LooseValue, offset: int) -> bool:
    return value.start < offset < value.end or (value.start < offset == value.end and value.token is not None)


def _touches(token: Token | None, offset: int) -> bool:
    if token is None:
        return False
    if token.kind == "string":
        return token.start < offset and (offset < token.end or (offset == token.end and not token.is_closed))
    return token.start <= offset <= token.end


def _is_open_comment(text: str, start: int, end: int, offset: int) -> bool:
    return offset == end and (text.startswith("//", start) or not text.endswith("*/", start + 2, end))


def _tokens(text: str, comments: list[Offsets]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            at += 1
            continue
        if found.lastgroup == "comment":
            comments.append(found.span())
        elif found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0], at)
        at = found.end()


class _Reader:
    def __init__(self, tokens: Sequence[Token], length: int) -> None:
        self.tokens = tokens
        self.length = length
        self.at = 0

    def peek(self, ahead: int = 0) -> Token | None:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def is_mark(self, text: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token is not None and token.kind == "mark" and token.text in text

    def value(self, depth: int) -> LooseValue | None:
        token = self.peek()
        if token is None or self.is_mark("}],:"):
            return None
        self.at += 1
        if token.kind != "mark":
            return LooseValue(token.start, token.end, token)
        found = LooseValue(token.start, self.length + 1, None, token.text, [])
        if depth >= MAX_LEVELS:
            self.at = len(self.tokens)
            return found
        read = self.member if token.text == "{" else self.item
        while (following := self.peek()) is not None:
            if following.text in "}]" and following.kind == "mark":
                if following.text == _CLOSING[token.text] or depth == 0:
                    self.at += 1
                    found.end = following.end
                else:
                    found.end = following.start
                return found
            read(found.members, depth)
        return found

    def member(self, members: list[LooseMember], depth: int) -> None:
        if self.comma(members):
            return
        found = LooseMember()
        token = self.peek()
        if token is not None and token.kind != "mark":
            found.key = token
            self.at += 1
        if self.is_mark(":"):
            colon = self.peek()
            found.colon = None if colon is None else colon.start
            self.at += 1
            if not self.is_mark(":", 1):
                found.value = self.value(depth + 1)
        elif found.key is None:
            found.value = self.value(depth + 1)
        members.append(found)

    def item(self, members: list[LooseMember], depth: int) -> None:
        if self.comma(members):
            return
        if self.is_mark(":"):
            self.at += 1
            return
        members.append(LooseMember(value=self.value(depth + 1)))

    def comma(self, members: list[LooseMember]) -> bool:
        token = self.peek()
        if token is None or not self.is_mark(","):
            return False
        if members and members[-1].comma is None:
            members[-1].comma = token.start
        self.at += 1
        return True


def _trailing_backslashes(text: str) -> int:
    inner = text[1:-1]
    return len(inner) - len(inner.rstrip("\\"))
