"""Output for the log of a workflow of GitHub Actions: `github`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from extlint.finding import Finding, Severity
from extlint.package.files import Package, path_below
from extlint.report.formats.human_readable import Lines, fold_findings, full_path, style_of
from extlint.report.formats.text_output import TextReporter
from extlint.report.paths import Paths, repository_paths
from extlint.report.report import Summary, target_suffix
from extlint.report.reporter import Options
from extlint.report.visible import visible

MAX_ANNOTATIONS = 10
"""Annotations of a kind that GitHub accepts from a step, according to its documentation of check runs."""

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


class GithubReporter(TextReporter, frozen=True):
    """Writes a workflow command that annotates each finding's line, and the code below it for the log.

    Equivalent findings are also commands, but without the code. No other line can be a command, whatever the
    package contains.
    """

    MARKS: ClassVar[bool] = False

    paths: Paths = Paths("", "")

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Yields each finding, with an empty line after it."""
        folder = self.paths.folder(lines.package)
        for finding, folded in fold_findings(findings):
            yield _command(finding, folder, lines.package, targets)
            yield from map(escape_commands, self.code(finding, lines))
            for other in folded:
                yield _command(other, folder, lines.package, targets)
            yield ""

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the findings, the closing lines, and a note if GitHub does not annotate all of them."""
        findings = "".join(parts)
        rest = super().output((), summary)
        return findings + "".join(map(escape_commands, rest.splitlines(keepends=True))) + self._limit(summary)

    def _limit(self, summary: Summary) -> str:
        if self.quiet or all(count <= MAX_ANNOTATIONS for count in summary.severities.values()):
            return ""
        return f"GitHub annotates only the first {MAX_ANNOTATIONS} errors, warnings and notes of a step\n"


def _command(finding: Finding, folder: str, package: Package, targets: frozenset[str]) -> str:
    """Returns the workflow command, with columns only for findings on one line, as GitHub requires."""
    (line, column), (last, end) = finding.span
    properties = {
        "title": f"extlint ({finding.rule})",
        "file": path_below(folder, finding.path),
        "line": line,
    }
    properties |= {"col": column, "endLine": last, "endColumn": end} if last == line else {"endLine": last}
    place = f"{visible(full_path(package, finding.path))}:{line}:{column}"
    message = f"{place}: {visible(finding.message)}{target_suffix(finding, targets)}"
    if finding.help is not None:
        message += f"\nhelp: {visible(finding.help)}"
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {written}::{message.translate(_IN_DATA)}"


def _property(value: str) -> str:
    return visible(value).translate(_IN_PROPERTY)


def escape_commands(line: str) -> str:
    """Returns a log line without commands for the runner: neither `::name::` nor the older `##[name]`."""
    line = line.replace("##[", "##\\x5b")
    return line.replace("::", "\\x3a:", 1) if line.lstrip().startswith("::") else line


def reporter(options: Options) -> GithubReporter:
    """Returns the reporter for the user's options."""
    return GithubReporter(style_of(options), options.quiet, options.statistics, paths=repository_paths())
