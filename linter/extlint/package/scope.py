"""Which of the extensions that a search finds are checked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct


class SkippedBy(Enum):
    """What says that an extension is not checked, or one of its manifests. JSON output has the value."""

    GIT = "gitignore"
    CONFIGURATION = "exclude"
    TARGET = "target"


class Skipped(Struct, frozen=True):
    """An extension that is not checked, by the path at which it would be known, and what says so."""

    path: str
    by: SkippedBy


class GivenManifests(Struct, frozen=True):
    """Manifests that a configuration names, and the `root` that the paths in them are relative to.

    All paths here are absolute.
    """

    root: str
    manifests: tuple[str, ...]


class Scope:
    """Decides which extensions below a folder are checked, and has those that are not: here all are."""

    def __init__(self) -> None:
        self.skipped: list[Skipped] = []

    has_parts = True
    """Whether a file with a part of a manifest is checked as one if no extension's folder has it."""

    def entries(self, folder: str) -> Sequence[GivenManifests]:  # noqa: ARG002
        """The extensions in or below a folder of which a configuration says where their manifests are."""
        return ()

    def entry_with(self, file: str) -> GivenManifests | None:  # noqa: ARG002
        """The extension of which a configuration says that a file is a manifest, or lies below its root.

        A manifest comes without the others of its extension. The path is absolute.
        """
        return None

    def skips(self, folder: str, path: str) -> SkippedBy | None:  # noqa: ARG002
        """What says that an extension is not checked, if anything does.

        It is asked about each manifest, by its path, below a folder that is searched.
        """
        return None
