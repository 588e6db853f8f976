"""Output for the comment of a pull request: `markdown`.

Text is escaped for Markdown as GitHub renders it, so that markup from a package stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import punctuation

from msgspec import Struct

from extlint.finding import Finding, Severity
from extlint.package.files import path_below
from extlint.report.closing_lines import closing_lines, rule_counts
from extlint.report.paths import Paths, repository_paths
from extlint.report.report import Report, Summary, target_suffix
from extlint.report.reporter import Options, page_url
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.text.patterns import lazy
from extlint.text.wording import counted

_CODE = lazy(r"`([^`]+)`")

_TEXT = str.maketrans(
    {each: f"&#{ord(each)};" for each in "\\`*_[]<>|~&$"}
    # The comment separates the sign from the name after it, to prevent mentions and issue links.
    | {each: f"{each}<!-- -->" for each in "@#"}
)
_IN_CODE = str.maketrans({each: f"&#{ord(each)};" for each in punctuation})


def text(message: str) -> str:
    """Renders a message on one line, also in a table cell. Text in backticks becomes code."""
    found = []
    end = 0
    shown = visible(message)
    for match in _CODE.finditer(shown):
        found += [shown[end : match.start()].translate(_TEXT), code(match[1])]
        end = match.end()
    return "".join((*found, shown[end:].translate(_TEXT)))


def code(name: str) -> str:
    """Renders a name as code, also in a table cell."""
    shown = visible(name)
    if not re.search(r"[`|\\]", shown) and shown == shown.strip() and shown:
        return f"`{shown}`"
    return f"<code>{shown.translate(_IN_CODE)}</code>"


def utf16_length(markdown: str) -> int:
    """Returns the length of a text as GitHub counts it, where some characters count as two."""
    return len(markdown.encode("utf-16-le", "replace")) // 2


MAX_CHARACTERS = 65_536
"""Characters that GitHub accepts in a comment."""

MARK = "<!-- extlint -->\n"
"""The mark by which a workflow finds the comment of an earlier run, to replace it."""

MAX_UNCHECKED = 20
"""Sentences about unchecked files that are shown."""

_SIGNS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ note"}
_TABLE = "| | Place | Finding |\n|---|---|---|\n"
_HEADING = "#### "


class MarkdownReporter(Struct, frozen=True):
    """Writes a table of findings for each extension, the worst first, up to the size limit of a comment."""

    paths: Paths
    quiet: bool = False
    statistics: bool = False

    def extension(self, report: Report) -> str:
        """Returns the name of an extension and a row for each finding, each on a line."""
        folder = self.paths.folder(report.package)
        targets = frozenset(report.choice.names)
        worst_first = sorted(report.findings, key=lambda each: -each.severity)
        rows = "".join(f"{_row(each, folder, targets)}\n" for each in worst_first)
        return f"{_HEADING}{code(report.package.name)}\n{rows}" if rows else ""

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the comment."""
        first, *remaining = _closing(summary)
        head = f"{MARK}### extlint\n\n{text(first)}\n{_unchecked(summary.unchecked)}"
        pages = "".join(
            f"[{each}]: {page_url(each)}\n" for each in sorted({rule for rule, _ in summary.rules})
        )
        foot = "" if self.quiet else "".join(f"\n{text(each)}\n" for each in remaining)
        if self.statistics and summary.rules:
            foot += _statistics(summary)
        foot += f"\n{pages}" if pages else ""
        tables = _tables(parts, summary, MAX_CHARACTERS - utf16_length(head) - utf16_length(foot))
        return f"{head}{''.join(tables)}{foot}"


def _row(finding: Finding, folder: str, targets: frozenset[str]) -> str:
    line, column = finding.span.start
    description = text(f"{finding.message}{target_suffix(finding, targets)}")
    if finding.help is not None:
        description += f"<br>help: {text(finding.help)}"
    place = code(f"{path_below(folder, finding.path)}:{line}:{column}")
    return f"| {_SIGNS[finding.severity]} | {place} | {description}<br>[{finding.rule}] |"


def _tables(parts: Sequence[str], summary: Summary, max_length: int) -> Iterator[str]:
    """Yields the tables of all extensions, and a note if they do not all fit."""
    left = summary.findings
    max_length -= utf16_length(_omission_note(left))
    is_only = summary.extensions == 1
    for part in parts:
        heading, *rows = part.splitlines(keepends=True) or [""]
        begin = f"\n{_TABLE}" if is_only else f"\n{heading}\n{_TABLE}"
        for row in rows:
            max_length -= utf16_length(begin) + utf16_length(row)
            if max_length < 0:
                yield _omission_note(left)
                return
            yield begin + row
            begin = ""
            left -= 1


def _omission_note(left: int) -> str:
    return f"\n{counted(left, 'more finding')} did not fit into a comment of {MAX_CHARACTERS:,} characters.\n"


def _closing(summary: Summary) -> list[str]:
    return closing_lines(summary, Style()).splitlines() if summary.extensions else ["Nothing was checked."]


def _unchecked(sentences: Sequence[str]) -> str:
    items = [f"* {text(each)[:1000]}\n" for each in sentences[:MAX_UNCHECKED]]
    more = len(sentences) - MAX_UNCHECKED
    rest = f"* {more} more\n" if more > 0 else ""
    return f"\nNot checked:\n\n{''.join(items)}{rest}" if items else ""


def _statistics(summary: Summary) -> str:
    rows = "".join(f"| {count} | {severity} | {rule} |\n" for count, severity, rule in rule_counts(summary))
    return (
        f"\n<details><summary>Findings of each rule</summary>\n\n| | | |\n|---|---|---|\n{rows}\n</details>\n"
    )


def reporter(options: Options) -> MarkdownReporter:
    """Returns the reporter for the user's options."""
    return MarkdownReporter(repository_paths(), options.quiet, options.statistics)
