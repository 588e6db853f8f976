"""The last lines of output for people: counts."""

from __future__ import annotations

from extlint.finding import Severity
from extlint.report import Summary
from extlint.reporter.style import Style

_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def closing_line(summary: Summary, style: Style) -> str:
    """One sentence that counts, such as `Found 2 errors in 1 extension (4 files).`."""
    where = f"in {_count(summary.extensions, 'extension')} ({_count(summary.files, 'file')})."
    counts = [
        style.severity(severity, _count(summary.severities[severity], noun))
        for severity, noun in _NOUNS.items()
        if summary.severities[severity]
    ]
    if not counts:
        return f"{style('green', 'No findings')} {where}\n"
    listed = " and ".join(filter(None, (", ".join(counts[:-1]), counts[-1])))
    return f"Found {listed} {where}\n"


def statistics(summary: Summary) -> str:
    """One line for each rule that found something, the most frequent first."""
    ordered = sorted(summary.rules.items(), key=lambda item: (-item[1], item[0]))
    width = max((len(str(count)) for _, count in ordered), default=0)
    return "".join(f"{count:{width}} {severity!s:7} {rule}\n" for (rule, severity), count in ordered)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
