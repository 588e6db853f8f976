"""Output for programs: `json`, and `json-lines` for those that read line by line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from extlint.finding import Edit, Finding, Fix, Related, Severity
from extlint.linting.unchecked_code import Cause, UncheckedCode
from extlint.package.discovery.scope import Skipped
from extlint.report.report import CheckedExtension, IdleEntry, Report, Summary
from extlint.report.reporter import Options, page_url
from extlint.report.unchecked_lines import unchecked_sentence
from extlint.text.positions import Position, Span


def dump(value: Mapping[str, Any]) -> str:
    """Returns the value on one line of JSON."""
    text = json.dumps(value)
    return text if "\\ud" not in text else json.dumps(_without_surrogates(value))


def array(items: Sequence[str], indent: str = "") -> str:
    """Returns a JSON array of serialized items. Each text has one or more items, or is empty."""
    written = ",\n".join(filter(None, items))
    return f"[\n{written}\n{indent}]" if written else "[]"


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {key: _without_surrogates(each) for key, each in value.items()}
    return [_without_surrogates(each) for each in value] if isinstance(value, list) else value


VERSION = 1
"""Version of the format, incremented when programs that read the output have to change. New keys do not
count.
"""


class JsonReporter(Struct, frozen=True):
    """Writes one JSON object with every finding and extension, one on each line. Its text is ASCII."""

    statistics: bool = False

    def extension(self, report: Report) -> str:
        """Returns the findings of an extension, as items of a JSON array."""
        return ",\n".join(f"  {dump(finding_object(report.package.name, each))}" for each in report.findings)

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the JSON object."""
        counts: dict[str, Any] = {
            "extensions": summary.extensions,
            "files": summary.files,
            "errors": summary.severities[Severity.ERROR],
            "warnings": summary.severities[Severity.WARNING],
            "infos": summary.severities[Severity.INFO],
            "suppressed": summary.suppressed,
            "fixed": summary.fixed,
            "fixed_later": summary.fixed_later,
            "unfixed": summary.unfixed,
            "fixable": summary.fixable,
            "fixable_unsafely": summary.fixable_unsafely,
            "incomplete": summary.incomplete,
            "targets": summary.targets,
        }
        if summary.newer:
            counts["newer_than_facts"] = dict(sorted(summary.newer.items()))
        if summary.unchanged:
            counts["unchanged"] = summary.unchanged
        if summary.ignored:
            counts["ignored"] = summary.ignored
        if summary.in_baseline:
            known, fixed = summary.in_baseline.total(), summary.outdated.total()
            counts["baseline"] = {"suppressed": known, "fixed": fixed}
        members = {
            "version": str(VERSION),
            "findings": array(parts, " "),
            "extensions": array([f"  {dump(_checked(each))}" for each in summary.by_path], " "),
            "skipped": array([f"  {dump(_skipped(each))}" for each in summary.skipped], " "),
            "unused_entries": array([f"  {dump(unused_entry(each))}" for each in summary.idle], " "),
            "summary": dump(counts),
        }
        if self.statistics:
            rules = {rule: count for (rule, _), count in sorted(summary.rules.items())}
            members["statistics"] = dump(rules)
        return _layout(members)


def output_text(output: Mapping[str, Any]) -> str:
    """Returns the text of an output, given as an object, as `JsonReporter` writes it."""
    return _layout(
        {
            key: array([f"  {dump(each)}" for each in value], " ") if isinstance(value, list) else dump(value)
            for key, value in output.items()
        }
    )


def _layout(members: Mapping[str, str]) -> str:
    """Returns a JSON object with these members, whose values are JSON already."""
    listed = ",\n ".join(f'"{key}": {value}' for key, value in members.items())
    return f"{{{listed}}}\n"


def _checked(extension: CheckedExtension) -> dict[str, Any]:
    return {
        "path": extension.path,
        "targets": list(extension.targets),
        "targets_from": extension.origin.value,
        "files": extension.files,
        "incomplete": extension.incomplete,
        "only_in": {each.partition("<")[0]: count for each, count in sorted(extension.only_in.items())},
        "unbuilt": [
            name for each in extension.unchecked_code if each.cause is Cause.UNBUILT for name in each.names
        ],
        "unchecked": [_unchecked_code(each) for each in extension.unchecked_code],
        "broken": list(extension.broken_files),
    }


def _unchecked_code(code: UncheckedCode) -> dict[str, Any]:
    return {
        "reason": code.cause.value,
        "names": list(code.names),
        "sources": dict(code.sources),
        "message": unchecked_sentence([code]),
    }


def _skipped(skipped: Skipped) -> dict[str, Any]:
    return {"path": skipped.path, "reason": skipped.by.value}


def unused_entry(entry: IdleEntry) -> dict[str, Any]:
    """Returns a configuration entry that matches nothing, as JSON."""
    return {"path": entry.file, "start": _position(entry.position), "message": entry.sentence}


def finding_object(extension: str, finding: Finding) -> dict[str, Any]:
    """Returns a finding of the extension with this path, as JSON."""
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": finding.path,
        **span_as_json(finding.span),
        "extension": extension,
        "api": finding.api,
        "targets": list(finding.targets),
        "related": [_related(each) for each in finding.related],
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": page_url(finding.rule),
    }


def _related(related: Related) -> dict[str, Any]:
    return {"path": related.path, **span_as_json(related.span), "message": related.message}


def _fix(fix: Fix) -> dict[str, Any]:
    return {"safe": fix.safe, "message": fix.message, "edits": [_edit(each) for each in fix.edits]}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"path": edit.path, **span_as_json(edit.span), "text": edit.text}


def span_as_json(span: Span) -> dict[str, Any]:
    """Returns a span as JSON: the keys `start` and `end`."""
    return {"start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def reporter(options: Options) -> JsonReporter:
    """Returns the reporter for the user's options."""
    return JsonReporter(options.statistics)


class JsonLinesReporter(Struct, frozen=True):
    """Writes one line with a JSON object for each finding, as in `findings` of the format `json`."""

    def extension(self, report: Report) -> str:
        """Returns the findings of an extension."""
        return "".join(f"{dump(finding_object(report.package.name, each))}\n" for each in report.findings)

    def output(self, parts: Sequence[str], _summary: Summary) -> str:
        """Returns all findings."""
        return "".join(parts)


def json_lines_reporter(_options: Options) -> JsonLinesReporter:
    """Returns the json_lines_reporter, which has no options."""
    return JsonLinesReporter()
