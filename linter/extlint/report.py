"""What a run found: a report for each extension, and the counts of all of them."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from extlint.finding import Finding, Severity
from extlint.package.files import Package


class Report(Struct, frozen=True):
    """One extension: its findings in order, and how many of its files were looked at.

    `unreadable` has one sentence for each file that could not be read. `targets` are the names of those
    that it was checked against.
    """

    package: Package
    findings: tuple[Finding, ...]
    files: int
    unreadable: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def has_at_least(self, level: Severity) -> bool:
        """Whether a finding is as bad as `level`, or worse."""
        return any(finding.severity >= level for finding in self.findings)


class Summary(Struct, eq=False):
    """Counts over every extension of a run."""

    extensions: int = 0
    files: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    rules: Counter[tuple[str, Severity]] = field(default_factory=Counter)

    def add(self, report: Report) -> None:
        """Counts one extension."""
        self.extensions += 1
        self.files += report.files
        self.severities.update(finding.severity for finding in report.findings)
        self.rules.update((finding.rule, finding.severity) for finding in report.findings)

    @property
    def findings(self) -> int:
        """How many findings there are, of any severity."""
        return self.severities.total()
