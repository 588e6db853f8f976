"""Output for programs that read line by line: `json-lines`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.reporter.ascii_json import dump
from extlint.reporter.json_output import finding_object
from extlint.reporter.report import Report, Summary
from extlint.reporter.reporter import Options


class JsonLinesReporter(Struct, frozen=True):
    """One JSON object for each finding, each on a line: those of `findings` in the format `json`."""

    def extension(self, report: Report) -> str:
        """The findings of an extension."""
        return "".join(f"{dump(finding_object(report.package.name, each))}\n" for each in report.findings)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """All findings."""
        return "".join(parts)


def reporter(_options: Options) -> JsonLinesReporter:
    """The format, for which there is nothing to choose."""
    return JsonLinesReporter()
