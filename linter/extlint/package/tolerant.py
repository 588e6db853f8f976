"""A package that can always be read, and remembers what could not."""

from __future__ import annotations

from functools import partial

from extlint.package.files import Package, UnreadableError


class TolerantPackage(Package):
    """The same files as another package; one that cannot be read is empty, and noted.

    Each file is read once and kept.
    """

    def __init__(self, package: Package) -> None:
        super().__init__(package.name, {path: partial(self._once, package, path) for path in package.paths})
        self._read: dict[str, bytes] = {}
        self._failed: dict[str, str] = {}

    def _once(self, package: Package, path: str) -> bytes:
        if path not in self._read:
            try:
                self._read[path] = package.read(path)
            except UnreadableError as error:
                self._read[path] = b""
                self._failed[path] = str(error)
        return self._read[path]

    @property
    def used(self) -> frozenset[str]:
        """The paths that were asked for and could be read."""
        return frozenset(self._read.keys() - self._failed.keys())

    @property
    def failed(self) -> frozenset[str]:
        """The paths that could not be read."""
        return frozenset(self._failed)

    @property
    def unreadable(self) -> tuple[str, ...]:
        """For each of those, one sentence that says why."""
        return tuple(self._failed.values())
