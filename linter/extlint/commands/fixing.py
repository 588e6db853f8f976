"""What a run does about findings that can be fixed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path

from msgspec import Struct

from extlint.commands.options.fixes import FixOptions
from extlint.commands.streams import write_bytes
from extlint.configuration.usage_error import UsageError
from extlint.package.files import Package
from extlint.reporter.report import Report


class Destination(Enum):
    """Where the files go that fixes change."""

    DISK = "to their own place"
    NOWHERE = "nowhere, as they are only shown"
    STANDARD_OUTPUT = "to standard output: the file that was read from standard input, changed or not"


class Fixing(Struct, frozen=True):
    """How findings are fixed. Unsafe fixes are applied only if `unsafe`.

    `of_stdin` is whether only what was read from standard input may change, and `stdin_filename` its name,
    if it has one.
    """

    destination: Destination
    unsafe: bool
    of_stdin: bool = False
    stdin_filename: str | None = None

    @property
    def is_dry(self) -> bool:
        """Whether it is only shown what would change."""
        return self.destination is Destination.NOWHERE

    @property
    def is_filter(self) -> bool:
        """Whether standard output is for the fixed text."""
        return self.destination is Destination.STANDARD_OUTPUT

    def __call__(
        self, package: Package, report: Report, check: Callable[[Package], Report]
    ) -> tuple[Report, Sequence[str]]:
        """The report of what remains, and a sentence for what went wrong, where nothing was changed then.

        `report` is what `check` says of the package.
        """
        only = _path_in(package, self.stdin_filename) if self.of_stdin else None
        fixed = self._fixed(package, report, check, only)
        if self.destination is Destination.DISK and fixed.changes:
            from extlint.fixes.files import NotWrittenError, write_changes

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
        from extlint.fixes.rounds import with_fixes

        return with_fixes(package, report, check, unsafe=self.unsafe, only=only)


def fixing_of(options: FixOptions, paths: Sequence[str], stdin_filename: str | None) -> Fixing:
    """How findings are to be fixed. Raises UsageError for options that say it only in part."""
    if not options.fix and not options.diff:
        raise UsageError("--unsafe-fixes requires --fix or --diff")
    of_stdin = "-" in paths
    if options.diff:
        destination = Destination.NOWHERE
    else:
        destination = Destination.STANDARD_OUTPUT if of_stdin else Destination.DISK
    return Fixing(destination, options.unsafe_fixes, of_stdin, stdin_filename)


def _path_in(package: Package, filename: str | None) -> str:
    """The path in a package of the file that was read from standard input."""
    if filename is None:
        return package.manifest_path
    file = Path(filename)
    folder = Path(package.name or ".").resolve()
    return Path(os.path.relpath(file.parent.resolve() / file.name, folder)).as_posix()
