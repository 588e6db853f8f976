"""The progress of a scan: a line on a terminal, and a file for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TextIO

from extlint.checking.output_file import OutputFile
from extlint.services.scan.output import Entry

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
