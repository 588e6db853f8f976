"""The file that output is written to."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from extlint.linting.configuration.usage_error import UsageError
from extlint.processes.resources import run_on_stop


class OutputFile:
    """A file that always contains either its previous content or the entire output.

    The output is written to a temporary file next to it, which then replaces it. A device, a pipe or a link
    (such as `/dev/stdout`) is written directly, and so is a file with other names, or in a folder in which no
    file can be created.
    """

    def __init__(self, name: str) -> None:
        """Checks that it can be written, before the work begins, which may take long. Raises UsageError."""
        self._name = name
        self._path = Path(name)
        try:
            self._temporary = self._path.parent / f".extlint-{os.urandom(4).hex()}.tmp"
            if not self._path.exists():
                self._write_temporary(b"")
                self._temporary.unlink()
            elif self._path.is_file() or self._path.is_dir():  # opening a pipe waits for a reader
                self._path.open("ab").close()
        except (OSError, ValueError) as error:
            raise self._failure(error) from None

    def write(self, text: str) -> None:
        """Writes the output, as UTF-8. Raises UsageError."""
        data = text.encode("utf-8", "backslashreplace")
        try:
            if self._can_be_replaced():
                self._replace(data)
            else:
                self._path.write_bytes(data)
        except OSError as error:
            raise self._failure(error) from None

    def _can_be_replaced(self) -> bool:
        if self._path.is_symlink():
            return False
        if not self._path.exists():
            return True
        is_one = self._path.is_file() and self._path.stat().st_nlink == 1
        return is_one and os.access(self._path.parent, os.W_OK)

    def _replace(self, data: bytes) -> None:
        with run_on_stop(self._temporary.unlink):
            try:
                self._write_temporary(data)
                if self._path.exists():
                    self._temporary.chmod(self._path.stat().st_mode & 0o7777)
                self._temporary.replace(self._path)
            except BaseException:
                with suppress(OSError):
                    self._temporary.unlink()
                raise

    def _write_temporary(self, data: bytes) -> None:
        with run_on_stop(self._temporary.unlink), self._temporary.open("xb") as stream:
            stream.write(data)

    def _failure(self, error: OSError | ValueError) -> UsageError:
        reason = error.strerror or str(error) if isinstance(error, OSError) else "the name is not valid"
        return UsageError(f"cannot write {self._name}: {reason.lower()}")
