"""What a configuration makes of the findings of an extension, once they are known: outside the cache."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from extlint.configuration.configuration import Configuration
from extlint.finding import Severity
from extlint.registry import RULES
from extlint.reporter.report import Report


def as_configured(report: Report, configuration: Configuration) -> Report:
    """The report as it is shown, and counts, under a configuration."""
    return _with_severities(report, configuration.severity)


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
