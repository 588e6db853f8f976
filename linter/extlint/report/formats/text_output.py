"""Human-readable output: `text`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.finding import Finding
from extlint.package.files import Package
from extlint.report.closing_lines import counted
from extlint.report.folding import fold_findings, location_lines
from extlint.report.formats.human_readable import HumanReadableReporter, Lines, style_of
from extlint.report.reporter import Options
from extlint.report.visible import visible


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
        from extlint.report.wrapping import wrap_line

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
