"""The files of a package with the changes of fixes, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from extlint.package.files import Package, Reader, WrappedPackage


class ChangedPackage(WrappedPackage):
    """A package with the same files as another one, but with other bytes at some paths.

    A file that has two names has its new bytes under both.
    """

    def __init__(self, package: Package, contents: Mapping[str, bytes]) -> None:
        super().__init__(package, variants=package.variants)
        self._contents = {resolve_link(package, path): data for path, data in contents.items()}

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if the file does not exist."""
        changed = self._contents.get(resolve_link(self, path))
        return self._package.reader(path) if changed is None else partial(bytes, changed)

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes."""
        changed = self._contents.get(resolve_link(self, path))
        return self._package.size(path) if changed is None else len(changed)


def resolve_link(package: Package, path: str) -> str:
    """Returns the path of a file by its own name if the path is a link."""
    return package.links.get(path, path)
