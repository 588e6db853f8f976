"""The changes that fixes would make, as a unified diff: the output of `--diff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from msgspec import Struct

from extlint.report.formats.human_readable import full_path
from extlint.report.report import Change, Report, Summary
from extlint.report.reporter import Options
from extlint.report.terminal import Style
from extlint.report.visible import visible, visible_character
from extlint.text.positions import decode

_COLORS = {"+": "green", "-": "red", "@": "cyan"}
_LINE_ENDS = "\t\r\n"
_NO_LINE_END = "\\ No newline at end of file"


class DiffReporter(Struct, frozen=True):
    """Writes the changes of files in the format of `patch`, without findings."""

    style: Style

    def extension(self, report: Report) -> str:
        """Returns the changes of an extension's files."""
        return "".join(
            f"{line}\n"
            for each in report.changes
            for line in self._lines(full_path(report.package, each.path), each)
        )

    def output(self, parts: Sequence[str], summary: Summary) -> str:  # noqa: ARG002
        """Returns the changes of all extensions."""
        return "".join(parts)

    def _lines(self, path: str, change: Change) -> Iterator[str]:
        before, after = (
            decode(each).decode("utf-8", "surrogateescape").split("\n")
            for each in (change.before, change.after)
        )
        name = visible(path)
        for line in unified_diff(_with_ends(before), _with_ends(after), name, name, lineterm=""):
            text = "".join(each if each in _LINE_ENDS else visible_character(each) for each in line)
            body, _, rest = text.partition("\n")
            color = "bold" if line.startswith(("---", "+++")) else _COLORS.get(line[:1])
            yield self.style(color, body) if color else body
            if rest:
                yield rest


def _with_ends(lines: list[str]) -> list[str]:
    """Restores the line ends of a text that was split there. The last line gets a remark if it has none."""
    *whole, last = lines
    return [*whole, f"{last}\n{_NO_LINE_END}"] if last else whole


def reporter(options: Options) -> DiffReporter:
    """Returns the diff reporter for the user's options."""
    return DiffReporter(Style(options.color))
