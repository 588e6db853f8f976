"""Turns a shard into its rows: one function, which any process on any machine may run, at any time."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256

from extlint.package.files import UnreadableError
from extlint.package.limits import MEBIBYTE, mebibytes
from extlint.services.scan.checker import Checker, checker_for
from extlint.services.scan.output import Entry, Output
from extlint.services.scan.rows import FindingRow, PackageRow, Rows, Status
from extlint.services.scan.settings import Shard
from extlint.services.scan.sources import Source, file_system_of, is_remote

_READ_ATTEMPTS = 3
_PART = MEBIBYTE


def scan_shard(shard: Shard, output: Output, on_checked: Callable[[], None] = lambda: None) -> Entry:
    """Checks the packages of a shard, writes its tables, and returns its entry in the ledger.

    Each package is checked in a contained process, and a failure is a row. `on_checked` is called after each
    package. Raises OSError if the rows cannot be written.
    """
    packages: list[PackageRow] = []
    findings: list[FindingRow] = []
    checker = checker_for(shard.settings)
    for source in shard.sources:
        rows = _rows_of(source, checker, shard.settings.max_size)
        packages += sorted(rows.packages, key=lambda row: row.id)
        findings += rows.findings
        on_checked()
    from extlint.services.scan.tables import findings_file, packages_file

    statuses = Counter(row.status for row in packages)
    entry = Entry(shard.name, len(packages), len(findings), dict(sorted(statuses.items())))
    output.add(entry, packages_file(packages), findings_file(findings))
    return entry


def _rows_of(source: Source, checker: Checker, max_size: int) -> Rows:
    address = source.address
    if source.is_folder:
        if not os.path.isdir(address):
            return _failure(source, Status.UNAVAILABLE, "the folder does not exist")
        return checker.check(address, address, is_folder=True)
    try:
        with _local_file(source, max_size) as path:
            size = os.path.getsize(path)
            if size > max_size:
                return _failure(source, Status.UNREADABLE, _too_large(max_size))
            rows = checker.check(path, address, is_folder=False)
            with open(path, "rb") as stream:
                digest = file_digest(stream, sha256).hexdigest()
    except UnreadableError as error:
        return _failure(source, Status.UNREADABLE, str(error))
    except (OSError, ValueError) as error:
        return _failure(source, Status.UNAVAILABLE, _reason(error))
    for each in rows.packages:
        each.size, each.sha256 = size, digest
    return rows


def _failure(source: Source, status: Status, reason: str) -> Rows:
    return Rows([PackageRow(source.address, source.address, status.value, reason)])


def _reason(error: OSError | ValueError) -> str:
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()


def _too_large(max_size: int) -> str:
    return f"the archive has more than {mebibytes(max_size)}"


@contextmanager
def _local_file(source: Source, max_size: int) -> Iterator[str]:
    """Yields the path of a file with the source's bytes: its own, or a copy. Raises OSError."""
    if not is_remote(source.address):
        yield source.address
        return
    folder = tempfile.mkdtemp(prefix="extlint-scan-")
    try:
        path = os.path.join(folder, "package")
        for attempt in range(1, _READ_ATTEMPTS + 1):
            try:
                _copy(source.address, path, max_size)
                break
            except (OSError, ValueError):
                if attempt == _READ_ATTEMPTS:
                    raise
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy(address: str, path: str, max_size: int) -> None:
    """Copies a remote file, part by part. Raises UnreadableError if it is too large."""
    system, name = file_system_of(address)
    with system.open(name, "rb", block_size=_PART) as stream, open(path, "wb") as copy:
        size = 0
        while part := stream.read(_PART):
            size += len(part)
            if size > max_size:
                raise UnreadableError(_too_large(max_size))
            copy.write(part)
