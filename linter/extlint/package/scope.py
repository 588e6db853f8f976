"""Which of the extensions that a search finds are checked."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from msgspec import Struct


class SkippedBy(Enum):
    """What says that an extension is not checked. JSON output has the value."""

    GIT = "gitignore"
    CONFIGURATION = "exclude"


class Skipped(Struct, frozen=True, order=True):
    """An extension that is not checked, by the path at which it would be known, and what says so."""

    path: str
    by: SkippedBy


class Scope:
    """Decides which extensions below a folder are checked, and has those that are not: here all are."""

    def __init__(self) -> None:
        self.skipped: list[Skipped] = []

    def skips(self, folder: Path, path: str) -> SkippedBy | None:  # noqa: ARG002
        """What says that an extension is not checked, if anything does.

        It is asked about each manifest, by its path, below a folder that is searched.
        """
        return None
