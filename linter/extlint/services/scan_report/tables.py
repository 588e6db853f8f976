"""The tables of one or two scans in DuckDB, which computes the statistics of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
from msgspec import DecodeError, ValidationError
from msgspec.json import decode

from extlint.package.files import UnreadableError
from extlint.services.scan.output import HEAD, TABLES, Head, Output
from extlint.services.scan.sources import file_system_of, is_remote
from extlint.services.scan.tables import MEASURED


class ScanTables:
    """The tables `packages` and `findings` of a scan, and `packages_before`, `findings_before` of another."""

    def __init__(self, folder: str, before: str | None = None) -> None:
        """Raises UnreadableError for a folder without a scan."""
        self._connection = duckdb.connect()
        self.head = self._add(folder, "")
        self.head_before = None if before is None else self._add(before, "_before")

    def rows(self, query: str) -> Sequence[tuple[Any, ...]]:
        """Returns the rows of a query."""
        found: list[tuple[Any, ...]] = self._connection.execute(query).fetchall()
        return found

    def checksum(self) -> str:
        """Returns a digest of the rows of both tables, which does not depend on their order.

        Two scans of the same packages by the same version have the same, however often they were
        interrupted: the columns with measurements do not count.
        """
        excluded = ", ".join(MEASURED)
        queries = (
            f"SELECT md5(to_json(p)) AS row FROM (SELECT * EXCLUDE ({excluded}) FROM packages) p",
            "SELECT md5(to_json(f)) AS row FROM findings f",
        )
        parts = [self.rows(f"SELECT md5(string_agg(row, '' ORDER BY row)) FROM ({each})") for each in queries]
        return "-".join(str(part[0][0] or "none") for part in parts)

    def _add(self, folder: str, suffix: str) -> Head:
        folder = folder.rstrip("/")
        data = Output(folder).read(HEAD)
        try:
            head = decode(data or b"", type=Head)
        except (DecodeError, ValidationError):
            raise UnreadableError(f"{folder} has no scan") from None
        if is_remote(folder):
            self._connection.register_filesystem(file_system_of(folder)[0])
        for table in TABLES:
            files = f"{folder}/{table}/*.parquet".replace("'", "''")
            try:
                self._connection.execute(
                    f"CREATE VIEW {table}{suffix} AS SELECT * FROM read_parquet('{files}')"
                )
            except duckdb.IOException:
                raise UnreadableError(f"{folder} has no finished shard") from None
        return head
