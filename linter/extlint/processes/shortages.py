"""Errors that mean that this process has reached its limit of memory or of open files."""

from __future__ import annotations

import errno
import os
import sys

_TOO_MANY_FILES = "too many open files; raise the limit of this process"
_NO_MEMORY = "not enough memory; raise the limit of this process, or end others"
_SIGNS = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""Parts of the messages of libraries and threads that could not get memory."""


def shortage(error: BaseException) -> str | None:
    """Returns the sentence about an error that means a shortage, or None for any other error."""
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return _TOO_MANY_FILES
    return _NO_MEMORY if is_shortage_of_memory(error) else None


def is_shortage_of_memory(error: BaseException) -> bool:
    """Whether an error means that this process got no memory."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    text = str(error).lower()
    return any(sign in text for sign in _SIGNS)


def require_descriptors(count: int) -> None:
    """Raises OSError unless this process can open so many more files."""
    opened: list[int] = []
    try:
        while len(opened) < count:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for each in opened:
            os.close(each)


def memory_limit() -> int | None:
    """Returns the most memory that this process may have, in bytes, or None if it is not limited."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

    limit, _ = getrlimit(RLIMIT_AS)
    return None if limit == RLIM_INFINITY else limit
