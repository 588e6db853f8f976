"""Applies a configuration to the findings of an extension, once they are known: outside the cache."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from extlint.checking.report_of import Settings
from extlint.finding import Finding, Severity
from extlint.linting.configuration.configuration import Configuration
from extlint.package.paths import with_slashes
from extlint.registry import RULES, UNUSED_SUPPRESSION
from extlint.report.report import Report


def apply_settings(settings: Settings, report: Report) -> Report:
    """Returns the report with the settings of its extension applied."""
    with_level = replace(report, fail_level=settings.fail_level)
    return apply_configuration(with_level, settings.rules, settings.configuration)


def apply_configuration(report: Report, rules: Collection[str], configuration: Configuration) -> Report:
    """Returns the report that is shown, and counts, if these rules run under a configuration."""
    applied = _applied(report, rules, configuration)
    if not report.only_in:
        return applied
    uncounted = _applied(replace(report, findings=report.only_in), (), configuration)
    return replace(applied, only_in=uncounted.findings)


def _applied(report: Report, rules: Collection[str], configuration: Configuration) -> Report:
    shown = _without_commented(report, rules) if report.comments else report
    shown = _without_excluded(shown, configuration)
    if configuration.per_file_ignores and shown.findings:
        from extlint.linting.suppression.ignores import without_ignored

        remaining = without_ignored(shown.findings, shown.package, configuration.per_file_ignores)
        shown = _with_findings(shown, remaining)
    return _with_severities(shown, configuration.severity)


def _with_findings(report: Report, findings: tuple[Finding, ...]) -> Report:
    """Returns the report with some of its findings; the others are suppressed."""
    suppressed = report.suppressed + len(report.findings) - len(findings)
    return replace(report, findings=findings, suppressed=suppressed)


def _without_commented(report: Report, rules: Collection[str]) -> Report:
    """Returns the report without the findings that comments suppress, and with those about comments."""
    from extlint.linting.suppression.ignores import without_suppressed
    from extlint.linting.suppression.unused import unused_suppressions

    found = list(report.findings)
    if UNUSED_SUPPRESSION in rules:
        found += unused_suppressions(report.comments, report.choice.names)
        found.sort(key=Finding.sort_key)
    report = replace(report, findings=tuple(found))
    return _with_findings(report, without_suppressed(found, report.comments))


def _without_excluded(report: Report, configuration: Configuration) -> Report:
    """Returns the report without findings in files that the configuration excludes.

    Nothing is removed for an extension that is itself excluded: a user who requests it means all of it.
    """
    if not configuration.exclude:
        return report
    from extlint.linting.configuration.excluded import excludes

    def is_excluded(path: str) -> bool:
        return excludes(configuration, with_slashes(os.path.join(os.path.abspath(report.package.name), path)))

    if is_excluded(report.package.manifest_path):
        return report
    paths = {each.path for each in report.findings}
    shown = {path for path in paths if not is_excluded(path)}
    return replace(report, findings=tuple(each for each in report.findings if each.path in shown))


def _with_severities(report: Report, severities: Mapping[str, Severity]) -> Report:
    """Returns the report with the severities that a user assigns to rules and groups.

    That of a rule itself wins.
    """
    if not severities:
        return report
    changed = (
        replace(each, severity=severity_of(each.rule, severities, each.severity)) for each in report.findings
    )
    return replace(report, findings=tuple(changed))


def severity_of(rule: str, severities: Mapping[str, Severity], own: Severity) -> Severity:
    """Returns the severity that is assigned to a rule or to its group, or else its own."""
    return severities.get(rule, severities.get(RULES[rule].group.name, own))
