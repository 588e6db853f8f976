"""Errors that mean that this process has reached its limit of memory or of open files."""

from __future__ import annotations

import errno
import os

_TOO_MANY_FILES = "too many open files; raise the limit of this process"
_NO_MEMORY = "not enough memory; raise the limit of this process, or end others"
_SIGNS = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""Parts of the messages of libraries and threads that could not get memory."""


def shortage(error: BaseException) -> str | None:
    """Returns the sentence about an error that means a shortage, or None for any other error."""
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return _TOO_MANY_FILES
    number = getattr(error, "errno", None)
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return _NO_MEMORY
    text = str(error).lower()
    return _NO_MEMORY if any(sign in text for sign in _SIGNS) else None


def require_descriptors(count: int) -> None:
    """Raises OSError unless this process can open so many more files."""
    opened: list[int] = []
    try:
        while len(opened) < count:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for each in opened:
            os.close(each)
