"""One mistake in a JSON value, in terms of its author."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.text.wording import after_semicolon, listed, name_suggestion, quoted, use

Scalar: TypeAlias = str | int | float | bool

Steps: TypeAlias = tuple[str | int, ...]
"""A path of keys and indexes from the root of a JSON value."""


class Reaction(IntEnum):
    """A browser's reaction to a wrong value, the mildest first."""

    SKIPS = 1
    """It ignores the value, which is meant for another browser."""
    IGNORES = 2
    """It ignores the value, or warns about it."""
    REJECTS = 3
    """It rejects the extension, or the file."""


class Mistake(Struct, frozen=True):
    """A mistake at one location of a JSON value, and the rule that reports it.

    `message` describes the mistake. `suggestion` is the correct value for the location, if it can be
    determined, and `accepted` otherwise the accepted values, as a phrase. `replacement` does the same
    elsewhere, for a value that is valid in itself but not allowed here: a key (`background.service_worker`)
    or a phrase.

    The location is the value at `steps`, or with `at_key` its key in the object. `missing` are the keys
    required in the object at `steps` (any one suffices), if their absence is the mistake; `related_steps`
    leads to another key that is involved. `reaction` is the browser's reaction, which makes the finding an
    error, a warning or a note; None leaves that to the rule. `is_reserved` is true for a key or value that
    the browser knows and reserves for other extensions. `general` and `reason` are those of a finding; None
    leaves them to the facts known about the location. If `general` is the message, the reason is the
    suggestion or the accepted values.
    """

    rule: str
    steps: Steps
    message: str
    at_key: bool = False
    suggestion: Scalar | None = None
    accepted: str | None = None
    replacement: str | None = None
    help: str | None = None
    missing: tuple[str, ...] = ()
    related_steps: Steps | None = None
    reaction: Reaction | None = None
    is_reserved: bool = False
    general: str | None = None
    reason: str | None = None

    def reworded(self, message: str, *, general: str | None = None, reason: str | None = None) -> Mistake:
        """Returns the same mistake with other wording, for one browser and in general."""
        return replace(self, message=message, suggestion=None, accepted=None, general=general, reason=reason)

    @property
    def sentence(self) -> str:
        """The mistake, and the correct value as far as it is known."""
        return self.message + after_semicolon(self._hint)

    @property
    def advice(self) -> str | None:
        """The advice for fixing it."""
        return use(self.replacement) if self.help is None and self.replacement is not None else self.help

    @property
    def own_reason(self) -> str | None:
        """The addition to the general message for one browser, or None for the whole sentence."""
        return (self._hint or "") if self.reason is None and self.general == self.message else self.reason

    @property
    def _hint(self) -> str | None:
        return self.accepted if self.suggestion is None else name_suggestion(scalar_text(self.suggestion))

    def in_place_of(self, missing: Mistake) -> Mistake:
        """Returns the mistake of a key that stands for a missing one, with at least its severity."""
        is_bad = missing.reaction or Reaction.REJECTS
        reaction = is_bad if self.reaction is None else max(self.reaction, is_bad)
        return replace(
            self, reaction=reaction, help=f"{listed(list(map(quoted, missing.missing)), 'or')} is required"
        )


def scalar_text(value: Scalar) -> str:
    """Returns a JSON scalar as written in JSON; a string without its quotes."""
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value)
