"""The model of a comment that suppresses findings."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.text.positions import Position, Span

END = Position(1 << 60, 1)
"""A place behind the end of every file."""


class Directive(Enum):
    """What a comment says."""

    NEXT_LINE = "extlint-disable-next-line"
    LINE = "extlint-disable-line"
    DISABLE = "extlint-disable"
    ENABLE = "extlint-enable"


class Scope(Struct, frozen=True):
    """What a comment suppresses by one of the names in it, or by naming none.

    `name` is that of a rule or a group as it is written, with its place; None where all rules are meant.
    `rules` are those that the name stands for, none if it is unknown. Findings are suppressed that begin at
    `start` or later, and before `end`; those of a rule among `ends` only before the place that stands there.

    `is_decided` is true if nobody who checks the file as it is may have another answer: where nothing is
    suppressed, the name is of no use.
    """

    name: str | None
    span: Span
    rules: tuple[str, ...]
    start: Position
    end: Position = END
    ends: tuple[tuple[str, Position], ...] = ()
    is_decided: bool = False

    def covers(self, rule: str, place: Position) -> bool:
        """Whether a finding of a rule is suppressed that begins at a place."""
        if rule not in self.rules or not self.start <= place < self.end:
            return False
        return all(each != rule or place < end for each, end in self.ends)


class Removal(Struct, frozen=True):
    """An edit of a file that takes a comment away."""

    span: Span
    text: str = ""


class Comment(Struct, frozen=True):
    """A comment of extlint in a file.

    `word` is what it begins with, empty if it was not read. `directive` is None, and there are no scopes, if
    that means nothing. The scopes of an `ENABLE` cover nothing. `names` is the place of the list of names,
    None without any. `reason` is what the author wrote behind `--`. `removals` are the edits that take the
    whole comment away, with those that are of no use without it; none if that cannot be done by an edit.
    `is_useless` is true of an `ENABLE` that ends nothing.
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
