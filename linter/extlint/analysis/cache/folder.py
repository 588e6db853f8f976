"""The folder that stores results: its location, and whether it belongs to the user."""

from __future__ import annotations

import os
import sys
from stat import S_ISDIR, S_IWGRP, S_IWOTH
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

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
