"""What is wrong with a configuration, and at which of its values."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Step: TypeAlias = str | int
"""The key in a table, or the index in a list, that leads one step down."""


class ConfigurationError(Exception):
    """A sentence about a value, and the steps that lead to it.

    `at_key` is true if its key is wrong, not the value. `part` is the part of the value that is wrong.
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
    """Where in a configuration a value is. `folder` is the folder of the file, as users call it."""

    folder: str
    steps: tuple[Step, ...] = ()

    def at(self, step: Step) -> Place:
        """The place one step further."""
        return Place(self.folder, (*self.steps, step))

    @property
    def key(self) -> str:
        """The nearest key, as messages call it."""
        return next(str(step) for step in reversed(self.steps) if isinstance(step, str))

    def mistake(self, sentence: str, *, at_key: bool = False, part: str | None = None) -> ConfigurationError:
        """The mistake here that a sentence tells."""
        return ConfigurationError(sentence, self.steps, at_key=at_key, part=part)
