"""Output for people: `text` with excerpts, `concise` with one line for each finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from extlint.finding import Finding
from extlint.package.files import Package, UnreadableError
from extlint.report import Report, Summary
from extlint.reporter.closing import closing, counted, statistics
from extlint.reporter.excerpt import excerpt
from extlint.reporter.folding import folded, places
from extlint.reporter.style import Style
from extlint.reporter.visible import visible
from extlint.text import Span, TextIndex


class PeopleReporter(Struct, frozen=True):
    """Writes for people.

    `excerpts` shows the code, the related places and the help as well, and of findings that say the same
    only the first in full; without it each finding is one line. `quiet` leaves out the lines that count and
    say what was checked. A finding that is not about all targets of its extension names its own.
    """

    style: Style
    excerpts: bool = True
    quiet: bool = False
    statistics: bool = False

    def extension(self, report: Report) -> str:
        """Every finding of an extension."""
        lines = _Lines(report.package)
        targets = frozenset(report.choice.names)
        written = self._in_full if self.excerpts else self._sentences
        return "".join(f"{line}\n" for line in written(report.findings, lines, targets))

    def whole(self, parts: Sequence[str], summary: Summary) -> str:
        """The findings, the statistics if asked for, and the lines that count and say what was checked."""
        last = statistics(summary) if self.statistics and summary.rules else ""
        if not self.quiet and summary.extensions:
            last += closing(summary, self.style)
        found = "".join(parts)
        gap = "\n" if found and last and not self.excerpts and self.statistics else ""
        return found + gap + last

    def _sentences(
        self, findings: Sequence[Finding], lines: _Lines, targets: frozenset[str]
    ) -> Iterator[str]:
        return (self._sentence(each, lines.package, targets) for each in findings)

    def _in_full(self, findings: Sequence[Finding], lines: _Lines, targets: frozenset[str]) -> Iterator[str]:
        for finding, others in folded(findings):
            yield self._sentence(finding, lines.package, targets)
            yield from self._explained(finding, lines)
            yield from self._others(others, lines.package)
            yield ""

    def _sentence(self, finding: Finding, package: Package, targets: frozenset[str]) -> str:
        place = self._place(package, finding.path, finding.span)
        label = self.style.severity(finding.severity, f"{finding.severity}[{finding.rule}]")
        whom = "" if targets <= {*finding.targets} else f" ({', '.join(finding.targets)})"
        return f"{place}: {label} {visible(finding.message)}{whom}"

    def _explained(self, finding: Finding, lines: _Lines) -> Iterator[str]:
        """The code, the related places and the help."""
        style = self.style
        yield from excerpt(lines.of(finding.path), finding.span, style, finding.severity)
        for related in finding.related:
            place = self._place(lines.package, related.path, related.span)
            yield f"  {place}: {visible(related.message)}"
            yield from excerpt(lines.of(related.path), related.span, style, finding.severity)
        if finding.help is not None:
            yield f"  {style('green', 'help:')} {visible(finding.help)}"

    def _others(self, findings: Sequence[Finding], package: Package) -> Iterator[str]:
        """The places of the findings that say the same and are not shown."""
        if findings:
            yield f"  the same in {counted(len(findings), 'more place')}:"
        for path, positions in places(findings):
            yield f"    {self._path(package, path)}:{positions}"

    def _place(self, package: Package, path: str, span: Span) -> str:
        return f"{self._path(package, path)}:{span.start.line}:{span.start.column}"

    def _path(self, package: Package, path: str) -> str:
        return self.style("bold", visible(_full_path(package, path)))


def _full_path(package: Package, path: str) -> str:
    """A file's path as the user can open it: below the extension's folder or archive."""
    return path if package.name in (".", "") else f"{package.name.rstrip('/')}/{path}"


class _Lines:
    """The lines of a package's files; a file that cannot be read has none."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.of = lru_cache(maxsize=32)(self._of)

    def _of(self, path: str) -> Callable[[int], str]:
        from extlint.text import decode

        try:
            data = decode(self.package.read(path))
        except (KeyError, UnreadableError):
            return lambda _number: ""
        return lru_cache(maxsize=4)(TextIndex(data).line)
