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


def raise_shortage(sentence: str) -> None:
    """Raises MemoryError if a sentence about an error of extlint means that this process is at its limit."""
    is_internal = sentence.startswith("internal error in ")
    is_about_memory = sentence.endswith(": MemoryError") or any(sign in sentence for sign in _SIGNS)
    if is_internal and is_about_memory and memory_limit() is not None:
        raise MemoryError


def memory_limit() -> int | None:
    """Returns the most memory that this process may have, in bytes, or None if it is not limited."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

    limit, _ = getrlimit(RLIMIT_AS)
    return None if limit == RLIM_INFINITY else limit
