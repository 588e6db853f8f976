"""A package whose reads never fail, and which records the files that could not be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from extlint.package.files import (
    Package,
    Reader,
    TooCostlyError,
    TooLargeError,
    UnreadableError,
    WrappedPackage,
)


class TolerantPackage(WrappedPackage):
    """The same files as another package. An unreadable file is empty, and is recorded.

    Each file is read once and cached.
    """

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.failures = package.failures
        self.on_examination: Callable[[str], None] = package.mark_examined
        """Called with the path of a file whenever code examines it, except scripts and the manifest."""
        self.unchecked = package.unchecked
        self._contents: dict[str, bytes] = {}
        self._unreadable: dict[str, str] = {}
        self._too_large: dict[str, TooLargeError] = {}

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if the file does not exist."""
        found = self._package.reader(path)
        return None if found is None else partial(self._examine, path, found)

    def peek(self, path: str) -> bytes:
        """Returns the bytes of a file without recording it as used. Raises as `read` does."""
        self._package.mark_examined(path)
        return self._package.peek(path)

    def content(self, path: str) -> bytes:
        """See `Package.content`."""
        found = self._package.reader(path)
        if found is None:
            raise KeyError(path)
        return self._read_once(path, found)

    def _examine(self, path: str, reader: Reader) -> bytes:
        self.on_examination(path)
        return self._read_once(path, reader)

    def _read_once(self, path: str, reader: Reader) -> bytes:
        if path not in self._contents:
            self._contents[path] = b""
            with self.failures.contained(path):
                try:
                    self._contents[path] = reader()
                except UnreadableError as error:
                    self._unreadable[path] = str(error)
                    if isinstance(error, TooLargeError) and path != self.manifest_path:
                        self._too_large[path] = error
        return self._contents[path]

    @property
    def used(self) -> frozenset[str]:
        """The requested paths that could be read."""
        return frozenset(self._contents.keys() - self._unreadable.keys())

    @property
    def failed(self) -> frozenset[str]:
        """The requested paths that could not be read."""
        return frozenset(self._unreadable)

    @property
    def unreadable(self) -> tuple[str, ...]:
        """One sentence for each failed path, with the reason; files that are only too large are excluded."""
        return tuple(why for path, why in self._unreadable.items() if path not in self._too_large)

    @property
    def omitted(self) -> Sequence[str]:
        """A sentence for each file that is too large, or takes too much memory, to be read."""
        return tuple(map(str, self._too_large.values()))

    @property
    def too_large(self) -> Sequence[str]:
        """The requested paths, except the manifest, whose files exceed the size limit."""
        too_costly = self.too_costly
        return tuple(path for path in self._too_large if path not in too_costly)

    @property
    def too_costly(self) -> Collection[str]:
        """The requested paths, except the manifest, whose files take too much memory."""
        return {path for path, error in self._too_large.items() if isinstance(error, TooCostlyError)}
