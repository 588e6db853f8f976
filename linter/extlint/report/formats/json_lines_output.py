"""Output for programs that read line by line: `json-lines`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.report.ascii_json import dump
from extlint.report.formats.json_output import finding_object
from extlint.report.report import Report, Summary
from extlint.report.reporter import Options


class JsonLinesReporter(Struct, frozen=True):
    """Writes one line with a JSON object for each finding, as in `findings` of the format `json`."""

    def extension(self, report: Report) -> str:
        """Returns the findings of an extension."""
        return "".join(f"{dump(finding_object(report.package.name, each))}\n" for each in report.findings)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """Returns all findings."""
        return "".join(parts)


def reporter(_options: Options) -> JsonLinesReporter:
    """Returns the reporter, which has no options."""
    return JsonLinesReporter()
