"""How far a run over many extensions is, on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from extlint.package.files import Package, UnreadableError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 1.0
"""A run that takes fewer seconds shows nothing."""

INTERVAL = 0.1
"""So many seconds pass before the bar is drawn again."""


class Bar:
    """Draws a bar once the run has taken a second, and takes it away at the end, when it is closed.

    It is drawn when an extension is checked, by no thread of its own, so that processes can be forked.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._found = 0
        self._ended = 0
        self._next = monotonic() + DELAY
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def found(self, packages: Iterable[Package | UnreadableError]) -> Iterator[Package | UnreadableError]:
        """The extensions as they are found."""
        for package in packages:
            self._found += 1
            yield package

    def ended(self) -> None:
        """Counts an extension as checked, and draws the bar again if it is time to."""
        self._ended += 1
        if self._found > 1 and monotonic() >= self._next:
            self._next = monotonic() + INTERVAL
            self._draw()

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
        self._bar.update(self._task, completed=self._ended, total=self._found, refresh=True)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()
