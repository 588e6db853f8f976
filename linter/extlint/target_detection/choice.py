"""The targets of an extension, with who chose them and why."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from extlint.targets.request import Target


class Origin(Enum):
    """Who chose targets: the user, or what an extension says of itself. The value is how JSON has it."""

    OPTION = "option"
    CONFIGURATION = "configuration"
    NAME = "name"
    MANIFEST = "manifest"
    DEFAULT = "default"


class Choice(Struct, frozen=True):
    """The targets of an extension, who chose them, and a clause that says why.

    Output shows the reason after a colon: "checked for chrome: the background is a service worker".
    `is_of_thunderbird` is true where the reference target stands for Thunderbird.
    """

    targets: tuple[Target, ...]
    origin: Origin
    reason: str
    is_of_thunderbird: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The targets without their versions."""
        return tuple(each.name for each in self.targets)


def asked(targets: Sequence[Target]) -> Choice:
    """The choice of a user who gives the option."""
    return Choice(tuple(targets), Origin.OPTION, "--target says so")


def configured(targets: Sequence[Target], file: str) -> Choice:
    """The choice of a configuration, which is a file."""
    return Choice(tuple(targets), Origin.CONFIGURATION, f"{file} says so")
