"""One mistake in a JSON value, in the author's words."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.text.wording import after_semicolon, asked, listed, quoted, use

Scalar: TypeAlias = str | int | float | bool

Steps: TypeAlias = tuple[str | int, ...]
"""A path of keys and indexes from the top of a JSON value."""


class Reaction(IntEnum):
    """What a browser does with a value that is wrong, the mildest first."""

    LEAVES = 1
    """It ignores the value, which is there for another browser."""
    IGNORES = 2
    """It ignores the value, or warns about it."""
    REFUSES = 3
    """It refuses the extension, or the file."""


class Mistake(Struct, frozen=True):
    """What is wrong at one place of a JSON value, and the rule that tells it.

    `message` says what is wrong. `suggestion` is what to write at the place instead, where that can be told,
    and `accepted` else what can stand there, as a phrase. `replacement` is what does the same elsewhere, for
    what is right by itself and not allowed here: a key (`background.service_worker`) or a phrase.

    The place is the value at `steps`, or with `at_key` the key by which its object has it. `missing` are
    the keys of which the object at `steps` lacks one, where that is the mistake; `beside` leads to another
    key that has to do with it. `reaction` is what the browser does about it, by which the finding is an
    error, a warning or a note; None leaves that to the rule. `is_reserved` is true of a key or value that the
    browser knows and keeps for other extensions. `general` and `reason` are those of a finding; None leaves
    them to what is known of the place. Where `general` is the message, the reason is what is meant or
    accepted.
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
    beside: Steps | None = None
    reaction: Reaction | None = None
    is_reserved: bool = False
    general: str | None = None
    reason: str | None = None

    def reworded(self, message: str, *, general: str | None = None, reason: str | None = None) -> Mistake:
        """The same mistake in other words, for one browser and in general."""
        return replace(self, message=message, suggestion=None, accepted=None, general=general, reason=reason)

    @property
    def sentence(self) -> str:
        """What is wrong, and what is right as far as that is known."""
        return self.message + after_semicolon(self._hint)

    @property
    def advice(self) -> str | None:
        """What to do about it."""
        return use(self.replacement) if self.help is None and self.replacement is not None else self.help

    @property
    def own_reason(self) -> str | None:
        """What is said beside the general words for one browser; None for the whole sentence."""
        return (self._hint or "") if self.reason is None and self.general == self.message else self.reason

    @property
    def _hint(self) -> str | None:
        return self.accepted if self.suggestion is None else asked(scalar_text(self.suggestion))

    def instead_of(self, missing: Mistake) -> Mistake:
        """The mistake of a key that stands for one that is missing, as bad as that."""
        is_bad = missing.reaction or Reaction.REFUSES
        reaction = is_bad if self.reaction is None else max(self.reaction, is_bad)
        return replace(
            self, reaction=reaction, help=f"{listed(list(map(quoted, missing.missing)), 'or')} is required"
        )


def scalar_text(value: Scalar) -> str:
    """A scalar of JSON as it is written there; a string without its quotes."""
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value)
