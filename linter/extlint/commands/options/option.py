"""What an option of a command is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from extlint.configuration.usage_error import UsageError


class Option(Struct, frozen=True):
    """An option: how it is written, what help says of it, and what is made of what a user gives.

    `flags` are its spellings; the last one gives it its name, unless `renamed` does. It takes a value, which
    help calls `metavar`; without that it is a flag. `meaning` gets the text that is given, or
    `default` if none is, and of a repeatable option all texts; it raises UsageError. `completions` are what
    shells complete.
    """

    flags: tuple[str, ...]
    help: str
    metavar: str | None = None
    default: str | None = None
    is_repeatable: bool = False
    meaning: Callable[[Any], Any] | None = None
    completions: Callable[[str], list[str]] | None = None
    renamed: str | None = None

    @property
    def name(self) -> str:
        """The name of its value."""
        return self.renamed or self.flags[-1].lstrip("-").replace("-", "_")

    def value(self, given: Sequence[str]) -> Any:
        """The value, from all that is given for it; any text stands for a flag. Raises UsageError."""
        read: Any = given[-1] if given else self.default
        if self.metavar is None:
            read = bool(given)
        elif self.is_repeatable:
            read = tuple(given)
        return read if self.meaning is None else self.meaning(read)


def names_option(
    flag: str,
    noun: str,
    meaning: Callable[[Sequence[str]], tuple[Any, ...]],
    help: str,
    *,
    metavar: str = "NAME",
    renamed: str | None = None,
) -> Option:
    """An option that takes names of rules or targets, as the noun says, repeated or separated by commas."""

    def meant(given: Sequence[str]) -> tuple[Any, ...]:
        found = meaning(given)
        if given and not found:
            raise UsageError(f"option {flag} requires the name of a {noun}")
        return found

    return Option(
        (flag,),
        help,
        metavar,
        is_repeatable=True,
        meaning=meant,
        completions=completed(noun),
        renamed=renamed,
    )


def completed(kind: str) -> Callable[[str], list[str]]:
    """What completes names of a kind in shells: `rule`, `target`, `level`, `color`, or `api`."""

    def complete(incomplete: str) -> list[str]:
        from extlint.configuration.completion import completions

        return completions(kind, incomplete)

    return complete
