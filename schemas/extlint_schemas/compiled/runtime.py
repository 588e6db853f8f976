"""The names that compiled schemas import."""

from __future__ import annotations

import re


class Refused(ValueError):  # noqa: N818
    """The schema rejects the value."""


class Patterns(dict[str, re.Pattern[str]]):
    """Regular expressions by their names in the schema, each compiled on first use."""

    def __init__(self, sources: dict[str, str]) -> None:
        super().__init__()
        self.sources = sources

    def __missing__(self, name: str) -> re.Pattern[str]:
        self[name] = re.compile(self.sources[name])
        return self[name]
