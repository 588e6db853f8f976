"""The choice of an extension's targets: its origin and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from extlint.schema.targets import Target


class Origin(Enum):
    """The origin of the targets: the user, or something in the extension. JSON output contains the value."""

    OPTION = "option"
    CONFIGURATION = "configuration"
    NAME = "name"
    MANIFEST = "manifest"
    PROJECT = "project"
    SCRIPTS = "scripts"
    DEFAULT = "default"


class Choice(Struct, frozen=True):
    """The targets of an extension, their origin, and clauses that give the reasons.

    Output shows them after a colon: "checked for chrome: the background is a service worker".
    `is_of_thunderbird` is true if the reference target stands for Thunderbird.
    """

    targets: tuple[Target, ...]
    origin: Origin
    reasons: tuple[str, ...]
    is_of_thunderbird: bool = False

    @property
    def reason(self) -> str:
        """The reasons in one clause, without repetitions."""
        parts = {each for each in self.reasons if any(other.startswith(f"{each};") for other in self.reasons)}
        return ", and ".join(each for each in dict.fromkeys(self.reasons) if each not in parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The targets without their versions."""
        return tuple(each.name for each in self.targets)


NO_CHOICE = Choice((), Origin.DEFAULT, ("extlint failed before it found one",))
"""The choice if extlint itself failed before it knew any target."""


def chosen_by_option(targets: Sequence[Target]) -> Choice:
    """Returns the choice of a user who passes the option `--target`."""
    return Choice(tuple(targets), Origin.OPTION, ("--target says so",))


def chosen_by_configuration(targets: Sequence[Target], file: str) -> Choice:
    """Returns the choice made by a configuration file."""
    return Choice(tuple(targets), Origin.CONFIGURATION, (f"{file} says so",))
