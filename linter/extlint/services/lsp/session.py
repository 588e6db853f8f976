"""The session of a folder of the workspace: its findings, and access to its extensions for other features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from msgspec import Struct

from extlint.analysis.cache.store import Store
from extlint.checking.report_of import Settings, storing_with_reports
from extlint.package.files import Package, UnreadableError, path_below
from extlint.report.formats.json_output import JsonReporter
from extlint.report.report import Report
from extlint.services.api.results import Report as Results
from extlint.services.api.session import Cancelled, ClosedError, Session


class View(Struct, frozen=True):
    """An extension with the file that is being edited, whose path is relative to the extension's root."""

    package: Package
    settings: Settings
    path: str
    store: Store


class EditorSession(Session):
    """A session whose extensions can also be read, for hovers and the like, and fixed in memory."""

    def check_texts(self) -> tuple[Results, Mapping[str, bytes]]:
        """Returns the report of a check, and the unsaved texts that it used, by absolute path.

        Raises what `check` raises.
        """
        from extlint.services.editor.lenses import permission_uses

        with self._turn:
            with self._reading() as texts, storing_with_reports(permission_uses):
                report = self._report()
            self._cache.end_check()
            return report, texts

    @contextmanager
    def _reading(self) -> Iterator[Mapping[str, bytes]]:
        """Does the same as `Session._reading`, but a closed session counts as cancelled.

        A request may wait for the worker while the folder is closed.
        """
        try:
            with super()._reading() as texts:
                yield texts
        except ClosedError:
            raise Cancelled("the folder is closed") from None

    @contextmanager
    def view(self, file: str) -> Iterator[View | None]:
        """Yields the extension with a file (an absolute path), or None if no extension has it.

        Raises `Cancelled` if another thread cancels the block.
        """
        with self._turn, self._reading():
            yield self._view(file)

    def _view(self, file: str) -> View | None:
        run = self._run()
        for package in run.packages_at([file]):
            if isinstance(package, Package):
                path = _path_in(package, file)
                if path is None:
                    continue
                try:
                    settings = run.settings_of(package)
                except UnreadableError:
                    return None
                return View(package, settings, path, self._cache.store_for(package))
        return None

    def fixed(self, file: str, *, whole: bool) -> Mapping[str, bytes]:
        """Returns the new texts, by absolute path, of the files that safe fixes change.

        These are the files of the extension with `file` if `whole`, else only `file` itself. No file is
        written. Returns nothing if another thread cancels it, or the folder is closed.
        """
        with suppress(Cancelled), self._turn, self._reading():
            run = self._run()
            fixing = _Collector(file, whole)
            run.check(
                run.packages_at([file]), [JsonReporter()], lambda _: None, cache=self._cache, fixing=fixing
            )
            return fixing.texts
        return {}


def _path_in(package: Package, file: str) -> str | None:
    """Returns the path of a file in a package, or None if the package does not list it."""
    paths = (package.manifest_path, *package.variants, *package.paths)
    return next((each for each in paths if path_below(package.name, each) == file), None)


class _Collector:
    """Fixes a package in memory, and collects the new texts."""

    is_dry = True

    def __init__(self, file: str, whole: bool) -> None:
        self._file = file
        self._whole = whole
        self.texts: dict[str, bytes] = {}

    def __call__(
        self, package: Package, report: Report, check: Callable[[Package], Report]
    ) -> tuple[Report, Sequence[str]]:
        from extlint.checking.fix_rounds import apply_fixes

        only = None if self._whole else _path_in(package, self._file) or ""
        fixed = apply_fixes(package, report, check, unsafe=False, only=only)
        self.texts.update({path_below(package.name, each.path): each.after for each in fixed.changes})
        return fixed, ()
