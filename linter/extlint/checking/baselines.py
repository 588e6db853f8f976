"""The baselines of a run: read before it, applied to each extension, and written after it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from extlint.finding import Finding
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import UsageError
from extlint.linting.suppression.baseline import (
    NO_BASELINE,
    Baseline,
    Entry,
    count_findings,
    entries_of,
    extension_name,
    format_baseline,
    read_baseline,
    sorted_entries,
    without_baselined,
)
from extlint.package.disk import exists
from extlint.package.files import UnreadableError
from extlint.report.report import Report

NO_FILE = "--write-baseline requires a file: add --baseline FILE, or the key baseline to the configuration"


class BaselineUse(Struct, frozen=True):
    """The baseline of an extension: its file, as users call it and as an absolute path, and its content.

    `writes` is true if the findings of the run are written into it.
    """

    name: str
    path: str
    content: Baseline
    writes: bool


class BaselinePart(Struct, frozen=True):
    """The new content of a baseline file for one extension."""

    name: str
    path: str
    extension: str
    entries: tuple[Entry, ...]


class Baselines:
    """Reads the baselines of a run, each file once."""

    def __init__(self, given: str | None, *, writes: bool) -> None:
        """Reads the baseline `given` by an option, and checks that it can be written. Raises UsageError."""
        self._given = given
        self._writes = writes
        self._known: dict[str, Baseline] = {}
        if given is None:
            return
        try:
            self._read(os.path.abspath(given), given)
        except (UnreadableError, ValueError) as error:
            raise UsageError(str(error)) from None
        if writes:
            from extlint.checking.output_file import OutputFile

            OutputFile(given)

    def baseline_for(self, own: Configuration) -> BaselineUse | None:
        """Returns the baseline of an extension with this configuration.

        Raises UnreadableError if it is invalid.
        """
        if self._given is not None:
            name, path = self._given, os.path.abspath(self._given)
        elif own.baseline is not None:
            name = Path(Path(own.file).parent, own.baseline).as_posix()
            path = os.path.normpath(os.path.join(own.folder, own.baseline))
        elif self._writes:
            raise UnreadableError(NO_FILE)
        else:
            return None
        return BaselineUse(name, path, self._read(path, name), self._writes)

    def _read(self, path: str, name: str) -> Baseline:
        if path not in self._known:
            if exists(path):
                self._known[path] = read_baseline(path, name)
            elif self._writes:
                self._known[path] = NO_BASELINE
            else:
                raise UnreadableError(f"the baseline {name} does not exist; write it with --write-baseline")
        return self._known[path]


def without_baseline(report: Report, use: BaselineUse, rules: Collection[str]) -> Report:
    """Returns the report without the findings in a baseline, if these rules ran."""
    new_findings, left = _compare(report, use)
    outdated = (
        [] if not _is_complete(report) else [each for each in left if _was_checked(each, report, rules)]
    )
    return _with_findings(report, use, new_findings, count_findings(outdated))


def for_baseline(report: Report, use: BaselineUse, rules: Collection[str]) -> tuple[Report, BaselinePart]:
    """Returns the report without any findings, and the new content of the baseline for the extension.

    In addition to the findings, it keeps the entries that these rules, or these targets, would not find
    again.
    """
    _, left = _compare(report, use)
    remaining = [each for each in left if not (_is_complete(report) and _was_checked(each, report, rules))]
    entries = sorted_entries([*entries_of(report.findings, report.package), *remaining])
    part = BaselinePart(use.name, use.path, extension_name(use.path, report.package), tuple(entries))
    return _with_findings(report, use, (), 0), part


def _compare(report: Report, use: BaselineUse) -> tuple[tuple[Finding, ...], list[Entry]]:
    """Returns the findings that are not in a baseline, and the entries of the baseline without a finding."""
    entries = use.content.extensions.get(extension_name(use.path, report.package), ())
    reworded = use.content.extlint != NO_BASELINE.extlint
    return without_baselined(report.findings, report.package, entries, reworded=reworded)


def _is_complete(report: Report) -> bool:
    """Whether everything was checked, so that a missing finding is fixed."""
    return report.package.complete and not report.package.failures and not report.unreadable


def _was_checked(entry: Entry, report: Report, rules: Collection[str]) -> bool:
    return entry.rule in rules and {*entry.targets} <= {*report.choice.names}


def _with_findings(report: Report, use: BaselineUse, findings: tuple[Finding, ...], outdated: int) -> Report:
    known = len(report.findings) - len(findings)
    return replace(
        report,
        findings=findings,
        suppressed=report.suppressed + known,
        baseline=use.name,
        in_baseline=known,
        outdated=outdated,
    )


def write_baselines(parts: Sequence[BaselinePart]) -> dict[str, int]:
    """Writes the files of baselines, and returns the number of findings of these extensions in each.

    Entries of other extensions remain in a file, unless these no longer exist. Raises UnreadableError or
    UsageError for a file that cannot be written.
    """
    from extlint.checking.output_file import OutputFile

    counts: dict[str, int] = {}
    for path, name in sorted({(each.path, each.name) for each in parts}):
        own = [each for each in parts if each.path == path and each.name == name]
        before = read_baseline(path, name) if os.path.lexists(path) else NO_BASELINE
        folder = Path(path).parent
        extensions = {
            extension: entries
            for extension, entries in before.extensions.items()
            if Path(folder, extension).exists()
        }
        extensions |= {each.extension: each.entries for each in own}
        OutputFile(path).write(format_baseline(extensions))
        counts[name] = sum(count_findings(each.entries) for each in own)
    return counts
