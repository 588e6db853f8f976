"""One mistake in a JSON value, in the author's words."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.finding import Severity

Steps: TypeAlias = tuple[str | int, ...]
"""A path of keys and indexes from the top of a JSON value."""


class Mistake(Struct, frozen=True):
    """What is wrong at one place of a JSON value, and the rule that tells it.

    The place is the value at `steps`, or with `at_key` the key by which its object has it. `missing` are
    the keys of which the object at `steps` lacks one, where that is the mistake; `beside` leads to another
    key that has to do with it. `severity` says what the browser makes of it: an error where it refuses the
    whole, a warning where it passes over the value, a note where that is there for another browser; None
    leaves it to the rule. `is_reserved` is true of a key or value that the browser knows and keeps for other
    extensions. `general` and `reason` are those of a finding; None leaves them to what is known of
    the place.
    """

    rule: str
    steps: Steps
    message: str
    at_key: bool = False
    help: str | None = None
    missing: tuple[str, ...] = ()
    beside: Steps | None = None
    severity: Severity | None = None
    is_reserved: bool = False
    general: str | None = None
    reason: str | None = None

    def reworded(self, message: str, *, general: str | None = None, reason: str | None = None) -> Mistake:
        """The same mistake in other words, for one browser and in general."""
        return replace(self, message=message, general=general, reason=reason)
