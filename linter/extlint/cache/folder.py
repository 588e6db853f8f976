"""The folder in which answers are kept: where it is, and whether it is the user's own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from stat import S_ISDIR, S_IWGRP, S_IWOTH

VARIABLE = "EXTLINT_CACHE_DIR"
"""The environment variable that names the folder."""

_NAME = "extlint"
_TAG = "CACHEDIR.TAG"
_TAG_TEXT = """Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of extlint. It can be deleted at any time.
# See https://bford.info/cachedir/
"""


def cache_folder() -> Path | None:
    """The folder for what is kept; None if there is no place for one."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given).absolute()
    base = _user_caches()
    return None if base is None else base / _NAME


def _user_caches() -> Path | None:
    """Where programs of this platform keep what can be made again."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else None
    wanted = os.environ.get("XDG_CACHE_HOME", "")
    if Path(wanted).is_absolute():
        return Path(wanted)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_dir():
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def opened(folder: Path) -> bool:
    """Whether a folder can be used, which is made if it does not exist. Never raises.

    It must be a folder and no link, belong to the user, and be writable for nobody else: what it holds
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
