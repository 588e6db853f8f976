"""Output for a browser: one self-contained page, `html`."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from extlint.finding import Finding
from extlint.manifest.manifest import HOST_PERMISSIONS, PERMISSIONS, read_manifest
from extlint.package.files import Package, UnreadableError, path_below
from extlint.report.closing_lines import SEVERITY_NOUNS, closing_lines, rule_counts
from extlint.report.formats.html_document import document, element, message, own_file, text
from extlint.report.formats.human_readable import Lines
from extlint.report.paths import Paths, current_folder_paths
from extlint.report.report import Report, Summary, target_suffix
from extlint.report.reporter import Options, page_url
from extlint.report.terminal import Style
from extlint.text.positions import Position, Span
from extlint.text.wording import counted

MAX_AROUND = 2
"""Lines shown before and after those of a finding."""

MAX_LINES = 6
"""Lines of a finding that are shown. Of a longer one, the first."""

MAX_CHARACTERS = 200
"""Characters shown of a line."""

_LEAD = 40
"""Characters shown before the span in a truncated line."""


def excerpt(line: Callable[[int], str], span: Span) -> str:
    """Returns the numbered lines of a span, or an empty string if they are empty.

    `line` returns a line's text by its number.
    """
    first, last = span.start.line, min(span.end.line, span.start.line + MAX_LINES - 1)
    if not any(line(number).strip() for number in range(first, last + 1)):
        return ""
    begin, end = max(1, first - MAX_AROUND), last + MAX_AROUND
    while begin < first and not line(begin).strip():
        begin += 1
    while end > last and not line(end).strip():
        end -= 1
    lines = (_numbered(line(number), number, span, last) for number in range(begin, end + 1))
    return element("pre", "\n".join(lines))


def _numbered(line: str, number: int, span: Span, last: int) -> str:
    is_own = span.start.line <= number <= last
    shown = _marked(line, number, span) if is_own else _spaced(line[:MAX_CHARACTERS])
    kind = "own" if is_own else "around"
    return element("span", element("b", str(number)) + shown, class_=kind)


def _marked(line: str, number: int, span: Span) -> str:
    """Returns a line with a mark on its part of the span, truncated around that if it is long."""
    start = span.start.column - 1 if number == span.start.line else len(line) - len(line.lstrip())
    end = span.end.column - 1 if number == span.end.line else len(line)
    low = max(0, start - _LEAD) if len(line) > MAX_CHARACTERS else 0
    high = low + MAX_CHARACTERS
    parts = list(_parts(line, (low, start, min(max(end, start), high), high)))
    return ("…" if low else "") + "".join(parts) + ("…" if high < len(line) else "")


def _parts(line: str, at: tuple[int, int, int, int]) -> Iterator[str]:
    low, start, end, high = at
    yield _spaced(line[low:start])
    yield element("mark", _spaced(line[start:end]) or "&#8203;")
    yield _spaced(line[end:high])


def _spaced(code: str) -> str:
    """Escapes code, but keeps its tabs, which `text` would replace."""
    return "\t".join(text(each) for each in code.split("\t"))


_ABOUT_MISSING = ("missing-permission", "missing-host-permission")
"""The rules about permissions that a manifest should request, but does not."""


def permissions(package: Package, findings: Sequence[Finding]) -> str:
    """Returns the table, folded, or an empty string if no permission is requested or missing."""
    requested = list(_requested(package, findings))
    missing = list(_missing(findings))
    if not requested and not missing:
        return ""
    head = "".join(element("th", each, scope="col") for each in ("Permission", "Requested in", "Findings"))
    rows = "".join(element("tr", each) for each in requested + missing)
    table = element("table", element("thead", element("tr", head)) + element("tbody", rows))
    count = f"{len(requested)} requested" + (f", {len(missing)} missing" if missing else "")
    return element("details", element("summary", f"Permissions: {count}") + table, class_="permissions")


def _requested(package: Package, findings: Sequence[Finding]) -> Iterator[str]:
    """Yields a row for each permission and each host pattern that the manifest has, or its source."""
    path = package.manifest_path
    try:
        manifest = read_manifest(path, package.read(path))
    except (KeyError, UnreadableError):
        return
    at: defaultdict[tuple[str, Position], list[Finding]] = defaultdict(list)
    for each in findings:
        at[each.path, each.span.start].append(each)
    for key in (*PERMISSIONS, *HOST_PERMISSIONS):
        for name, node in manifest.strings(key):
            place = package.written_place(node.span) if path in package.made else manifest.place(node.span)
            if place is None:
                continue
            start = place[1].start
            messages = "<br>".join(message(each.message) for each in at[place[0], start])
            where = element("code", text(key)) + element("small", f" line {start.line}")
            yield _row(element("code", text(name)), where, messages)


def _missing(findings: Sequence[Finding]) -> Iterator[str]:
    """Yields a row for each message about a missing permission, with the number of locations."""
    counts: defaultdict[str, int] = defaultdict(int)
    for each in findings:
        if each.rule in _ABOUT_MISSING:
            counts[each.message] += 1
    for sentence, count in counts.items():
        places = f" ({count} places)" if count > 1 else ""
        yield _row(element("em", "missing"), "", message(sentence) + places)


def _row(*cells: str) -> str:
    return "".join(element("td", each) for each in cells)


class HtmlReporter(Struct, frozen=True):
    """Writes a page with the code of each finding, tables of permissions and of rules, and filters.

    Its policy allows only its own style sheet and script, identified by their hashes.
    """

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the section about an extension."""
        lines = Lines(report.package)
        targets = frozenset(report.choice.names)
        files = []
        folder = self.paths.folder(report.package)
        for path, group in groupby(report.findings, key=lambda each: each.path):
            found = "\n".join(_finding(each, folder, lines, targets) for each in group)
            heading = element("h3", text(path_below(folder, path)))
            files.append(element("section", f"{heading}\n{found}\n", class_="file"))
        about = f"{counted(len(report.findings), 'finding')} in {counted(report.files, 'file')}"
        parts = (
            element("h2", text(_heading(report, self.paths))),
            element("p", f"{about}, {message(_checked(report))}", class_="soft"),
            permissions(report.package, report.findings),
            *(files or [element("p", "No findings.", class_="clean")]),
        )
        return element("section", "\n".join(filter(None, parts)), class_="extension") + "\n"

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the page."""
        first, *remaining = closing_lines(summary, Style()).splitlines() if summary.extensions else [_NOTHING]
        body = (
            element("h1", "extlint"),
            element("p", message(first), class_="total"),
            *(
                element("p", message(each), class_="soft")
                for each in remaining
                if not each.startswith(_TARGETS)
            ),
            _unchecked(summary.unchecked),
            _rules(summary),
            _filter(summary),
            "".join(parts).strip(),
        )
        return document(f"extlint: {first}", body, own_file("report.css"), own_file("report.js"))


_TARGETS = "checked for "
"""The beginning of the closing lines that each extension's section already contains here."""

_NOTHING = "Nothing was checked."


def _finding(finding: Finding, folder: str, lines: Lines, targets: frozenset[str]) -> str:
    (line, column), _ = finding.span
    label = SEVERITY_NOUNS[finding.severity]
    head = (
        element("span", label, class_="badge"),
        element("a", text(finding.rule), href=page_url(finding.rule), rel="noopener noreferrer"),
        element("span", text(f"{finding.path}:{line}:{column}"), class_="place"),
    )
    parts = [
        element("div", "".join(head), class_="head"),
        element("p", message(f"{finding.message}{target_suffix(finding, targets)}"), class_="said"),
        excerpt(lines.of(finding.path), finding.span),
    ]
    for related in finding.related:
        place = text(
            f"{path_below(folder, related.path)}:{related.span.start.line}:{related.span.start.column}"
        )
        parts.append(element("p", f"{message(related.message)} <small>{place}</small>"))
        parts.append(excerpt(lines.of(related.path), related.span))
    if finding.help is not None:
        parts.append(element("p", f"<b>help:</b> {message(finding.help)}", class_="help"))
    if finding.fix is not None:
        how = "--fix" if finding.fix.safe else "--fix --unsafe-fixes"
        parts.append(element("p", f"<b>{how}:</b> {message(finding.fix.message)}", class_="help"))
    return element(
        "article",
        "\n".join(filter(None, parts)),
        class_=f"finding {finding.severity}",
        **{"data-severity": str(finding.severity), "data-rule": finding.rule},
        **{"data-file": path_below(folder, finding.path)},
    )


def _heading(report: Report, paths: Paths) -> str:
    """Returns the path of an extension; for the current folder, its name on the disk."""
    name = report.package.name
    return posixpath.basename(paths.current.replace(os.sep, "/")) or name if name == "." else name


def _checked(report: Report) -> str:
    return f"checked for {', '.join(report.choice.names) or 'no target'}: {report.choice.reason}"


def _unchecked(sentences: Sequence[str]) -> str:
    items = "".join(element("li", message(each)) for each in sentences)
    return element("div", f"<b>Not checked</b>{element('ul', items)}", class_="unchecked") if items else ""


def _rules(summary: Summary) -> str:
    """Returns the number of findings of each rule, with a button that shows only these."""
    rows = []
    for count, severity, rule in rule_counts(summary):
        button = element("button", "show", type="button", **{"data-rule": rule})
        name = element("a", text(rule), href=page_url(rule), rel="noopener noreferrer")
        label = element("span", SEVERITY_NOUNS[severity], class_=f"badge {severity}")
        cells = "".join(element("td", each) for each in (label, name, button))
        rows.append(element("tr", element("td", str(count), class_="number") + cells))
    if not rows:
        return ""
    table = element("table", element("tbody", "\n".join(rows)))
    return element("details", element("summary", counted(len(rows), "rule")) + table, class_="rules")


def _filter(summary: Summary) -> str:
    """Returns the form, which the script reveals."""
    boxes = "".join(
        element("label", f'<input type="checkbox" value="{severity}" checked> {counted(number, label)}')
        for severity, label in SEVERITY_NOUNS.items()
        if (number := summary.severities[severity])
    )
    fields = (
        boxes,
        '<select name="rule" aria-label="Rule"><option value="">all rules</option></select>',
        '<select name="file" aria-label="File"><option value="">all files</option></select>',
        '<input type="search" name="text" placeholder="Search" aria-label="Text">',
        '<button type="reset">Reset</button>',
        '<output name="shown" aria-live="polite"></output>',
    )
    return f'<form id="filter" hidden>{"".join(fields)}</form>'


def reporter(_options: Options) -> HtmlReporter:
    """Returns the reporter, which has no options."""
    return HtmlReporter(current_folder_paths())
