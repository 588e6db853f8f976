"""Output for people: `text`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.finding import Finding
from extlint.package.files import Package
from extlint.reporter.closing import counted
from extlint.reporter.folding import folded, places
from extlint.reporter.people import Lines, PeopleReporter, style_of
from extlint.reporter.reporter import Options
from extlint.reporter.visible import visible


class TextReporter(PeopleReporter, frozen=True):
    """Shows the code, the related places and the help, and folds findings that say the same.

    Lines are broken, and code is cut, to fit into `width` columns.
    """

    width: int | None = None

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Each finding in full, with an empty line after it."""
        for finding, others in folded(findings):
            yield self._fitted(self.sentence(finding, lines.package, targets), 4)
            yield from self.code(finding, lines)
            if finding.help is not None:
                yield self._fitted(f"  {self.style('green', 'help:')} {visible(finding.help)}", 8)
            yield from self._others(others, lines.package)
            yield ""

    def code(self, finding: Finding, lines: Lines) -> Iterator[str]:
        """The code of a finding, and the related places with theirs."""
        from extlint.reporter.excerpt import excerpt

        style = self.style
        yield from excerpt(lines.of(finding.path), finding.span, style, finding.severity, self.width)
        for related in finding.related:
            place = self.place(lines.package, related.path, related.span)
            yield self._fitted(f"  {place}: {visible(related.message)}", 4)
            yield from excerpt(lines.of(related.path), related.span, style, finding.severity, self.width)

    def _fitted(self, line: str, indent: int) -> str:
        if self.width is None:
            return line
        from extlint.reporter.wrapping import wrapped

        return wrapped(line, self.width, indent)

    def _others(self, findings: Sequence[Finding], package: Package) -> Iterator[str]:
        """The places of the findings that say the same and are not shown."""
        if findings:
            yield f"  the same in {counted(len(findings), 'more place')}:"
        for path, positions in places(findings):
            yield f"    {self.path(package, path)}:{positions}"


def reporter(options: Options) -> TextReporter:
    """The format, as the user wants it."""
    return TextReporter(style_of(options), options.quiet, options.statistics, options.width)
