"""What fixes would change, as a unified diff: the output of `--diff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from msgspec import Struct

from extlint.reporter.people import full_path
from extlint.reporter.report import Change, Report, Summary
from extlint.reporter.reporter import Options
from extlint.reporter.style import Style
from extlint.reporter.visible import shown, visible
from extlint.text.positions import decode

_COLORS = {"+": "green", "-": "red", "@": "cyan"}
_LINE_ENDS = "\t\r\n"
_NO_LINE_END = "\\ No newline at end of file"


class DiffReporter(Struct, frozen=True):
    """Writes the changes of files, as `patch` reads them; nothing about findings."""

    style: Style

    def extension(self, report: Report) -> str:
        """The changes of an extension's files."""
        return "".join(
            f"{line}\n"
            for each in report.changes
            for line in self._lines(full_path(report.package, each.path), each)
        )

    def output(self, parts: Sequence[str], summary: Summary) -> str:  # noqa: ARG002
        """The changes of all extensions."""
        return "".join(parts)

    def _lines(self, path: str, change: Change) -> Iterator[str]:
        before, after = (
            decode(each).decode("utf-8", "surrogateescape").split("\n")
            for each in (change.before, change.after)
        )
        name = visible(path)
        for line in unified_diff(_with_ends(before), _with_ends(after), name, name, lineterm=""):
            text = "".join(each if each in _LINE_ENDS else shown(each) for each in line)
            body, _, rest = text.partition("\n")
            color = "bold" if line.startswith(("---", "+++")) else _COLORS.get(line[:1])
            yield self.style(color, body) if color else body
            if rest:
                yield rest


def _with_ends(lines: list[str]) -> list[str]:
    """The lines of a text that was split at its line ends, the last one with a remark if it has no end."""
    *whole, last = lines
    return [*whole, f"{last}\n{_NO_LINE_END}"] if last else whole


def reporter(options: Options) -> DiffReporter:
    """The diff, as the user wants it."""
    return DiffReporter(Style(options.color))
