"""Determines which of the extensions that a search finds are checked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct


class SkippedBy(Enum):
    """The reason why an extension, or one of its manifests, is not checked. JSON output has the value."""

    GIT = "gitignore"
    CONFIGURATION = "exclude"
    TARGET = "target"
    NAME = "name"
    COPY = "copy"


class Skipped(Struct, frozen=True):
    """An extension that is not checked, with the path at which it would be known and the reason."""

    path: str
    by: SkippedBy


class ConfiguredManifests(Struct, frozen=True):
    """Manifests that a configuration names, and the `root` that the paths in them are relative to.

    All paths are absolute.
    """

    root: str
    manifests: tuple[str, ...]


class Scope:
    """Decides which extensions below a folder are checked, and records those that are not.

    This class checks all.
    """

    def __init__(self) -> None:
        self.skipped: list[Skipped] = []

    is_named_by_user = True
    """Whether the user names the paths, and no tool.

    Then a part of a manifest outside of any extension's folder is checked as a manifest, and files are judged
    that nothing loads.
    """

    reads_projects = False
    """Whether a project in which a framework makes the manifest is an extension before it is built."""

    def entries(self, folder: str) -> Sequence[ConfiguredManifests]:  # noqa: ARG002
        """Returns the extensions in or below a folder whose manifests a configuration names."""
        return ()

    def entry_with(self, file: str) -> ConfiguredManifests | None:  # noqa: ARG002
        """Returns the extension configured for a file, which is its manifest or below its root, or None.

        A manifest is returned without the others of its extension. The path is absolute.
        """
        return None

    def skips(self, folder: str, path: str) -> SkippedBy | None:  # noqa: ARG002
        """Returns the reason why an extension is not checked, or None if it is.

        Called for each manifest, by its path below the folder that is searched.
        """
        return None
