"""Human-readable output, by file: `grouped`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from extlint.finding import Finding
from extlint.report.formats.human_readable import HumanReadableReporter, Lines, style_of
from extlint.report.reporter import Options


class GroupedReporter(HumanReadableReporter, frozen=True):
    """Names each file once, with one line for each finding below it."""

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Yields the path of each file and its findings, with an empty line after them."""
        for path, group in groupby(findings, key=lambda each: each.path):
            yield self.path(lines.package, path)
            placed = [(f"{each.span.start.line}:{each.span.start.column}", each) for each in group]
            width = max(len(place) for place, _ in placed)
            for place, each in placed:
                yield f"  {place:{width}}  {self.label_and_message(each, lines.package, targets)}"
            yield ""


def reporter(options: Options) -> GroupedReporter:
    """Returns the reporter for the user's options."""
    return GroupedReporter(style_of(options), options.quiet, options.statistics)
