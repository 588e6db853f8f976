"""The files of a package as fixes have changed them, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from extlint.package.files import Package, Reader


class ChangedPackage(Package):
    """The same files as another package, with other bytes at some paths.

    A file that has two names has its new bytes under both.
    """

    def __init__(self, package: Package, contents: Mapping[str, bytes]) -> None:
        super().__init__(
            package.name,
            {},
            package.manifest_path,
            complete=package.complete,
            around=package.around,
            packed=package.packed,
            others=package.others,
            left_out=package.left_out,
            links=package.links,
            leads_out=package.leads_out,
            top_folder=package.top_folder,
            variants=package.variants,
        )
        self._package = package
        self._contents = {own_path(package, path): data for path, data in contents.items()}

    @property
    def paths(self) -> tuple[str, ...]:
        """Every listed file's path, sorted."""
        return self._package.paths

    @property
    def failed(self) -> frozenset[str]:
        """The paths of the files of which it is known that they cannot be read."""
        return self._package.failed

    def reader(self, path: str) -> Reader | None:
        """What reads a file, listed or not; None if there is no such file."""
        changed = self._contents.get(own_path(self, path))
        return self._package.reader(path) if changed is None else partial(bytes, changed)

    def size(self, path: str) -> int:
        """How many bytes a listed file has."""
        changed = self._contents.get(own_path(self, path))
        return self._package.size(path) if changed is None else len(changed)

    def other_case(self, path: str) -> str | None:
        """The path of a listed file that differs from `path` in letter case alone, if there is one."""
        return self._package.other_case(path)


def own_path(package: Package, path: str) -> str:
    """The path of a file by its own name, where a link leads to it."""
    return package.links.get(path, path)
