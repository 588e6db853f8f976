"""Checks many packages, and writes one output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.cache.cache import NO_CACHE, Cache
from extlint.checking.jobs import outcomes_in_order
from extlint.checking.report_of import Settings, apply_settings, report_of
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.failures import Failures, internal_error
from extlint.package.files import Package, UnreadableError
from extlint.report.report import Report, Summary
from extlint.report.reporter import Reporter

if TYPE_CHECKING:
    from extlint.checking.baselines import BaselinePart
    from extlint.checking.changed_lines import ChangedLines


class Fixing(Protocol):
    """A way to fix findings, which can be pickled."""

    @property
    def is_dry(self) -> bool:
        """Whether changes are only shown."""
        ...

    def __call__(
        self, package: Package, report: Report, check: Callable[[Package], Report]
    ) -> tuple[Report, Sequence[str]]:
        """Returns the report of the remaining findings, and a sentence for an error."""
        ...


class Outcome(Struct, frozen=True):
    """The data that is kept of a checked package; it is passed between processes.

    `parts` are its parts of each output, empty if it could not be checked. `counts` are its contribution to
    the summary, and `unreadable` contains a sentence for each file that could not be read, for each failure
    of extlint itself, or for the package itself. `baseline` is the part that is written into a baseline.
    """

    name: str
    parts: tuple[tuple[str, ...], ...]
    counts: Summary
    fails: bool
    unreadable: tuple[str, ...]
    baseline: BaselinePart | None = None


class Result(Struct, frozen=True):
    """The result of a run: each output's text, whether a finding fails it, and whether all was checked."""

    texts: tuple[str, ...]
    fails: bool
    all_checked: bool
    summary: Summary


class Check(Struct, frozen=True):
    """Checks one package: the same in this process and, pickled, in another one. Each reporter has an output.

    `settings_of` returns the settings for a package, or raises UnreadableError. `cache` contains the results
    of other runs. `fixing` handles findings that can be fixed. With `changes`, only findings on changed lines
    count.
    """

    settings_of: Callable[[Package], Settings]
    reporters: tuple[Reporter, ...]
    cache: Cache = NO_CACHE
    fixing: Fixing | None = None
    changes: ChangedLines | None = None

    def __call__(self, package: Package | UnreadableError, jobs: int = 1) -> Outcome:
        """Returns the outcome, which includes all errors, so that no package prevents the check of another.

        At most `jobs` processes work on it. With EXTLINT_DEBUG in the environment, an error of extlint itself
        is raised as it is.
        """
        if isinstance(package, UnreadableError):
            return unchecked("", str(package))
        try:
            return self._checked(package, jobs)
        except UnreadableError as error:
            return unchecked(package.name, str(error))
        except Exception as error:
            return unchecked(package.name, internal_error(package.name, error))

    def _checked(self, package: Package, jobs: int) -> Outcome:
        settings = self.settings_of(package)
        store = self.cache.store_for(package)

        def report_on(files: Package) -> Report:
            if not files.variants:
                found = apply_settings(settings, report_of(files, settings, store, jobs))
                return _without_known(found, settings)
            from extlint.checking.variants import report_of_variants

            return _without_known(report_of_variants(files, self.settings_of, store, jobs), settings)

        report = report_on(package)
        if self.changes is not None:
            report = self.changes.only_changed(report)
        not_fixed: Sequence[str] = ()
        if self.fixing is not None:
            report, not_fixed = self.fixing(package, report, report_on)
        part = None
        if settings.baseline is not None and settings.baseline.writes:
            from extlint.checking.baselines import for_baseline

            report, part = for_baseline(report, settings.baseline, settings.rules)
        counts = Summary()
        counts.add(report)
        parts = tuple(tuple(_output_parts(report, each)) for each in self.reporters)
        failures = [each.sentence(package.name) for each in report.package.failures]
        is_dry = self.fixing is not None and self.fixing.is_dry
        fails = bool(report.changes) if is_dry else report.fails
        return Outcome(package.name, parts, counts, fails, (*report.unreadable, *failures, *not_fixed), part)


def _without_known(report: Report, settings: Settings) -> Report:
    """Returns the report without the findings in the baseline, if a baseline is used."""
    if settings.baseline is None or settings.baseline.writes:
        return report
    from extlint.checking.baselines import without_baseline

    return without_baseline(report, settings.baseline, settings.rules)


def _output_parts(report: Report, reporter: Reporter) -> Iterator[str]:
    """Yields the output of a package: in one part, or in one for each finding that can be written."""
    with Failures().contained(report.package.manifest_path):
        yield reporter.extension(report)
        return
    for finding in report.findings:
        with report.package.failures.contained(finding.path):
            yield reporter.extension(replace(report, findings=(finding,)))


def unchecked(name: str, sentence: str) -> Outcome:
    """Returns the outcome of a package that could not be checked."""
    return Outcome(name, (), Summary(), False, (sentence,))


def check_all(
    packages: Iterable[Package | UnreadableError],
    check: Check,
    complain: Callable[[str], None],
    jobs: int | None = 1,
    conclude: Callable[[Summary], None] = lambda _: None,
    on_checked: Callable[[], None] = lambda: None,
    memory: int | None = None,
) -> Result:
    """Checks each package. The outputs are sorted by the packages' names.

    A package fails the run by a finding at its fail level or above. `complain` receives one sentence for each
    package and file that could not be checked or fixed, without duplicates. Only a package's parts of the
    outputs are kept. At most `jobs` processes do the work, or as many as pay if it is not given. `conclude`
    adds facts about the entire run to the summary, once all packages are checked. `on_checked` is called
    after each package. `memory` limits the check of each package; see `outcomes_in_order`.
    """
    summary = Summary()
    parts: list[tuple[str, tuple[tuple[str, ...], ...]]] = []
    known: list[BaselinePart] = []
    reported: set[str] = set()
    failed = False

    def report_once(sentence: str) -> None:
        if sentence not in reported:
            reported.add(sentence)
            summary.unchecked.append(sentence)
            complain(sentence)

    outcomes = outcomes_in_order(packages, check, _lost_outcome, jobs, check.cache.open_for, memory)
    for outcome in outcomes:
        on_checked()
        summary.merge(outcome.counts)
        failed = failed or outcome.fails
        if outcome.parts:
            parts.append((outcome.name, outcome.parts))
        if outcome.baseline is not None:
            known.append(outcome.baseline)
        for sentence in outcome.unreadable:
            report_once(sentence)
    if known:
        from extlint.checking.baselines import write_baselines

        try:
            summary.written.update(write_baselines(known))
        except (UnreadableError, UsageError) as error:
            report_once(str(error))
    conclude(summary)
    parts.sort()
    outputs = tuple(
        reporter.output([part for _, each in parts for part in each[at]], summary)
        for at, reporter in enumerate(check.reporters)
    )
    return Result(outputs, failed, not reported, summary)


def _lost_outcome(package: Package | UnreadableError, how: str) -> Outcome:
    """Returns the outcome of a package whose process ended during the check."""
    name = package.name if isinstance(package, Package) else ""
    return unchecked(name, f"cannot check {name}: its process {how}")
