"""The places and names through which code is reached."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.script.syntax.node import Node


class NameKind(Enum):
    """What an external name is the name of."""

    PROPERTY = "a property"
    EXPORT = "what a module exports"
    GLOBAL = "a variable that the scripts of a page share"


class ExternalName(Struct, frozen=True):
    """A name by which other scripts may run something."""

    text: str
    kind: NameKind = NameKind.PROPERTY


class EntryPoints(Struct, frozen=True):
    """Places one of which is on every path to some code: uses in its script, and names that others may use.

    `direct` is true where a use that is a call throws what the code throws.
    """

    uses: tuple[Node, ...]
    names: tuple[ExternalName, ...] = ()
    direct: bool = True
