"""Records which parts of a package were not checked because of a limit, so that they can be reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class Unchecked:
    """The unchecked parts of each file, as clauses such as "images after the first 9 are not read"."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, None]] = {}
        self.on_addition: Callable[[str, str], None] | None = None
        """Called with each path and clause that is recorded."""

    def add(self, path: str, what: str) -> None:
        """Records an unchecked part of a file, or one caused by it. Duplicates are reported once."""
        self._found.setdefault(path, {})[what] = None
        if self.on_addition is not None:
            self.on_addition(path, what)

    def by_path(self) -> Mapping[str, Sequence[str]]:
        """Returns all recorded clauses, by path."""
        return {path: tuple(self._found[path]) for path in sorted(self._found)}
