"""The cache of a run, in a folder that is opened only if it pays, or the cache of a session."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from stat import S_ISDIR, S_IWGRP, S_IWOTH
from typing import TYPE_CHECKING

from extlint.analysis.cache.store import Store
from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import COMPONENTS, SCRIPTS, has_suffix
from extlint.queries.database import Database

if TYPE_CHECKING:
    from pathlib import Path

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
        self._stores: dict[tuple[str, str], Database] = {}
        self._checked: set[tuple[str, str]] = set()

    def store_for(self, package: Package) -> Database:
        """Returns the store for the results about a package."""
        key = (package.name, package.manifest_path)
        self._checked.add(key)
        store = self._stores.setdefault(key, Database(is_incremental=True))
        store.begin_round()
        return store

    def end_check(self) -> None:
        """Drops everything about packages that no longer exist."""
        self._stores = {key: store for key, store in self._stores.items() if key in self._checked}
        self._checked.clear()


def _open_store(folder: str | os.PathLike[str]) -> Store | None:
    from pathlib import Path

    from extlint.analysis.cache.disk import DiskStore, engine_digest

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


VARIABLE = "EXTLINT_CACHE_DIR"
"""The environment variable that names the folder."""

_NAME = "extlint"
_TAG = "CACHEDIR.TAG"
_TAG_TEXT = """Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of extlint. It can be deleted at any time.
# See https://bford.info/cachedir/
"""


def cache_folder() -> str | None:
    """Returns the folder for results, or None if no location is suitable."""
    configured = os.environ.get(VARIABLE)
    if configured:
        return os.path.join(os.getcwd(), configured)
    base = _user_cache_folder()
    return None if base is None else os.path.join(base, _NAME)


def _user_cache_folder() -> str | None:
    """Returns the folder in which programs of this platform store data that can be created again."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or None
    xdg_cache_home = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(xdg_cache_home):
        return xdg_cache_home
    home = os.path.expanduser("~")
    if not os.path.isabs(home) or not os.path.isdir(home):
        return None
    return os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache")


def prepare_folder(folder: Path) -> bool:
    """Whether a folder can be used; creates it if it does not exist. Never raises.

    It must be a folder and not a link, belong to the user, and be writable only for the user: its content
    decides what is reported.
    """
    try:
        if not os.path.lexists(folder):
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            (folder / _TAG).write_text(_TAG_TEXT, "ascii")
        found = folder.lstat()
    except (OSError, ValueError):
        return False
    if not S_ISDIR(found.st_mode):
        return False
    if sys.platform == "win32":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (S_IWGRP | S_IWOTH)
