"""The exports of other modules of the package, as a script that imports them sees them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from extlint.analysis.facts.omissions import Omission
from extlint.analysis.facts.values import Value

Exports: TypeAlias = Mapping[str, Value]
"""The summaries of the values that a module exports, by name."""


class OwnExports(Struct, frozen=True):
    """The exports of a script, without the rest of its facts, and any omission in their analysis."""

    exports: Exports
    omission: Omission | None = None
    star_exports: tuple[str, ...] = ()
    """The names of the modules in `export * from`, whose exports are not in `exports`."""


class _NoExports(dict[str, Value]):
    """The exports of no script; a singleton, even after it is copied from bytes, and equal only to itself."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> str:
        return "NO_EXPORTS"


NO_EXPORTS: Exports = _NoExports()


class Demand(IntEnum):
    """The exports of a script that other scripts request; each level includes the previous ones."""

    NONE = 0
    """No script is known to import it."""

    OF_API = 1
    """Exports that are the API, contain it or return it."""

    ALL = 2
    """Also constants and the implications of conditions."""


class ImportResolver(Protocol):
    """Finds the exports of a module by the name in an import."""

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """Returns the exports, or `NO_EXPORTS` itself if the name refers to no script of the package.

        `of_api` requests only those that are the API, contain it or return it; a script that cannot name the
        API is then not parsed.
        """
        ...


def no_modules(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
    """Returns no exports, for a script that is analyzed by itself."""
    return NO_EXPORTS
