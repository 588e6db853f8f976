"""`extlint.Session`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from types import TracebackType
from typing import Any

from extlint.analysis.cache.cache import MemoryCache
from extlint.checking.run import Run
from extlint.package.disk import UnsavedFiles, with_unsaved_files
from extlint.package.failures import CancelSignal, CancelToken, cancellable
from extlint.services.api.checking import Names, Path, Paths, configuration_of, report_of_run, required_paths
from extlint.services.api.results import Changes, Finding, Report


class Cancelled(Exception):  # noqa: N818
    """A check by a `Session` was cancelled."""


class ClosedError(ValueError):
    """A `Session` was used after it was closed."""


class Session:
    """Checks the same extensions repeatedly, and reports what has changed.

    A session keeps what it finds out about files in memory, so that a check repeats only the work that the
    changes since the last check require. It reads the files, the configuration and the schemas again for each
    check. Unsaved texts replace files, as in an editor.

    Any thread may use it. It checks in the thread that calls `check`, and never starts processes.

    `path` is one or more paths, and the other arguments are those of `check`. Raises `UsageError` for an
    invalid option.
    """

    def __init__(
        self,
        path: Paths = ".",
        *,
        targets: Names = (),
        select: Names = (),
        ignore: Names = (),
        extend_select: Names = (),
        schemas: Paths = (),
        config: Path | None = None,
        fail_level: str | None = None,
        baseline: Path | None = None,
        gitignore: bool | None = None,
        skip_foreign_files: bool = False,
    ) -> None:
        self._paths = required_paths(path)
        self._options: dict[str, Any] = {
            "targets": targets,
            "select": select,
            "ignore": ignore,
            "extend_select": extend_select,
            "schemas": schemas,
            "fail_level": fail_level,
            "baseline": baseline,
            "gitignore": gitignore,
        }
        self._config = None if config is None else os.fspath(config)
        self._skips_foreign_files = skip_foreign_files
        self._texts: dict[str, bytes] = {}
        self._cache = MemoryCache()
        self._found: tuple[Finding, ...] = ()
        self._is_closed = False
        self._running: CancelToken | None = None
        self._lock = Lock()
        self._turn = Lock()
        self._run()

    def set_text(self, path: Path, text: str | bytes) -> None:
        """Replaces the text of a file in the following checks, whether the file exists or not.

        It may be any file that a check reads: a script, a page, the manifest, or the configuration.
        """
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        with self._lock:
            self._texts[os.path.abspath(path)] = data

    def remove_text(self, path: Path) -> None:
        """Uses the text on the disk again. Does nothing for a file whose text was not replaced."""
        with self._lock:
            self._texts.pop(os.path.abspath(path), None)

    def check(self) -> Changes:
        """Checks, and returns the report with the findings added and removed since the last check.

        If another thread is checking, waits for its end. An unreadable extension is not an error: the reason
        is in `Report.unchecked`.

        Raises `Cancelled` if another thread cancels this check; the next one reports the changes since the
        last complete check. Raises `UsageError` for a configuration or schemas that cannot be used and that
        were passed to the session, and `ValueError` if the session is closed.
        """
        with self._turn:
            with self._reading():
                report = self._report()
            self._cache.end_check()
            added = _without(report.findings, self._found)
            removed = _without(self._found, report.findings)
            self._found = report.findings
            return Changes(report, added, removed)

    def cancel(self) -> None:
        """Makes the check that is running, if any, raise `Cancelled` soon. Does not wait for that."""
        with self._lock:
            if self._running is not None:
                self._running.cancel()

    def close(self) -> None:
        """Cancels the check that is running, waits for its end, and frees the memory of the session."""
        with self._lock:
            self._is_closed = True
            if self._running is not None:
                self._running.cancel()
        with self._turn:
            self._texts.clear()
            self._cache = MemoryCache()
            self._found = ()

    def __enter__(self) -> Session:
        """Returns the session."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the session."""
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[Mapping[str, bytes]]:
        """Replaces the files by their unsaved texts within the block, and yields these by absolute path.

        Only one thread may be in such a block.

        Raises `Cancelled` if another thread cancels the block, and `ClosedError` if the session is closed.
        """
        with self._lock:
            if self._is_closed:
                raise ClosedError("the session is closed")
            token = self._running = CancelToken()
            texts = dict(self._texts)
        try:
            with cancellable(token), with_unsaved_files(UnsavedFiles(texts)):
                yield texts
        except CancelSignal:
            raise Cancelled("the check was cancelled") from None
        finally:
            self._running = None

    def _run(self) -> Run:
        options = configuration_of(**self._options)
        return Run(options, self._config, skips_foreign_files=self._skips_foreign_files)

    def _report(self) -> Report:
        run = self._run()
        return report_of_run(run, run.packages_at(self._paths), self._cache)


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns the findings that are not among others, in their order; each counts as often as it occurs."""
    left = Counter(others)
    found = []
    for each in findings:
        if left[each] > 0:
            left[each] -= 1
        else:
            found.append(each)
    return tuple(found)
