"""JSON values with their positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, cast

from msgspec import Struct

from extlint.text.positions import ByteSpan

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

Step: TypeAlias = str | int
"""A key of an object, or the index of an item of an array, counted from 0."""


class JsonNode(Struct, frozen=True):
    """A JSON value and the byte range of its text (a string's includes the quotes)."""

    value: Scalar | Sequence[JsonNode] | Mapping[str, Member]
    span: ByteSpan

    @property
    def plain(self) -> JsonValue:
        """The value as `json.loads` would return it."""
        value = self.value
        if isinstance(value, tuple):
            return [item.plain for item in value]
        if isinstance(value, dict):
            return {key: member.node.plain for key, member in value.items()}
        return cast("JsonValue", value)

    def get(self, *path: str | int) -> JsonNode | None:
        """Returns the value below this one at a path of keys and indexes, or None if it does not exist."""
        node = self
        for step in path:
            if isinstance(node.value, dict) and isinstance(step, str) and step in node.value:
                node = node.value[step].node
            elif isinstance(node.value, tuple) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            else:
                return None
        return node

    def items(self) -> Sequence[JsonNode]:
        """Returns the items of an array; empty for any other value."""
        return self.value if isinstance(self.value, tuple) else ()

    def members(self) -> Iterator[tuple[str, Member]]:
        """Yields the members of an object, in order; nothing for any other value."""
        if isinstance(self.value, dict):
            yield from self.value.items()


Scalar: TypeAlias = str | int | float | bool | None


class Member(Struct, frozen=True):
    """A member of an object: the span of its key, and its value."""

    key: ByteSpan
    node: JsonNode


class Duplicate(Struct, frozen=True):
    """A key that an object has twice; browsers keep the last value."""

    name: str
    first: ByteSpan
    second: ByteSpan


class JsonProblem(Struct, frozen=True):
    """The reason why no browser accepts a text as JSON, and the byte range of the problem."""

    message: str
    span: ByteSpan


class Leniency(Struct, frozen=True):
    """A deviation from JSON that some browsers accept and others reject, and its byte range."""

    kind: LeniencyKind
    span: ByteSpan


class LeniencyKind(Enum):
    """Notations in JSON that one of the browsers rejects. Verified in Firefox 153.7 and Chromium 156."""

    BLOCK_COMMENT = "a comment with `/*`"
    LINE_END = "a line break in a string"
    SHORT_ESCAPE = "the escape `\\x`"
    HALF_PAIR = "half of a surrogate pair"


class Document(Struct, frozen=True):
    """The content of a JSON text. `root` is missing if and only if there is a `problem`.

    `leniencies` are in the order of the text, only the first of each kind.
    """

    root: JsonNode | None
    duplicates: Sequence[Duplicate] = ()
    problem: JsonProblem | None = None
    leniencies: Sequence[Leniency] = ()
