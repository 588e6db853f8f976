"""Output for programs: `json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from extlint.finding import Edit, Finding, Fix, Related, Severity
from extlint.registry import module_name
from extlint.reporter.report import CheckedExtension, Report, Summary
from extlint.reporter.reporter import Options
from extlint.text.positions import Position, Span

VERSION = 1
"""Counts up when a program that reads the output has to change; new keys do not count."""

RULES_URL = "https://github.com/extlint/extlint/blob/main/rules/extlint_rules"
"""Where the rules are on the web; each file begins with the rule's documentation."""


class JsonReporter(Struct, frozen=True):
    """One JSON object with every finding and extension, one of them a line. Its text is ASCII."""

    statistics: bool = False

    def extension(self, report: Report) -> str:
        """The findings of an extension, as items of a JSON array."""
        return ",\n".join(f"  {_dump(_finding(report.package.name, each))}" for each in report.findings)

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """The JSON object."""
        counts = {
            "extensions": summary.extensions,
            "files": summary.files,
            "errors": summary.severities[Severity.ERROR],
            "warnings": summary.severities[Severity.WARNING],
            "infos": summary.severities[Severity.INFO],
            "suppressed": 0,
            "fixable": summary.fixable,
            "fixable_unsafely": summary.fixable_unsafely,
            "incomplete": summary.incomplete,
            "targets": summary.targets,
        }
        members = {
            "version": str(VERSION),
            "findings": _lines(parts),
            "extensions": _lines([f"  {_dump(_checked(each))}" for each in summary.by_path]),
            "summary": _dump(counts),
        }
        if self.statistics:
            rules = {rule: count for (rule, _), count in sorted(summary.rules.items())}
            members["statistics"] = _dump(rules)
        listed = ",\n ".join(f'"{key}": {value}' for key, value in members.items())
        return f"{{{listed}}}\n"


def _lines(items: Sequence[str]) -> str:
    """A JSON array of items that are written already, some perhaps empty."""
    written = ",\n".join(filter(None, items))
    return f"[\n{written}\n ]" if written else "[]"


def _checked(extension: CheckedExtension) -> dict[str, Any]:
    return {
        "path": extension.path,
        "targets": list(extension.targets),
        "targets_from": extension.origin.value,
        "files": extension.files,
        "incomplete": extension.incomplete,
    }


def _finding(extension: str, finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": finding.path,
        **_span(finding.span),
        "extension": extension,
        "api": finding.api,
        "targets": list(finding.targets),
        "related": [_related(each) for each in finding.related],
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": f"{RULES_URL}/{module_name(finding.rule)}.py",
    }


def _related(related: Related) -> dict[str, Any]:
    return {"path": related.path, **_span(related.span), "message": related.message}


def _fix(fix: Fix) -> dict[str, Any]:
    return {"safe": fix.safe, "message": fix.message, "edits": [_edit(each) for each in fix.edits]}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"path": edit.path, **_span(edit.span), "text": edit.text}


def _span(span: Span) -> dict[str, Any]:
    return {"start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _dump(value: Mapping[str, Any]) -> str:
    """The value as one line of JSON that every reader takes: lone surrogates are no Unicode text."""
    text = json.dumps(value)
    return text if "\\ud" not in text else json.dumps(_sound(value))


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {key: _sound(each) for key, each in value.items()}
    return [_sound(each) for each in value] if isinstance(value, list) else value


def reporter(options: Options) -> JsonReporter:
    """The format, as the user wants it."""
    return JsonReporter(options.statistics)
