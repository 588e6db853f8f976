"""What a rule says: one mistake at one place."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from extlint.targets.request import SPECIFICATION
from extlint.text.positions import Span


class Severity(IntEnum):
    """How bad a finding is; a higher number is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Related(Struct, frozen=True):
    """A second place that explains a finding, with its own short label."""

    path: str
    span: Span
    message: str


class Edit(Struct, frozen=True):
    """A change of a text: what stands in `span` becomes `text`. An empty span is a place to insert it at.

    `path` is relative to the extension's root. `text` has the line ends of the file.
    """

    path: str
    span: Span
    text: str


class Fix(Struct, frozen=True):
    """What mends a mistake: edits that belong together, of which all are applied or none.

    A fix is safe if it certainly does what the author meant, and nothing else; the others need a look at
    what they changed. `message` says what the edits do, as an imperative sentence without a period.
    """

    safe: bool
    edits: tuple[Edit, ...]
    message: str


class Finding(Struct, frozen=True):
    """One mistake at one place of one extension.

    `path` is relative to the extension's root with `/` between its parts; `api` is the member that
    the finding is about (`management.getAll`), if there is one; `help` says what to do instead.

    `general` is the message in words that hold in every browser that refuses this, whatever its reasons. It
    tells mistakes at one place apart: where it is the same, it is one mistake. None if the rule has no such
    words. `reason` is what is said beside it for the browser alone, None for the whole message.

    `fix` is right for every one of `targets`.
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

    def order(self) -> tuple[str, Span, str, str]:
        """What the findings of an extension are sorted by: file, place, rule."""
        return self.path, self.span, self.rule, self.message
