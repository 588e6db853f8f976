"""What other modules of the package export, as a script that imports them asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeAlias

from extlint.script.facts.values import Value

Exports: TypeAlias = Mapping[str, Value]
"""The values that a module exports, by name, as far as they mean the same in any script."""

NO_EXPORTS: Exports = {}


class ImportResolver(Protocol):
    """Finds the exports of a module by the name in an import."""

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """The exports; `NO_EXPORTS` itself if no script of the package is meant.

        `of_api` asks for those alone that are the API, hold it or give it, for which a script that
        cannot name the API is not parsed.
        """
        ...


def no_modules(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
    """The exports of a module where the script stands alone."""
    return NO_EXPORTS
