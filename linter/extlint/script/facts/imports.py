"""The exports of other modules of the package, as a script that imports them looks them up."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from extlint.script.facts.omissions import Omission
from extlint.script.facts.values import Value

Exports: TypeAlias = Mapping[str, Value]
"""The summaries of the values that a module exports, by name."""


class OwnExports(Struct, frozen=True):
    """What a script exports, without the rest of its facts, and what of that was left out."""

    exports: Exports
    omission: Omission | None = None
    star_exports: tuple[str, ...] = ()
    """The names of the modules in `export * from`. What these export is not in `exports`."""


class _NoExports(dict[str, Value]):
    """The exports of no script. There is one object, also where it is copied from bytes."""

    def __reduce__(self) -> str:
        return "NO_EXPORTS"


NO_EXPORTS: Exports = _NoExports()


class Demand(IntEnum):
    """Which exports of a script other scripts ask for; each includes those before it."""

    NONE = 0
    """No script is known to import it."""

    OF_API = 1
    """Those that are the API, contain it or return it."""

    ALL = 2
    """The constants and the implications of conditions, too."""


class ImportResolver(Protocol):
    """Finds the exports of a module by the name in an import."""

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """The exports; `NO_EXPORTS` itself if no script of the package is meant.

        `of_api` asks only for those that are the API, contain it or return it; a script that cannot name the
        API is then not parsed.
        """
        ...


def no_modules(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
    """The exports of a module for a script that is analysed by itself."""
    return NO_EXPORTS
