"""The model of a comment that suppresses findings."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.text.positions import Position, Span

END = Position(1 << 60, 1)
"""A position after the end of every file."""


class Directive(Enum):
    """The directive of a comment."""

    NEXT_LINE = "extlint-disable-next-line"
    LINE = "extlint-disable-line"
    DISABLE = "extlint-disable"
    ENABLE = "extlint-enable"


class Scope(Struct, frozen=True):
    """The findings that a comment suppresses through one of its names, or through having no names.

    `name` is that of a rule or a group as written, and `span` its location; None means all rules. `rules` are
    the rules that the name stands for, empty if it is unknown. Suppressed findings start at `start` or later,
    and before `end`; those of a rule in `ends` only before the position given there.

    `is_decided` is true if the scope certainly suppresses nothing, in any run on the same files: its name is
    useless.
    """

    name: str | None
    span: Span
    rules: tuple[str, ...]
    start: Position
    end: Position = END
    ends: tuple[tuple[str, Position], ...] = ()
    is_decided: bool = False

    def covers(self, rule: str, place: Position) -> bool:
        """Whether the scope suppresses a finding of a rule that starts at a position."""
        if rule not in self.rules or not self.start <= place < self.end:
            return False
        return all(each != rule or place < end for each, end in self.ends)


class Removal(Struct, frozen=True):
    """An edit that removes a comment from a file."""

    span: Span
    text: str = ""


class Comment(Struct, frozen=True):
    """An extlint comment in a file.

    `word` is the first word, empty if the comment was not read. If that word is unknown, it has the directive
    None and an empty tuple of scopes. The scopes of an `ENABLE` cover nothing. `names` is the span of the
    list of names, or None without names. `reason` is the text after `--`. `removals` are the edits that
    remove the whole comment, and the comments that are useless without it; empty if no edit can do that.
    `is_useless` is true for an `ENABLE` that ends nothing.
    """

    path: str
    span: Span
    word: str
    directive: Directive | None
    scopes: tuple[Scope, ...] = ()
    names: Span | None = None
    reason: str | None = None
    removals: tuple[Removal, ...] = ()
    is_useless: bool = False
