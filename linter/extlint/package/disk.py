"""Reads one file from the disk: regular files only, up to a limit, never blocking."""

from __future__ import annotations

import os
from io import FileIO
from stat import S_ISREG

from extlint.package import limits
from extlint.package.files import TooLargeError, UnreadableError

# A FIFO opened without O_NONBLOCK waits for a writer, maybe forever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_file(path: str, name: str) -> FileIO:
    """Opens a regular file for reading, following links.

    Raises UnreadableError, which names the file as `name`, if it does not exist, may not be read, or
    is a folder, a FIFO or a device.
    """
    try:
        descriptor = os.open(path, _FLAGS)
        if S_ISREG(os.fstat(descriptor).st_mode):
            return FileIO(descriptor)
        os.close(descriptor)
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None
    raise UnreadableError(f"cannot read {name}: it is not a regular file")


def read_file(path: str, name: str, at_most: int | None = None) -> bytes:
    """Returns the bytes of a regular file, or the first `at_most` of them.

    Raises UnreadableError as `open_file` does, and TooLargeError if the entire file has more than
    `limits.MAX_FILE_BYTES` bytes.
    """
    with open_file(path, name) as stream:
        try:
            size = os.fstat(stream.fileno()).st_size
            if at_most is None and size > limits.MAX_FILE_BYTES:
                raise TooLargeError(f"{name} is larger than {limits.mebibytes(limits.MAX_FILE_BYTES)}")
            return stream.read(size if at_most is None else min(size, at_most))
        except OSError as error:
            raise unreadable(name, error) from None


def unreadable(name: str, error: OSError | ValueError) -> UnreadableError:
    """Returns the error with a sentence for a system error about a file or folder."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return UnreadableError(f"no such file or folder: {name}")
    reason = error.strerror if isinstance(error, OSError) else None
    return UnreadableError(f"cannot read {name}: {(reason or 'the name is not valid').lower()}")
