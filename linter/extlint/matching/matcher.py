"""What the match of a part of a value asks of the match of the whole."""

from __future__ import annotations

from typing import Protocol

from extlint.matching.environment import Environment
from extlint.matching.verdict import No, Path, Verdict
from extlint.schema.types import Type
from extlint.script.facts.values import Value


class Matcher(Protocol):
    """The match of a whole value, with the work that is left for it."""

    env: Environment

    def verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Whether a value fits a type; `path` leads to it from the value that is matched."""
        ...

    def optional(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Like `verdict`, where null and undefined stand for nothing at all."""
        ...

    def refused(self, value: Value, path: Path, expected: str, nearest: str | None = None) -> No:
        """The refusal of a value as a whole."""
        ...
