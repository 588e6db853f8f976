"""The names in a document that lead to other files, or to entries of files."""

from __future__ import annotations

from msgspec import Struct

from extlint.text.json.values import Step
from extlint.text.positions import ByteSpan


class Target(Struct, frozen=True):
    """A file, or the entry in a JSON file at a path of keys and indexes."""

    path: str
    steps: tuple[Step, ...] = ()


class Name(Struct, frozen=True):
    """A name in a document, its byte range without quotes, and what it leads to, the likeliest first."""

    span: ByteSpan
    targets: tuple[Target, ...]

    def contains(self, offset: int) -> bool:
        """Whether an offset is in the name, or at its end."""
        return self.span[0] <= offset <= self.span[1]
