"""A package: one read-only set of files, wherever it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property


class UnreadableError(Exception):
    """A package or file that cannot be read; the text is one sentence for the user."""


class Package:
    """The files of one extension. Paths are relative to its root, with `/` between the parts.

    `name` is the path it is known by in output: the folder or archive as the user gave it.
    """

    def __init__(self, name: str, readers: Mapping[str, Callable[[], bytes]]) -> None:
        self.name = name
        self._readers = readers

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file's path, sorted."""
        return self._sorted

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self._readers))

    @cached_property
    def _by_folded(self) -> Mapping[str, str]:
        return {path.casefold(): path for path in self._sorted}

    def __contains__(self, path: object) -> bool:
        return path in self._readers

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError if there is none, UnreadableError if it cannot be read."""
        return self._readers[path]()

    def other_case(self, path: str) -> str | None:
        """The path of a file that differs from `path` in letter case alone, if there is one."""
        found = self._by_folded.get(path.casefold())
        return found if found != path else None
