"""Reads files of the pinned packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from extlint_facts.packages.downloaded import read_member
from extlint_facts.packages.pin import Pin


class Packages:
    """Access to the pinned packages. `locate` finds or downloads each one when it is first read."""

    def __init__(self, pinned: Mapping[str, Pin], locate: Callable[[Pin], Path]) -> None:
        self._pinned = pinned
        self._locate = locate
        self._located: dict[str, Path] = {}

    def pin(self, package: str) -> Pin:
        """Returns the pinned version of a package. Raises KeyError if it is not pinned."""
        return self._pinned[package]

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pinned packages."""
        return tuple(self._pinned.values())

    def read(self, package: str, member: str) -> str:
        """Returns the text of a file in a package (`dist/main.js`).

        Raises PackageError if the package is not available, is not the pinned one, or has no such file.
        """
        if package not in self._located:
            self._located[package] = self._locate(self._pinned[package])
        return read_member(self._located[package], member)
