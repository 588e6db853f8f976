"""The files of a package as fixes have changed them, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from extlint.package.files import Package, Reader, WrappedPackage


class ChangedPackage(WrappedPackage):
    """The same files as another package, with other bytes at some paths.

    A file that has two names has its new bytes under both.
    """

    def __init__(self, package: Package, contents: Mapping[str, bytes]) -> None:
        super().__init__(package, variants=package.variants)
        self._contents = {own_path(package, path): data for path, data in contents.items()}

    def reader(self, path: str) -> Reader | None:
        """What reads a file, listed or not; None if there is no such file."""
        changed = self._contents.get(own_path(self, path))
        return self._package.reader(path) if changed is None else partial(bytes, changed)

    def size(self, path: str) -> int:
        """How many bytes a listed file has."""
        changed = self._contents.get(own_path(self, path))
        return self._package.size(path) if changed is None else len(changed)


def own_path(package: Package, path: str) -> str:
    """The path of a file by its own name, where a link leads to it."""
    return package.links.get(path, path)
