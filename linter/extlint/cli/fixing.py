"""Fixes the findings of a run that can be fixed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path

from msgspec import Struct

from extlint.cli.check_options import FixOptions
from extlint.cli.streams import write_bytes
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import Package
from extlint.report.report import Report


class Destination(Enum):
    """The destination of the files that fixes change."""

    DISK = "to their own place"
    PREVIEW = "nowhere, as they are only shown"
    STANDARD_OUTPUT = "to standard output: the file that was read from standard input, changed or not"


class Fixing(Struct, frozen=True):
    """The way to fix findings. Unsafe fixes are applied only if `unsafe`.

    `only_stdin` is true if only the text from standard input may change, and `stdin_filename` is its name, if
    it has one.
    """

    destination: Destination
    unsafe: bool
    only_stdin: bool = False
    stdin_filename: str | None = None

    @property
    def is_dry(self) -> bool:
        """Whether changes are only shown."""
        return self.destination is Destination.PREVIEW

    @property
    def is_filter(self) -> bool:
        """Whether standard output receives the fixed text."""
        return self.destination is Destination.STANDARD_OUTPUT

    def __call__(
        self, package: Package, report: Report, check: Callable[[Package], Report]
    ) -> tuple[Report, Sequence[str]]:
        """Returns the report of the remaining findings, and a sentence for an error.

        After an error, nothing was changed. `report` is the result of `check` for the package.
        """
        only = _path_in(package, self.stdin_filename) if self.only_stdin else None
        fixed = self._fixed(package, report, check, only)
        if self.destination is Destination.DISK and fixed.changes:
            from extlint.checking.fix_rounds import NotWrittenError, write_changes

            try:
                write_changes(package, fixed.changes)
            except NotWrittenError as error:
                return report, (str(error),)
        if self.is_filter and only is not None:
            changed = next((each.after for each in fixed.changes), None)
            write_bytes(package.peek(only) if changed is None else changed)
        return fixed, ()

    def _fixed(
        self, package: Package, report: Report, check: Callable[[Package], Report], only: str | None
    ) -> Report:
        fixes = (each.fix for each in report.findings if each.fix is not None)
        if not any(each.safe or self.unsafe for each in fixes):
            return report
        from extlint.checking.fix_rounds import apply_fixes

        return apply_fixes(package, report, check, unsafe=self.unsafe, only=only)


def fixing_of(options: FixOptions, paths: Sequence[str], stdin_filename: str | None) -> Fixing:
    """Returns the way to fix findings. Raises UsageError for incomplete options."""
    if not options.fix and not options.diff:
        raise UsageError("--unsafe-fixes requires --fix or --diff")
    of_stdin = "-" in paths
    if options.diff:
        destination = Destination.PREVIEW
    else:
        destination = Destination.STANDARD_OUTPUT if of_stdin else Destination.DISK
    return Fixing(destination, options.unsafe_fixes, of_stdin, stdin_filename)


def _path_in(package: Package, filename: str | None) -> str:
    """Returns the path in a package of the file that was read from standard input."""
    if filename is None:
        return package.manifest_path
    file = Path(filename)
    folder = Path(package.name or ".").resolve()
    return Path(os.path.relpath(file.parent.resolve() / file.name, folder)).as_posix()
