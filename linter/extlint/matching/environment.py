"""What decides a match besides the value and the type."""

from __future__ import annotations

from msgspec import Struct, field

from extlint.schema.engine import Engine
from extlint.schema.model import SchemaSet
from extlint.schema.types import RefType, Type


class Environment(Struct, frozen=True):
    """The schemas that references point into, whose rules hold, and the extension's manifest version."""

    schemas: SchemaSet
    engine: Engine = Engine.GECKO
    manifest_version: int = 2
    _targets: dict[RefType, Type | None] = field(default_factory=dict)

    @property
    def is_gecko(self) -> bool:
        """Whether Gecko's rules hold."""
        return self.engine is Engine.GECKO

    def resolve(self, kind: Type) -> Type | None:
        """The type itself, or what a reference leads to; None if it leads nowhere or in a circle."""
        if not isinstance(kind, RefType):
            return kind
        if kind not in self._targets:
            self._targets[kind] = self._follow(kind)
        return self._targets[kind]

    def _follow(self, ref: RefType) -> Type | None:
        seen = {ref}
        found = self.schemas.resolve(ref)
        while isinstance(found, RefType):
            if found in seen:
                return None
            seen.add(found)
            found = self.schemas.resolve(found)
        return found
