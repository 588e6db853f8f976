"""A finding of a rule: one mistake at one location."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from extlint.schema.targets import SPECIFICATION
from extlint.text.positions import Span


class Severity(IntEnum):
    """The severity of a finding; a higher number is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Related(Struct, frozen=True):
    """A second location that explains a finding, with its own short label."""

    path: str
    span: Span
    message: str


class Edit(Struct, frozen=True):
    """A text edit: `text` replaces the text at `span`. An empty span is an insertion point.

    `path` is relative to the extension's root. `text` has the line ends of the file.
    """

    path: str
    span: Span
    text: str


class Fix(Struct, frozen=True):
    """A fix of a mistake: edits that belong together and are applied all or not at all.

    A fix is safe if it certainly does what the author meant, and nothing else; a user must review the changes
    of others. `message` describes the edits as an imperative sentence without a period.
    """

    safe: bool
    edits: tuple[Edit, ...]
    message: str


class Finding(Struct, frozen=True):
    """One mistake at one location of one extension.

    `path` is relative to the extension's root with `/` between its parts; `api` is the member that
    the finding is about (`management.getAll`), if any; `help` suggests an alternative.

    `general` is the message in wording that holds in every browser that reports the mistake, whatever its
    reasons. It identifies mistakes at one location: findings with the same `general` are one mistake. A rule
    without such wording leaves it None. `reason` is the additional text for a single browser, or None for the
    entire message.

    `fix` is right for every one of `targets`. `must_run` is true if the finding says what happens when the
    code runs, so that it is wrong for code that never does.
    """

    rule: str
    severity: Severity
    message: str
    path: str
    span: Span
    api: str | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    targets: tuple[str, ...] = (SPECIFICATION,)
    general: str | None = None
    reason: str | None = None
    fix: Fix | None = None
    must_run: bool = False

    def sort_key(self) -> tuple[str, Span, str, str]:
        """Returns the sort key of an extension's findings: file, location, rule."""
        return self.path, self.span, self.rule, self.message
