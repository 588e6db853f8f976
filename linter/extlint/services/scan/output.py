"""The folder of a scan: its tables, the ledger of finished shards, and the progress.

    scan.json                   the versions and the settings of the scan
    packages/SHARD.parquet      the rows about its packages
    findings/SHARD.parquet      the rows about its findings
    ledger/SHARD.json           the entry of a finished shard, which is written last

Each file appears whole or not at all, and writing it again changes nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import DecodeError, Struct, ValidationError, field
from msgspec.json import decode, encode, format

from extlint import __version__
from extlint.checking.output_file import OutputFile
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.services.scan.rows import Status
from extlint.services.scan.settings import CheckSettings, file_system_of, is_remote
from extlint_schemas import versions_of_facts

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


TABLES = ("packages", "findings")
_LEDGER = "ledger"
HEAD = "scan.json"
"""The file that describes a scan."""


class Entry(Struct, frozen=True):
    """The ledger's entry of a shard: the number of its packages and findings, and of packages by status."""

    shard: str
    packages: int
    findings: int
    statuses: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        """Whether a second attempt would have the same rows: all sources could be read."""
        return Status.UNAVAILABLE.value not in self.statuses


class Head(Struct, frozen=True):
    """The description of a scan, in `scan.json`."""

    extlint: str
    facts: Mapping[str, str]
    settings: CheckSettings
    shard_size: int


class Output(Struct, frozen=True):
    """The folder of a scan, by its path or address. It can be passed to other processes."""

    address: str

    def begin(self, settings: CheckSettings, shard_size: int) -> None:
        """Creates the folder. Raises UsageError if it has another scan, and UnreadableError."""
        head = Head(__version__, versions_of_facts(), settings, shard_size)
        known = self.read(HEAD)
        if known is not None:
            try:
                same = decode(known, type=Head) == head
            except (DecodeError, ValidationError):
                same = False
            if not same:
                raise UsageError(
                    f"{self.address} has a scan with other settings or by another version; "
                    "name another folder"
                )
            return
        if self._names(""):
            raise UsageError(f"{self.address} is not empty, and has no scan")
        self._write(HEAD, format(encode(head), indent=2) + b"\n")

    def entries(self) -> dict[str, Entry]:
        """Returns the ledger, by shard. Raises UnreadableError."""
        found: dict[str, Entry] = {}
        for name in self._names(_LEDGER):
            data = self.read(f"{_LEDGER}/{name}")
            with suppress(DecodeError, ValidationError):
                if data is not None:
                    entry = decode(data, type=Entry)
                    found[entry.shard] = entry
        return found

    def remove_others(self, shards: Collection[str]) -> None:
        """Removes what was written for other shards: the ledger's entries first."""
        for folder, suffix in ((_LEDGER, ".json"), *((table, ".parquet") for table in TABLES)):
            for name in self._names(folder):
                if name.removesuffix(suffix) not in shards:
                    self._remove(f"{folder}/{name}")

    def add(self, entry: Entry, packages: bytes, findings: bytes) -> None:
        """Writes the tables of a shard, and then its entry. Raises OSError."""
        for table, data in zip(TABLES, (packages, findings), strict=True):
            self._write(f"{table}/{entry.shard}.parquet", data)
        self._write(f"{_LEDGER}/{entry.shard}.json", encode(entry) + b"\n")

    def _system(self) -> tuple[AbstractFileSystem, str]:
        return file_system_of(self.address)

    def _names(self, folder: str) -> list[str]:
        try:
            if is_remote(self.address):
                system, top = self._system()
                place = f"{top}/{folder}".rstrip("/")
                system.invalidate_cache()
                return sorted(each.rpartition("/")[2] for each in system.ls(place, detail=False))
            return sorted(os.listdir(os.path.join(self.address, folder)))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UnreadableError(f"cannot read {self.address}: {_reason(error)}") from None

    def read(self, name: str) -> bytes | None:
        """Returns the bytes of a file, or None if it does not exist. Raises UnreadableError."""
        try:
            if is_remote(self.address):
                system, top = self._system()
                found: bytes = system.cat_file(f"{top}/{name}")
                return found
            with open(os.path.join(self.address, name), "rb") as stream:
                return stream.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnreadableError(f"cannot read {self.address}/{name}: {_reason(error)}") from None

    def _write(self, name: str, data: bytes) -> None:
        if is_remote(self.address):
            system, top = self._system()
            system.pipe_file(f"{top}/{name}", data)
            return
        path = os.path.join(self.address, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            with open(temporary, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    def _remove(self, name: str) -> None:
        if is_remote(self.address):
            system, top = self._system()
            system.rm_file(f"{top}/{name}")
        else:
            os.unlink(os.path.join(self.address, name))


def _reason(error: OSError) -> Any:
    return (error.strerror or str(error)).lower()


_CLEARED = "\r\x1b[K"
"""Clears the line of a terminal."""


class Progress:
    """Counts what a scan has done. `done` are the entries of an earlier start."""

    def __init__(
        self, total: int, done: Iterable[Entry], terminal: TextIO | None = None, metrics: str | None = None
    ) -> None:
        """`total` is the number of sources, `metrics` the name of a file. Raises UsageError."""
        self._total = total
        self._terminal = terminal
        self._metrics = None if metrics is None else OutputFile(metrics)
        self._entries = list(done)
        self._done_before = sum(each.packages for each in self._entries)
        self._checked = 0
        self._started = monotonic()
        self._write_metrics()

    @property
    def statuses(self) -> Counter[str]:
        """The number of packages of finished shards, by status."""
        found: Counter[str] = Counter()
        for each in self._entries:
            found.update(each.statuses)
        return found

    @property
    def findings(self) -> int:
        """The number of findings of finished shards."""
        return sum(each.findings for each in self._entries)

    def add(self, entry: Entry) -> None:
        """Counts a shard that is finished."""
        self._entries.append(entry)
        self._write_metrics()

    def show(self, checked: int) -> None:
        """Shows the progress, with the number of packages that this start has checked so far."""
        self._checked = checked
        if self._terminal is not None:
            self._terminal.write(_CLEARED + self._line())
            self._terminal.flush()
        self._write_metrics()

    def close(self) -> None:
        """Removes the line."""
        if self._terminal is not None:
            self._terminal.write(_CLEARED)
            self._terminal.flush()

    def _line(self) -> str:
        checked = min(self._total, self._done_before + self._checked)
        line = f"checked {checked:,} of {self._total:,} packages"
        seconds = monotonic() - self._started
        if not self._checked or seconds < 1:
            return line
        rate = self._checked / seconds
        return f"{line}, {rate:.1f} per second, {_duration((self._total - checked) / rate)} left"

    def _write_metrics(self) -> None:
        if self._metrics is None:
            return
        self._metrics.write("".join(f"{line}\n" for line in self._metric_lines()))

    def _metric_lines(self) -> Iterator[str]:
        yield "# TYPE extlint_scan_sources gauge"
        yield f"extlint_scan_sources {self._total}"
        yield "# TYPE extlint_scan_checked_total counter"
        yield f"extlint_scan_checked_total {self._done_before + self._checked}"
        yield "# TYPE extlint_scan_packages_total counter"
        for status, count in sorted(self.statuses.items()):
            yield f'extlint_scan_packages_total{{status="{status}"}} {count}'
        yield "# TYPE extlint_scan_findings_total counter"
        yield f"extlint_scan_findings_total {self.findings}"
        yield "# TYPE extlint_scan_seconds gauge"
        yield f"extlint_scan_seconds {monotonic() - self._started:.3f}"


def _duration(seconds: float) -> str:
    """Returns a duration for people: `40 s`, `12 min`, `3 h 5 min`."""
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
