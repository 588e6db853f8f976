"""The entry points through which code is reached: references and external names."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.analysis.syntax.node import Node


class NameKind(Enum):
    """The kind of an external name."""

    PROPERTY = "a property"
    EXPORT = "what a module exports"
    MODULE = "a module that the scripts of a bundle share"
    GLOBAL = "a variable that the scripts of a page share"


class ExternalName(Struct, frozen=True):
    """A name by which other scripts may run code."""

    text: str
    kind: NameKind = NameKind.PROPERTY


class EntryPoints(Struct, frozen=True):
    """Entry points of some code.

    Every path to it passes through one of them: uses in its script, and names for other scripts.

    `direct` is true if a use that is a call propagates exceptions of the code.
    """

    uses: tuple[Node, ...]
    names: tuple[ExternalName, ...] = ()
    direct: bool = True
