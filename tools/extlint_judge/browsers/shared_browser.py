"""Browsers that are reused, because each start takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeAlias, TypeVar

Session = TypeVar("Session")

Start: TypeAlias = Callable[[str, Path], AbstractContextManager[Session]]
"""Starts a browser, by its command, with a new profile in a folder."""

Clean: TypeAlias = Callable[[Session], None]
"""Closes and uninstalls everything in a browser after use."""


class SharedBrowser(Generic[Session]):
    """Starts a browser for each session, or lends the reused one if there is one."""

    def __init__(self, start: Start[Session], clean: Clean[Session]) -> None:
        self._start = start
        self._clean = clean
        self._kept: _ReusedBrowser[Session] | None = None

    @contextmanager
    def session(self, command: str, folder: Path) -> Iterator[Session]:
        """Yields a session with a browser. `folder` is empty, for the profile if a browser is started."""
        source = self._start(command, folder) if self._kept is None else self._kept.lend(command)
        with source as session:
            yield session

    @contextmanager
    def reuse(self) -> Iterator[Callable[[], None]]:
        """Reuses the first browser that is started in this context for all sessions.

        Yields a function that ends the browser until one is required again.
        """
        with (
            TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            _ReusedBrowser(self._start, self._clean, Path(folder)) as reused_browser,
        ):
            self._kept = reused_browser
            try:
                yield reused_browser.end
            finally:
                self._kept = None


class _ReusedBrowser(ExitStack, Generic[Session]):
    """A browser that is started on first use, and again after a failure."""

    def __init__(self, start: Start[Session], clean: Clean[Session], folder: Path) -> None:
        super().__init__()
        self._start = start
        self._clean = clean
        self._folder = folder
        self._session: Session | None = None
        self._starts = 0

    @contextmanager
    def lend(self, command: str) -> Iterator[Session]:
        if self._session is None:
            self._starts += 1
            home = self._folder / str(self._starts)
            home.mkdir()
            self._session = self.enter_context(self._start(command, home))
        try:
            yield self._session
            self._clean(self._session)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        self._session = None
        self.close()
