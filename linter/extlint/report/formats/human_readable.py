"""The common part of several formats: a sentence for each finding, the closing lines, identifiers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from extlint.finding import Finding
from extlint.package.files import Package, UnreadableError, path_below
from extlint.report.closing_lines import SAFE, UNSAFE, closing_lines, statistics
from extlint.report.report import Report, Summary, possible_fix, target_suffix
from extlint.report.reporter import Options, page_url
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.text.positions import Span, TextIndex, decode


class HumanReadableReporter(Struct, frozen=True):
    """Writes human-readable output. `quiet` omits the counts and the lines about what was checked.

    A finding names its targets unless it concerns all targets of its extension. A fixable finding has a mark,
    which the closing lines explain, unless `MARKS` is false.
    """

    MARKS: ClassVar[bool] = True

    style: Style
    quiet: bool = False
    statistics: bool = False

    def extension(self, report: Report) -> str:
        """Returns all findings of an extension."""
        targets = frozenset(report.choice.names)
        written = self.findings(report.findings, Lines(report.package), targets)
        return "".join(f"{line}\n" for line in written)

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the findings, the statistics if requested, and the lines with counts and targets."""
        last = statistics(summary) if self.statistics and summary.rules else ""
        if not self.quiet and summary.extensions:
            last += closing_lines(summary, self.style, marked=self.MARKS)
        found = "".join(parts)
        gap = "\n" if found and last and self.statistics and not found.endswith("\n\n") else ""
        return found + gap + last

    def findings(self, findings: Sequence[Finding], lines: Lines, targets: frozenset[str]) -> Iterator[str]:
        """Yields the lines about the findings of an extension that is checked for these targets."""
        raise NotImplementedError

    def sentence(self, finding: Finding, package: Package, targets: frozenset[str]) -> str:
        """Returns a finding in one line: its location, severity, rule and message."""
        location = self.location(package, finding.path, finding.span)
        return f"{location}: {self.label_and_message(finding, package, targets)}"

    def label_and_message(self, finding: Finding, package: Package, targets: frozenset[str]) -> str:
        """Returns the text of a finding: its severity, rule, mark and message."""
        label = self.style.severity(finding.severity, f"{finding.severity}[{self._rule(finding.rule)}]")
        fix = possible_fix(finding, package)
        mark = "" if fix is None else f" {self.style('green', SAFE if fix.safe else UNSAFE)}"
        return f"{label}{mark} {visible(finding.message)}{target_suffix(finding, targets)}"

    def location(self, package: Package, path: str, span: Span) -> str:
        """Returns a location in the form that terminals and editors open: `PATH:LINE:COLUMN`."""
        return f"{self.path(package, path)}:{span.start.line}:{span.start.column}"

    def path(self, package: Package, path: str) -> str:
        """Returns a file's path, as the user can open it."""
        shown = self.style("bold", visible(full_path(package, path)))
        if not self.style.file_links:
            return shown
        from extlint.report.paths import address_of

        address = address_of(package, path)
        return shown if address is None else self.style.link(address, shown)

    def _rule(self, name: str) -> str:
        if not self.style.links:
            return name
        return self.style.link(page_url(name), name)


def style_of(options: Options) -> Style:
    """Returns the style for the user's options."""
    return Style(options.color, options.links, options.file_links)


def full_path(package: Package, path: str) -> str:
    """Returns a file's path as the user can open it: below the extension's folder or archive."""
    return path_below(package.name, path)


class Lines:
    """The lines of a package's files. An unreadable file has no lines."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.of = lru_cache(maxsize=32)(self._of)

    def _of(self, path: str) -> Callable[[int], str]:
        try:
            data = decode(self.package.read(path))
        except (KeyError, UnreadableError):
            return lambda _number: ""
        return lru_cache(maxsize=4)(TextIndex(data).line)


MAX_SHOWN = 3
"""Equivalent findings that are shown in full."""

MAX_WIDTH = 60
"""Characters of a line of locations after its path."""


def fold_findings(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """Yields each finding that is shown, in order, with those whose locations only are listed after it.

    Findings are equivalent if they have the same rule, severity, targets, message and help, and the same kind
    of fix. The last one shown has the others.
    """
    alike: defaultdict[Hashable, list[Finding]] = defaultdict(list)
    for each in findings:
        alike[_folding_key(each)].append(each)
    shown: defaultdict[Hashable, int] = defaultdict(int)
    for each in findings:
        key = _folding_key(each)
        shown[key] += 1
        if shown[key] <= MAX_SHOWN:
            yield each, alike[key][MAX_SHOWN:] if shown[key] == MAX_SHOWN else ()


def _folding_key(finding: Finding) -> Hashable:
    is_safe = None if finding.fix is None else finding.fix.safe
    return finding.rule, finding.severity, finding.targets, finding.message, finding.help, is_safe


def location_lines(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yields the locations of findings as lines: the path of a file, and its lines and columns as `3:5, 8:1`.

    If they do not fit on one line, the next one begins with the path again.
    """
    path, line = "", ""
    for each in findings:
        place = f"{each.span.start.line}:{each.span.start.column}"
        if each.path == path and line and len(line) + len(place) + 2 <= MAX_WIDTH:
            line += f", {place}"
            continue
        if line:
            yield path, line
        path, line = each.path, place
    if line:
        yield path, line


LENGTH = 32
"""Hexadecimal digits of a fingerprint."""

MAX_CHARACTERS = 1000
"""Characters of the code under a finding that count."""


def fingerprints(folder: str, findings: Sequence[Finding], lines: Lines) -> list[str]:
    """Returns a unique fingerprint for each finding of an extension in `folder`.

    It depends on the file, the rule, and the code of the finding, without white space. Findings for which
    these are the same are numbered.
    """
    from hashlib import sha256

    counts: Counter[tuple[str, ...]] = Counter()
    found = []
    for each in findings:
        key = (path_below(folder, each.path), each.rule, _code(each, lines))
        counts[key] += 1
        text = "\0".join((*key, str(counts[key])))
        found.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH])
    return found


def _code(finding: Finding, lines: Lines) -> str:
    """Returns the code on the first line of a finding, or else its API or its message."""
    (first, start), (last, end) = finding.span
    line = lines.of(finding.path)(first)
    code = line[start - 1 : end - 1 if last == first else None][:MAX_CHARACTERS]
    return "".join(code.split()) or finding.api or finding.message
