"""Runs a scan on this machine, where worker processes take one shard after the other, or on a Ray cluster.

One function turns a shard into its rows. Any process on any machine may run it, at any time.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import file_digest, sha256
from typing import Any

from msgspec import Struct
from msgspec.json import decode, encode

from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.package.limits import MEBIBYTE, mebibytes
from extlint.processes.workers import run_tasks
from extlint.services.scan.checker import Checker, checker_for
from extlint.services.scan.output import Entry, Output
from extlint.services.scan.rows import FindingRow, PackageRow, Rows, Status
from extlint.services.scan.settings import Shard, Source, file_system_of, is_remote

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


MAX_ATTEMPTS = 3
"""Attempts at a shard whose worker dies, while no other shard is completed."""


class LostShardError(Exception):
    """A shard whose rows could not be written: `str()` is the reason."""


class Plan(Struct, frozen=True):
    """The shards of a scan that are left to do, and the entries of those that were done before."""

    left: tuple[Shard, ...]
    done: tuple[Entry, ...]


def plan(shards: Sequence[Shard], output: Output) -> Plan:
    """Returns what is left to do, and removes the rows of packages that the scan no longer has."""
    known = output.entries()
    output.remove_others({each.name for each in shards})
    done = {each.name: known[each.name] for each in shards if each.name in known}
    final = {name: entry for name, entry in done.items() if entry.is_final}
    return Plan(tuple(each for each in shards if each.name not in final), tuple(final.values()))


class _Work(Struct, frozen=True):
    """The work of one process: it can be pickled. Each checked package adds a byte to a file."""

    output: Output
    counts: str

    def __call__(self, shard: Shard) -> Entry | str:
        parent = os.getppid()
        with open(os.path.join(self.counts, shard.name), "wb", buffering=0) as stream:
            try:
                return scan_shard(shard, self.output, lambda: _count(stream.fileno(), parent))
            except OSError as error:
                return (error.strerror or str(error)).lower()


def _count(descriptor: int, parent: int) -> None:
    """Counts a package, and ends the process if the scan has ended."""
    os.write(descriptor, b".")
    if os.getppid() != parent:
        os._exit(1)


def run_locally(
    shards: Sequence[Shard], output: Output, jobs: int, on_progress: Callable[[int], None]
) -> Iterator[Entry]:
    """Scans shards in worker processes, and yields their entries as they finish.

    A shard whose worker dies is done again, after the others. `on_progress` receives the number of packages
    that were checked so far, at least each second. Raises LostShardError if rows cannot be written.
    """
    waiting = list(reversed(shards))
    attempts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="extlint-scan-") as counts:

        def progress() -> None:
            with os.scandir(counts) as files:
                on_progress(sum(each.stat().st_size for each in files))

        tasks = run_tasks(_Work(output, counts), lambda _: waiting.pop() if waiting else None, jobs, progress)
        for shard, result in tasks:
            progress()
            if isinstance(result, Entry):
                attempts.clear()
                yield result
                continue
            attempts[shard.name] += 1
            if isinstance(result, str):
                raise LostShardError(f"cannot write to {output.address}: {result}")
            if attempts[shard.name] >= MAX_ATTEMPTS:
                raise LostShardError(f"a worker {result.how}, in each of {MAX_ATTEMPTS} attempts")
            waiting.insert(0, shard)


def run_on_ray(shards: Sequence[Shard], output: Output, address: str) -> Iterator[Entry]:
    """Scans shards on a cluster, and yields their entries as they finish. Raises UsageError.

    The nodes must read the sources, and write the output, at the same addresses.
    """
    import logging

    import ray

    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, ValueError) as error:
        raise UsageError(f"cannot connect to Ray at {address}: {error}") from None
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # its messages are those of a program
    context.execution_options.preserve_order = False
    try:
        items = [{"shard": encode(each)} for each in shards]
        work = ray.data.from_items(items, override_num_blocks=len(items))
        found = work.map(partial(_scan, address=output.address), num_cpus=1)
        for row in found.iter_rows():
            yield decode(row["entry"], type=Entry)
    finally:
        ray.shutdown()


def _scan(row: dict[str, Any], address: str) -> dict[str, Any]:
    return {"entry": encode(scan_shard(decode(row["shard"], type=Shard), Output(address)))}
