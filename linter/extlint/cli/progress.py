"""Shows the progress of a run on a terminal: a bar for many extensions, a line for a large one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from extlint.package.files import Package, UnreadableError
from extlint.report.excerpt import truncate_line

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 1.0
"""The number of seconds before anything is shown."""

INTERVAL = 0.1
"""The number of seconds before the bar is drawn again."""

LARGE = 500_000
"""The number of bytes of scripts that take about a second, so that the step is shown at once."""

_CLEARED = "\r\x1b[K"
"""Clears the line of a terminal."""


class ProgressBar:
    """Draws a bar once the run has taken a second, and removes it at the end, when it is closed.

    It is drawn after the check of an extension, without a thread of its own, so that processes can be forked.
    With only one extension, a line shows the current step instead.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._found = 0
        self._checked = 0
        self._next = monotonic() + DELAY
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._process = os.getpid()
        self._has_line = False

    def count_found(
        self, packages: Iterable[Package | UnreadableError]
    ) -> Iterator[Package | UnreadableError]:
        """Yields the extensions, and counts them."""
        for package in packages:
            self._found += 1
            yield package

    def count_checked(self) -> None:
        """Counts an extension as checked, and draws the bar again if it is time to."""
        self._checked += 1
        self._clear()
        if self._found > 1 and monotonic() >= self._next:
            self._next = monotonic() + INTERVAL
            self._draw()

    def step(self, what: str, size: int) -> None:
        """Shows the next step, about a number of bytes of scripts, if it is time to and no bar is shown."""
        if self._found > 1 or os.getpid() != self._process:
            return
        if size >= LARGE or monotonic() >= self._next:
            self._next = max(self._next, monotonic() + INTERVAL)
            width = max(1, get_terminal_size().columns - 2)
            self._stream.write(_CLEARED + truncate_line(what, 0, 0, width)[0])
            self._stream.flush()
            self._has_line = True

    def _clear(self) -> None:
        if self._has_line:
            self._stream.write(_CLEARED)
            self._stream.flush()
            self._has_line = False

    def _draw(self) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                console=Console(file=self._stream),
                transient=True,
                auto_refresh=False,
            )
            self._task = self._bar.add_task("checked extensions", total=None)
            self._bar.start()
        assert self._task is not None
        self._bar.update(self._task, completed=self._checked, total=self._found, refresh=True)

    def close(self) -> None:
        """Removes the bar or the line."""
        self._clear()
        if self._bar is not None:
            self._bar.stop()
