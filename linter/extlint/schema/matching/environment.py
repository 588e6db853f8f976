"""The environment of a match, in addition to the value and the type."""

from __future__ import annotations

from msgspec import Struct, field

from extlint.schema.engine import Engine
from extlint.schema.model import SchemaSet
from extlint.schema.types import RefType, Type


class Environment(Struct, frozen=True):
    """The schemas that references refer to, the engine whose rules apply, and the manifest version.

    `clones_messages` is true if the manifest makes Chrome clone messages instead of sending JSON.
    """

    schemas: SchemaSet
    engine: Engine = Engine.GECKO
    manifest_version: int = 2
    clones_messages: bool = False
    _targets: dict[RefType, Type | None] = field(default_factory=dict)

    @property
    def is_gecko(self) -> bool:
        """Whether Gecko's rules apply."""
        return self.engine is Engine.GECKO

    def resolve(self, kind: Type) -> Type | None:
        """Returns the type itself, or the target of a reference, or None if that is missing or circular."""
        if not isinstance(kind, RefType):
            return kind
        if kind not in self._targets:
            self._targets[kind] = self._follow(kind)
        return self._targets[kind]

    def _follow(self, ref: RefType) -> Type | None:
        visited = {ref}
        found = self.schemas.resolve(ref)
        while isinstance(found, RefType):
            if found in visited:
                return None
            visited.add(found)
            found = self.schemas.resolve(found)
        return found
