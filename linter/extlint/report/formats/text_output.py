"""Human-readable output: `text`, `concise` (also for `grep` and editors), and `grouped`, by file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from extlint.finding import Finding
from extlint.package.files import Package
from extlint.report.formats.human_readable import (
    HumanReadableReporter,
    Lines,
    fold_findings,
    location_lines,
    style_of,
)
from extlint.report.reporter import Options
from extlint.report.terminal import wrap_line
from extlint.report.visible import visible
from extlint.text.wording import counted


class TextReporter(HumanReadableReporter, frozen=True):
    """Shows the code, the related locations and the help, and folds equivalent findings.

    Lines are wrapped, and code is truncated, to fit into `width` columns.
    """

    width: int | None = None

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Yields each finding in full, with an empty line after it."""
        for finding, folded in fold_findings(findings):
            yield self._wrap(self.sentence(finding, lines.package, targets), 4)
            yield from self.code(finding, lines)
            if finding.help is not None:
                yield self._wrap(f"  {self.style('green', 'help:')} {visible(finding.help)}", 8)
            yield from self._folded_lines(folded, lines.package)
            yield ""

    def code(self, finding: Finding, lines: Lines) -> Iterator[str]:
        """Yields the code of a finding, and the related locations with theirs."""
        from extlint.report.excerpt import excerpt

        style = self.style
        yield from excerpt(lines.of(finding.path), finding.span, style, finding.severity, self.width)
        for related in finding.related:
            place = self.location(lines.package, related.path, related.span)
            yield self._wrap(f"  {place}: {visible(related.message)}", 4)
            yield from excerpt(lines.of(related.path), related.span, style, finding.severity, self.width)

    def _wrap(self, line: str, indent: int) -> str:
        if self.width is None:
            return line
        return wrap_line(line, self.width, indent)

    def _folded_lines(self, findings: Sequence[Finding], package: Package) -> Iterator[str]:
        """Yields the locations of the equivalent findings that are not shown."""
        if findings:
            yield f"  the same in {counted(len(findings), 'more place')}:"
        for path, positions in location_lines(findings):
            yield f"    {self.path(package, path)}:{positions}"


def reporter(options: Options) -> TextReporter:
    """Returns the reporter for the user's options."""
    return TextReporter(style_of(options), options.quiet, options.statistics, options.width)


class ConciseReporter(HumanReadableReporter, frozen=True):
    """Writes one line for each finding."""

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Returns a sentence for each finding."""
        return (self.sentence(each, lines.package, targets) for each in findings)


def concise_reporter(options: Options) -> ConciseReporter:
    """Returns the concise_reporter for the user's options."""
    return ConciseReporter(style_of(options), options.quiet, options.statistics)


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


def grouped_reporter(options: Options) -> GroupedReporter:
    """Returns the grouped_reporter for the user's options."""
    return GroupedReporter(style_of(options), options.quiet, options.statistics)
