"""Checks many packages, and writes one output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from msgspec import Struct

from extlint.finding import Severity
from extlint.package.files import Package, UnreadableError
from extlint.reporter.report import Report, Summary
from extlint.reporter.reporter import Reporter
from extlint.schema.model import UserSchemas
from extlint.target_detection.choice import Choice


class Settings(Struct, frozen=True):
    """How one extension is checked. A finding as bad as `fail_level`, or worse, fails the run.

    `choice` has the targets that the user wants; None if the extension itself says which.
    """

    choice: Choice | None
    rules: tuple[str, ...]
    user_schemas: UserSchemas
    fail_level: Severity


def check_all(
    packages: Iterable[Package | UnreadableError],
    settings_of: Callable[[Package], Settings],
    reporter: Reporter,
    complain: Callable[[str], None],
) -> tuple[str, bool, bool]:
    """Checks each package: the output, sorted by the packages' names, and two truths.

    The first is whether a package has a finding at its fail level or above, the second whether all went
    well. `settings_of` gives the settings for a package, and raises UnreadableError if it cannot.
    `complain` is told, as one sentence each, which packages and files could not be checked, and nothing
    twice. Of a package only its part of the output is kept.
    """
    summary = Summary()
    parts: list[tuple[str, str]] = []
    told: set[str] = set()
    failed = False
    for package in packages:
        try:
            report, part, fails = _checked(package, settings_of, reporter)
        except UnreadableError as error:
            sentences: tuple[str, ...] = (str(error),)
        else:
            summary.add(report)
            parts.append((report.package.name, part))
            failed = failed or fails
            sentences = report.unreadable
        for sentence in sentences:
            if sentence not in told:
                told.add(sentence)
                complain(sentence)
    return reporter.output([part for _, part in sorted(parts)], summary), failed, not told


def _checked(
    package: Package | UnreadableError, settings_of: Callable[[Package], Settings], reporter: Reporter
) -> tuple[Report, str, bool]:
    """A package's report, its part of the output, and whether it fails the run.

    Raises UnreadableError, whatever goes wrong, so no package costs another one its answer. With
    EXTLINT_DEBUG in the environment an error of extlint itself is raised as it is.
    """
    from extlint.checker import check_package

    if isinstance(package, UnreadableError):
        raise package
    try:
        settings = settings_of(package)
        report = check_package(package, settings.choice, settings.rules, settings.user_schemas)
        return report, reporter.extension(report), report.has_at_least(settings.fail_level)
    except UnreadableError:
        raise
    except Exception as error:
        if os.environ.get("EXTLINT_DEBUG"):
            raise
        raise UnreadableError(f"internal error in {package.name}: {type(error).__name__}: {error}") from error
