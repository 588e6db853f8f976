"""Many packages, one output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from extlint.package.files import Package, UnreadableError
from extlint.report import Report, Summary
from extlint.reporter.reporter import Reporter
from extlint.schema.model import NOTHING_GIVEN, Given
from extlint.target import Target


def check_all(
    packages: Iterable[Package | UnreadableError],
    targets: Sequence[Target],
    rules: Sequence[str],
    reporter: Reporter,
    complain: Callable[[str], None],
    given: Given = NOTHING_GIVEN,
) -> tuple[str, Summary, bool]:
    """Checks each package: the output, sorted by the packages' names, the counts, and whether all went well.

    `complain` is told, as one sentence each, which packages and files could not be checked. Of a
    package only its part of the output is kept.
    """
    summary = Summary()
    parts: list[tuple[str, str]] = []
    all_well = True
    for package in packages:
        try:
            report, part = _checked(package, targets, rules, reporter, given)
        except UnreadableError as error:
            all_well = False
            complain(str(error))
            continue
        summary.add(report)
        parts.append((report.package.name, part))
        for sentence in report.unreadable:
            all_well = False
            complain(sentence)
    return reporter.whole([part for _, part in sorted(parts)], summary), summary, all_well


def _checked(
    package: Package | UnreadableError,
    targets: Sequence[Target],
    rules: Sequence[str],
    reporter: Reporter,
    given: Given,
) -> tuple[Report, str]:
    """A package's report and its part of the output. Raises UnreadableError, whatever goes wrong.

    So no package costs another one its answer. With EXTLINT_DEBUG in the environment an error of
    extlint itself is raised as it is.
    """
    from extlint.checker import check_package

    if isinstance(package, UnreadableError):
        raise package
    try:
        report = check_package(package, targets, rules, given)
        return report, reporter.extension(report)
    except UnreadableError:
        raise
    except Exception as error:
        if os.environ.get("EXTLINT_DEBUG"):
            raise
        raise UnreadableError(f"internal error in {package.name}: {type(error).__name__}: {error}") from error
