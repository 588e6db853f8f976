"""Keeps results for some time, in SQLite."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
import zlib

MAX_KEPT_BYTES = 1024 * 1024 * 1024
"""Bytes of all results, compressed. The oldest ones are removed first."""

_TABLE = """
CREATE TABLE IF NOT EXISTS results (
  id TEXT PRIMARY KEY, expires REAL NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
)
"""


class Results:
    """The results that are kept. Threads may use it."""

    def __init__(self, path: str | None, seconds: int) -> None:
        """Opens the file, or, without a path, a temporary one. Raises sqlite3.Error."""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path or "", check_same_thread=False, timeout=10)
        self._database.execute("PRAGMA secure_delete = ON")
        self._database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        with self._database:
            self._database.execute(_TABLE)

    def new_id(self) -> str:
        """Returns an identifier that cannot be guessed."""
        return secrets.token_urlsafe(18)

    def keep(self, identifier: str, content: bytes) -> None:
        """Stores a result. Raises sqlite3.Error."""
        packed = zlib.compress(content, 1)
        with self._lock, self._database:
            self._remove_old(len(packed))
            self._database.execute(
                "INSERT INTO results VALUES (?, ?, ?, ?)",
                (identifier, time.time() + self._seconds, len(packed), packed),
            )

    def get(self, identifier: str) -> bytes | None:
        """Returns a result, or None if it is not kept. Raises sqlite3.Error."""
        with self._lock:
            row = self._database.execute(
                "SELECT content FROM results WHERE id = ? AND expires > ?", (identifier, time.time())
            ).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def remove_expired(self) -> None:
        """Removes the results whose time is over. Raises sqlite3.Error."""
        with self._lock, self._database:
            self._remove_old(0)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._database.close()

    def _remove_old(self, size: int) -> None:
        self._database.execute("DELETE FROM results WHERE expires <= ?", (time.time(),))
        (total,) = self._database.execute("SELECT coalesce(sum(size), 0) FROM results").fetchone()
        while total + size > MAX_KEPT_BYTES:
            row = self._database.execute("SELECT id, size FROM results ORDER BY expires LIMIT 1").fetchone()
            if row is None:
                return
            self._database.execute("DELETE FROM results WHERE id = ?", (row[0],))
            total -= row[1]
