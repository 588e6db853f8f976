"""The report of a package: computed, or loaded from an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from extlint.analysis.cache.store import Store
from extlint.extension import Extension
from extlint.finding import Severity
from extlint.linting.configuration.configuration import NO_CONFIGURATION, Configuration
from extlint.package.files import Package
from extlint.project.target_detection.choice import Choice
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
    from extlint.package.tolerant import TolerantPackage

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
