"""The cache of a run, which is opened only if it pays, or of the checks in a session."""

from __future__ import annotations

import os
from collections.abc import Iterable

from extlint.analysis.cache.store import RecentStore, Store
from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import COMPONENTS, SCRIPTS, has_suffix

MIN_BYTES = 100_000
"""The bytes of scripts that a run has to parse before anything is stored; parsing less again is as fast."""

_SCRIPTS = (*SCRIPTS, *COMPONENTS)


class Cache:
    """Stores the results about packages in a folder, from one run to the next.

    The folder is not touched before `MIN_BYTES` would have to be parsed. If it cannot be used, nothing is
    stored or reported: a run has the same output with it and without.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._folder = folder
        self._listed = 0
        self._parsed = 0
        self._store: Store | None = None

    def store_for(self, package: Package) -> Store | None:
        """Returns the store for the results about a package.

        Returns None if it does not pay, or nothing can be stored.
        """
        if self._store is None and self._folder is not None:
            scripts = [path for path in package.paths if has_suffix(path, _SCRIPTS)]
            self._listed += sum(map(package.size, scripts))
            if self._listed >= MIN_BYTES:
                self._parsed += _bytes_to_parse(package, scripts, MIN_BYTES - self._parsed)
            if self._parsed >= MIN_BYTES:
                self._store = _open_store(self._folder)
                self._folder = None
        return self._store

    def open_for(self, packages: Iterable[Package | UnreadableError]) -> None:
        """Opens the store if it pays for all these packages together, so that it includes the first one."""
        for each in packages:
            if isinstance(each, Package) and self.store_for(each) is not None:
                return


NO_CACHE = Cache(None)


class MemoryCache(Cache):
    """Stores the results about the packages of repeated checks in memory."""

    def __init__(self) -> None:
        super().__init__(None)
        self._stores: dict[tuple[str, str], RecentStore] = {}
        self._checked: set[tuple[str, str]] = set()

    def store_for(self, package: Package) -> RecentStore:
        """Returns the store for the results about a package."""
        key = (package.name, package.manifest_path)
        self._checked.add(key)
        store = self._stores.setdefault(key, RecentStore())
        store.queries.begin_round()
        return store

    def end_check(self) -> None:
        """Drops everything about packages that no longer exist."""
        self._stores = {key: store for key, store in self._stores.items() if key in self._checked}
        self._checked.clear()


def _open_store(folder: str | os.PathLike[str]) -> Store | None:
    from pathlib import Path

    from extlint.analysis.cache.disk import DiskStore, engine_digest
    from extlint.analysis.cache.folder import prepare_folder

    place = Path(folder)
    return DiskStore(place, engine_digest(place)) if prepare_folder(place) else None


def _bytes_to_parse(package: Package, scripts: Iterable[str], enough: int) -> int:
    """Returns the number of bytes of the scripts to parse, counting only until there are enough."""
    from extlint.analysis.syntax.prefilter import may_name_api

    found = 0
    for path in scripts:
        try:
            text = package.peek(path)
        except UnreadableError:
            continue
        found += len(text) if may_name_api(text) else 0
        if found >= enough:
            break
    return found
