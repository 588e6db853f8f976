"""What a configuration makes of the findings of an extension, once they are known: outside the cache."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from extlint.configuration.configuration import Configuration
from extlint.finding import Severity
from extlint.reporter.report import Report


def as_configured(report: Report, configuration: Configuration) -> Report:
    """The report as it is shown, and counts, under a configuration."""
    return _with_severities(report, configuration.severity)


def _with_severities(report: Report, given: Mapping[str, Severity]) -> Report:
    """The report with the severities that a user gives to rules and groups. That of a rule itself wins."""
    if not given:
        return report
    from extlint.registry import RULES

    def severity(rule: str, own: Severity) -> Severity:
        return given.get(rule, given.get(RULES[rule].group.name, own))

    changed = (replace(each, severity=severity(each.rule, each.severity)) for each in report.findings)
    return replace(report, findings=tuple(changed))
