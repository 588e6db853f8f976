"""Output for programs that read SARIF 2.1.0, such as GitHub's code scanning and editors: `sarif`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from extlint import __version__
from extlint.finding import Edit, Finding, Fix, Related, Severity
from extlint.package.files import path_below
from extlint.registry import RULES
from extlint.report.formats.human_readable import Lines, fingerprints
from extlint.report.formats.json_output import array, dump
from extlint.report.paths import Paths, is_relative, repository_paths, uri
from extlint.report.report import Report, Summary, target_suffix
from extlint.report.reporter import Options, documentation, page_url, summary
from extlint.text.patterns import lazy
from extlint.text.positions import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/extlint/extlint"

ROOT = "SRCROOT"
"""The base of relative paths: the top of the repository."""

FINGERPRINT = "extlintFinding/v1"
"""The name and version of the fingerprints. GitHub adds its own fingerprint under another name."""

MAX_SNIPPET = 500
"""Characters of a line that is included. A longer line is omitted, as it is usually generated code."""

_ABOUT = lazy(r"(?m)^## What it does\n\n((?:.+\n)+)")
"""The paragraph of a page that describes its rule."""

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}


class SarifReporter(Struct, frozen=True):
    """Writes one run with a result for each finding, one on each line."""

    paths: Paths

    def extension(self, report: Report) -> str:
        """Returns the findings of an extension, as items of a JSON array."""
        folder = self.paths.folder(report.package)
        lines = Lines(report.package)
        marks = fingerprints(folder, report.findings, lines)
        results = (
            _result(each, mark, _LocationWriter(folder, lines), report)
            for each, mark in zip(report.findings, marks, strict=True)
        )
        return ",\n".join(f"    {dump(each)}" for each in results)

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the log."""
        version = __version__.replace(".dev", "-dev")  # as semantic versions write it
        driver = {"name": "extlint", "semanticVersion": version, "informationUri": HOME}
        rules = sorted({rule for rule, _ in summary.rules})
        described = array([f"     {dump(_descriptor(each))}" for each in rules], "    ")
        counts = {
            "suppressed": summary.suppressed,
            "fixable": summary.fixable,
            "incomplete": summary.incomplete,
            "targets": summary.targets,
        }
        members = {
            "tool": f'{{"driver": {dump(driver)[:-1]}, "rules": {described}}}}}',
            "invocations": f"[{dump(_invocation(summary))}]",
            "originalUriBaseIds": dump({ROOT: {"description": {"text": "The top of the repository"}}}),
            "columnKind": '"unicodeCodePoints"',
            "results": array(parts, "   "),
            "properties": dump(counts),
        }
        run = ",\n   ".join(f'"{name}": {value}' for name, value in members.items())
        return f'{{"version": "2.1.0",\n "$schema": "{SCHEMA}",\n "runs": [\n  {{{run}}}\n ]}}\n'


def _descriptor(rule: str) -> dict[str, Any]:
    """Returns the description of a rule in the log: its page, and the page's address."""
    page = documentation(rule)
    first = {"text": summary(rule) or rule}
    about = _ABOUT.search(page)
    found: dict[str, Any] = {
        "id": rule,
        "name": "".join(map(str.capitalize, rule.split("-"))),
        "shortDescription": first,
        "fullDescription": first if about is None else {"text": " ".join(about[1].split())},
        "helpUri": page_url(rule),
    }
    if page:
        found["help"] = {"text": page, "markdown": page}
    if rule in RULES:
        severity = RULES[rule].severity
        found["defaultConfiguration"] = {"level": _LEVELS[severity]}
        found["properties"] = {
            "tags": [RULES[rule].group.name],
            "precision": "very-high",
            "problem.severity": _PROBLEMS[severity],
        }
    return found


def _invocation(summary: Summary) -> dict[str, Any]:
    notifications = [{"level": "error", "message": {"text": sentence}} for sentence in summary.unchecked]
    places = (f"{each.file}:{each.position.line}:{each.position.column}" for each in summary.idle)
    idle = [
        {"level": "warning", "message": {"text": f"{place}: {each.sentence}"}}
        for place, each in zip(places, summary.idle, strict=True)
    ]
    found: dict[str, Any] = {
        "executionSuccessful": not notifications,
        "toolExecutionNotifications": notifications,
    }
    return {**found, "toolConfigurationNotifications": idle} if idle else found


class _LocationWriter(Struct, frozen=True):
    """Writes the locations of an extension: its folder below the root, and the lines of its files."""

    folder: str
    lines: Lines

    def location(self, path: str, span: Span) -> dict[str, Any]:
        """Returns a location, with its code and the whole line if it is on one line that can be shown."""
        region: dict[str, Any] = {**_region(span)}
        place = {"artifactLocation": _artifact(path_below(self.folder, path)), "region": region}
        (number, column), (last, end) = span
        line = self.lines.of(path)(number)
        if last != number or len(line) > MAX_SNIPPET or not line.replace("\t", " ").isprintable():
            return {"physicalLocation": place}
        code = line[column - 1 : end - 1]
        if code:
            region["snippet"] = {"text": code}
        if code != line:
            place["contextRegion"] = {"startLine": number, "snippet": {"text": line}}
        return {"physicalLocation": place}


def _result(finding: Finding, mark: str, places: _LocationWriter, report: Report) -> dict[str, Any]:
    suffix = target_suffix(finding, frozenset(report.choice.names))
    text = (
        f"{finding.message}{suffix}" if finding.help is None else f"{finding.message}{suffix}\n{finding.help}"
    )
    found: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": _message(text),
        "locations": [places.location(finding.path, finding.span)],
        "partialFingerprints": {FINGERPRINT: mark},
    }
    if finding.related:
        found["relatedLocations"] = [
            _related(each, number, places) for number, each in enumerate(finding.related, 1)
        ]
    if finding.fix is not None:
        found["fixes"] = [_fix(finding.fix, places.folder)]
    found["properties"] = {
        "extension": report.package.name,
        "api": finding.api,
        "targets": list(finding.targets),
    }
    return found


def _message(text: str) -> dict[str, str]:
    """Returns a message with backslashes before brackets, as SARIF treats `[text](1)` in it as a link."""
    return {"text": text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": uri(path), "uriBaseId": ROOT} if is_relative(path) else {"uri": uri(path)}


def _region(span: Span) -> dict[str, int]:
    (line, column), (last, end) = span
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": end}


def _related(related: Related, number: int, places: _LocationWriter) -> dict[str, Any]:
    place = places.location(related.path, related.span)
    return {"id": number, **place, "message": _message(related.message)}


def _fix(fix: Fix, folder: str) -> dict[str, Any]:
    changes = groupby(sorted(fix.edits, key=lambda each: (each.path, each.span)), key=lambda each: each.path)
    return {
        "description": _message(fix.message),
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path_below(folder, path)),
                "replacements": list(_replacements(edits)),
            }
            for path, edits in changes
        ],
    }


def _replacements(edits: Iterable[Edit]) -> Iterator[dict[str, Any]]:
    for each in edits:
        yield {"deletedRegion": _region(each.span), "insertedContent": {"text": each.text}}


def reporter(_options: Options) -> SarifReporter:
    """Returns the reporter, which has no options."""
    return SarifReporter(repository_paths())
