"""Output for programs that read Checkstyle's XML: `checkstyle`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from extlint.finding import Finding
from extlint.package.files import path_below
from extlint.report.formats.xml_text import HEADER, attributes
from extlint.report.paths import Paths, current_folder_paths
from extlint.report.report import Report, Summary, full_message
from extlint.report.reporter import Options

VERSION = "4.3"
"""The version of Checkstyle whose format this is. Readers require one."""


class CheckstyleReporter(Struct, frozen=True):
    """Writes a `file` for each file with findings, and an `error` for each finding of any severity."""

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the files of an extension that have findings."""
        folder = self.paths.folder(report.package)
        targets = frozenset(report.choice.names)
        parts = []
        for path, group in groupby(report.findings, key=lambda each: each.path):
            errors = "".join(_error(each, targets) for each in group)
            parts.append(f"  <file{attributes(name=path_below(folder, path))}>\n{errors}  </file>\n")
        return "".join(parts)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """Returns the document."""
        return f'{HEADER}<checkstyle version="{VERSION}">\n{"".join(parts)}</checkstyle>\n'


def _error(finding: Finding, targets: frozenset[str]) -> str:
    line, column = finding.span.start
    values = {
        "line": line,
        "column": column,
        "severity": finding.severity,
        "message": full_message(finding, targets),
        "source": f"extlint.{finding.rule}",
    }
    return f"    <error{attributes(**values)}/>\n"


def reporter(_options: Options) -> CheckstyleReporter:
    """Returns the reporter, which has no options."""
    return CheckstyleReporter(current_folder_paths())
