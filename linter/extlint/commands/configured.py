"""What a configuration makes of the findings of an extension, once they are known: outside the cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from extlint.configuration.configuration import Configuration
from extlint.finding import Finding, Severity
from extlint.registry import RULES, UNUSED_SUPPRESSION
from extlint.reporter.report import Report


def as_configured(report: Report, rules: Collection[str], configuration: Configuration) -> Report:
    """The report as it is shown, and counts, if these rules run under a configuration."""
    shown = _without_suppressed(report, rules) if report.comments else report
    return _with_severities(shown, configuration.severity)


def _without_suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without the findings that comments suppress, and with those about comments."""
    from extlint.suppression.apply import without_commented
    from extlint.suppression.unused import unused_suppressions

    found = list(report.findings)
    if UNUSED_SUPPRESSION in rules:
        found += unused_suppressions(report.comments, report.choice.names)
        found.sort(key=Finding.order)
    kept, suppressed = without_commented(found, report.comments)
    return replace(report, findings=kept, suppressed=suppressed)


def _with_severities(report: Report, given: Mapping[str, Severity]) -> Report:
    """The report with the severities that a user gives to rules and groups. That of a rule itself wins."""
    if not given:
        return report
    changed = (
        replace(each, severity=severity_of(each.rule, given, each.severity)) for each in report.findings
    )
    return replace(report, findings=tuple(changed))


def severity_of(rule: str, given: Mapping[str, Severity], own: Severity) -> Severity:
    """The severity that is given to a rule, or to its group, or else its own."""
    return given.get(rule, given.get(RULES[rule].group.name, own))
