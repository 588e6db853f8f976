"""Functions on paths on disk, and the links among the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping


def with_slashes(path: str) -> str:
    """Returns a path with `/` between its parts, as users and packages write it."""
    return path.replace(os.sep, "/")


def with_parents(folder: str) -> Iterator[str]:
    """Yields an absolute path and the folders above it, the nearest first."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def is_in(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or is below it."""
    top = os.path.normcase(folder).rstrip(os.sep)
    return os.path.normcase(path) == top or os.path.normcase(path).startswith(top + os.sep)


def below(path: str, folder: str) -> str:
    """Returns an absolute path relative to a folder."""
    return with_slashes(os.path.relpath(path, folder))


def is_below(path: str, folder: str) -> bool:
    """Whether a real path is below a real folder, which ends in a separator."""
    return os.path.normcase(path).startswith(os.path.normcase(folder))


class LinksOnDisk:
    """The links below a folder on disk.

    `base` is the folder's real path, ending in a separator. `links` maps each link to the real path it leads
    to, and `targets` each listed file to its real path if a link leads to it.
    """

    def __init__(self, base: str, links: Mapping[str, str], targets: Mapping[str, str | None]) -> None:
        self._base = base
        self._links = links
        self._targets = targets

    def links(self, folder: str) -> Mapping[str, str]:
        """Returns listed files below a folder that links lead to, each with its own path in that folder."""
        start = self._base + folder
        return {
            path[len(folder) :]: real[len(start) :].replace(os.sep, "/")
            for path, real in self._targets.items()
            if real is not None and path.startswith(folder) and is_below(real, start)
        }

    def leads_out(self, folder: str, path: str) -> bool:
        """Whether a link on the way to a path below a folder leads out of that folder."""
        steps = (folder + path).split("/")
        ways = ("/".join(steps[:length]) for length in range(folder.count("/") + 1, len(steps) + 1))
        return any(
            way in self._links and not is_below(self._links[way] + os.sep, self._base + folder)
            for way in ways
        )
