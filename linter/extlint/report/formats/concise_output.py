"""Human-readable output, also for `grep` and editors: `concise`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.finding import Finding
from extlint.report.formats.human_readable import HumanReadableReporter, Lines, style_of
from extlint.report.reporter import Options


class ConciseReporter(HumanReadableReporter, frozen=True):
    """Writes one line for each finding."""

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Returns a sentence for each finding."""
        return (self.sentence(each, lines.package, targets) for each in findings)


def reporter(options: Options) -> ConciseReporter:
    """Returns the reporter for the user's options."""
    return ConciseReporter(style_of(options), options.quiet, options.statistics)
