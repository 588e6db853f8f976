"""The report of a package: computed, or loaded from an earlier run, with a configuration applied to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple, replace

from extlint.analysis.cache.store import Store
from extlint.extension import Extension
from extlint.finding import Finding, Severity
from extlint.linting.configuration.configuration import NO_CONFIGURATION, Configuration, excludes
from extlint.package.disk import with_slashes
from extlint.package.files import Package
from extlint.package.tolerant import TolerantPackage
from extlint.project.target_detection.choice import Choice
from extlint.registry import RULES, UNUSED_SUPPRESSION
from extlint.report.report import Report
from extlint.schema.model import UserSchemas

if TYPE_CHECKING:
    from extlint.checking.baselines import BaselineUse


_listeners: list[Callable[[str, int], None]] = []
_observers: list[Callable[[Extension], None]] = []


@contextmanager
def reporting_progress(listener: Callable[[str, int], None]) -> Iterator[None]:
    """Reports the next step of a report to a listener within the block.

    The listener also receives the number of bytes of scripts that the step covers.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def observing_extensions(observer: Callable[[Extension], None]) -> Iterator[None]:
    """Shows each extension, as the rules of one target see it, to an observer within the block.

    An extension whose report is loaded from a store is not shown.
    """
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


Derive: TypeAlias = "Callable[[Report, Sequence[Extension]], object]"
"""A function of a report, and of the extension as each target sees it, whose result can be stored."""

_derive: ContextVar[Derive | None] = ContextVar("extlint_derive", default=None)


@contextmanager
def storing_with_reports(derive: Derive) -> Iterator[None]:
    """Stores the result of a function next to each report that is computed within the block."""
    before = _derive.set(derive)
    try:
        yield
    finally:
        _derive.reset(before)


class Settings(Struct, frozen=True):
    """The settings of a check of one extension. A finding as bad as `fail_level`, or worse, fails the run.

    `choice` contains the targets of the user, or None if the extension itself decides. `configuration` is
    applied to findings once they are known, and `baseline` contains those that are not reported. The findings
    do not depend on these, nor on the fail level.
    """

    choice: Choice | None
    rules: tuple[str, ...]
    user_schemas: UserSchemas
    fail_level: Severity
    configuration: Configuration = NO_CONFIGURATION
    baseline: BaselineUse | None = None


def report_of(package: Package, settings: Settings, store: Store | None, jobs: int = 1) -> Report:
    """Returns the report of a package, which is stored, and loaded from the store while nothing has changed.

    Raises UnreadableError as `check_package` does.
    """
    key = None if store is None else _key(settings)
    if store is None or key is None:
        return _compute_report(package, settings, store, jobs)
    from extlint.analysis.cache.records import RecordedPackage

    derive = _derive.get()
    extensions: list[Extension] = []

    recorded = RecordedPackage(package, store)

    def found() -> tuple[Any, ...]:
        with nullcontext() if derive is None else observing_extensions(extensions.append):
            return astuple(_compute_report(recorded, settings, store, jobs))[1:]

    report = Report(TolerantPackage(recorded), *recorded.result(RecordedPackage.report, key, found))
    if derive is not None and extensions:
        recorded.result(RecordedPackage.kept_with_report, key, partial(derive, report, extensions))
    return report


def stored_with_report(package: Package, settings: Settings, store: Store) -> Any | None:
    """Returns the result that was stored next to the report of a package, while nothing has changed."""
    from extlint.analysis.cache.records import RecordedPackage

    key = _key(settings)
    recorded = RecordedPackage(package, store)
    return None if key is None else recorded.result(RecordedPackage.kept_with_report, key)


def _key(settings: Settings) -> bytes | None:
    from extlint.analysis.cache.codec import encoded

    return encoded((settings.choice, settings.rules, settings.user_schemas))


def _compute_report(package: Package, settings: Settings, store: Store | None, jobs: int) -> Report:
    from extlint.checker import check_package

    def show(extension: Extension) -> None:
        for each in _observers:
            each(extension)

    arguments = settings.choice, settings.rules, settings.user_schemas
    return check_package(package, *arguments, store, jobs, show, report_step)


def report_step(what: str, size: int) -> None:
    """Reports a step, about a number of bytes of scripts, to all listeners."""
    for each in _listeners:
        each(what, size)


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
    from extlint.linting.suppression.ignores import unused_suppressions, without_suppressed

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
