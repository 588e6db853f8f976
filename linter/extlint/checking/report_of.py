"""The report of a package: computed, or loaded from an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple

from extlint.cache.store import Store
from extlint.configuration.configuration import NO_CONFIGURATION, Configuration
from extlint.finding import Severity
from extlint.package.files import Package
from extlint.reporter.report import Report
from extlint.schema.model import UserSchemas
from extlint.target_detection.choice import Choice

if TYPE_CHECKING:
    from extlint.checking.baselines import BaselineUse


_listeners: list[Callable[[str, int], None]] = []


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
    if store is None:
        return _compute_report(package, settings, store, jobs)
    from extlint.cache.codec import encoded
    from extlint.cache.packages import RecordedPackage, get_or_compute_for_package
    from extlint.package.tolerant import TolerantPackage

    key = encoded((settings.choice, settings.rules, settings.user_schemas))
    if key is None:
        return _compute_report(package, settings, store, jobs)
    recorded = RecordedPackage(package)

    def found() -> tuple[Any, ...]:
        _, *rest = astuple(_compute_report(recorded, settings, store, jobs))
        return tuple(rest)

    return Report(TolerantPackage(recorded), *get_or_compute_for_package(store, [key], recorded, found))


def _compute_report(package: Package, settings: Settings, store: Store | None, jobs: int) -> Report:
    from extlint.checker import check_package

    arguments = settings.choice, settings.rules, settings.user_schemas
    return check_package(package, *arguments, store, jobs, None, _report_progress)


def _report_progress(what: str, size: int) -> None:
    for each in _listeners:
        each(what, size)
