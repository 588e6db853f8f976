"""Output for merge requests of GitLab, in its format of Code Quality reports: `gitlab`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.finding import Severity
from extlint.package.files import path_below
from extlint.report.formats.human_readable import Lines, fingerprints
from extlint.report.formats.json_output import array, dump
from extlint.report.paths import Paths, repository_paths
from extlint.report.report import Report, Summary, full_message
from extlint.report.reporter import Options

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


class GitlabReporter(Struct, frozen=True):
    """Writes a JSON array with an object for each finding, whose fingerprint is the same if lines move."""

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the findings of an extension, as items of a JSON array."""
        folder = self.paths.folder(report.package)
        targets = frozenset(report.choice.names)
        marks = fingerprints(folder, report.findings, Lines(report.package))
        items = [
            {
                "description": full_message(each, targets),
                "check_name": each.rule,
                "fingerprint": mark,
                "severity": _SEVERITIES[each.severity],
                "location": {
                    "path": path_below(folder, each.path),
                    "lines": {"begin": each.span.start.line, "end": each.span.end.line},
                },
            }
            for each, mark in zip(report.findings, marks, strict=True)
        ]
        return ",\n".join(f"  {dump(each)}" for each in items)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """Returns the JSON array."""
        return f"{array(parts)}\n"


def reporter(_options: Options) -> GitlabReporter:
    """Returns the reporter, which has no options."""
    return GitlabReporter(repository_paths())
