"""Functions on paths on disk. Paths are strings here, as loading pathlib takes a twentieth of a short run."""

from __future__ import annotations

import os
from collections.abc import Iterator


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
