"""Errors in options or files that a user writes, and the locations of those in a configuration."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class UsageError(Exception):
    """An error whose text is a sentence for the user."""


Step: TypeAlias = str | int
"""A key in a table or an index in a list: one step of the path to a value."""


class ConfigurationError(Exception):
    """An error message about a value, and the steps of the path to the value.

    `at_key` is true if the key is wrong, not the value. `part` is the part of the value that is wrong.
    """

    def __init__(
        self, sentence: str, steps: tuple[Step, ...], *, at_key: bool = False, part: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.steps = steps
        self.at_key = at_key
        self.part = part


class Place(Struct, frozen=True):
    """The location of a value in a configuration. `folder` is the folder of the file, as users write it."""

    folder: str
    steps: tuple[Step, ...] = ()

    def at(self, step: Step) -> Place:
        """Returns the location one step further."""
        return Place(self.folder, (*self.steps, step))

    @property
    def key(self) -> str:
        """The nearest key, as messages name it."""
        return next(str(step) for step in reversed(self.steps) if isinstance(step, str))

    def mistake(self, sentence: str, *, at_key: bool = False, part: str | None = None) -> ConfigurationError:
        """Returns an error with this message at this location."""
        return ConfigurationError(sentence, self.steps, at_key=at_key, part=part)
