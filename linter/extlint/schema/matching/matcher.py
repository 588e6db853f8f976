"""The interface of the outermost match for the matches of its parts."""

from __future__ import annotations

from typing import Protocol

from extlint.analysis.facts.values import Value
from extlint.schema.matching.environment import Environment
from extlint.schema.matching.verdict import No, Path, Verdict
from extlint.schema.types import Type


class Matcher(Protocol):
    """The match of the outermost value, and the work that remains for it."""

    env: Environment

    def verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns whether a value matches a type; `path` leads to it from the outermost value."""
        ...

    def optional_verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns the same as `verdict`, but null and undefined stand for an omitted value."""
        ...

    def refusal(self, value: Value, path: Path, expected: str, nearest: str | None = None) -> No:
        """Returns the refusal of a value as a whole."""
        ...
