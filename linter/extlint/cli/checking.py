"""Checks extensions, for `extlint check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.analysis.cache.cache import NO_CACHE, Cache
from extlint.analysis.cache.folder import cache_folder
from extlint.checking.batch import Result
from extlint.checking.run import Run
from extlint.cli.exit_status import FAILED, FOUND, SUCCESS
from extlint.cli.options.check import CheckOptions
from extlint.cli.outputs import outputs_of
from extlint.cli.streams import complain, use_progress, write
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import Package, UnreadableError

if TYPE_CHECKING:
    from extlint.checking.changed_lines import ChangedLines
    from extlint.cli.fixing import Fixing


def check(paths: Sequence[str], options: CheckOptions) -> int:
    """Checks the extensions at paths, and returns the exit status. Raises UsageError."""
    if options.work.watch:
        from extlint.cli.watch import watch_and_check

        if options.baseline.write_baseline:
            raise UsageError("--watch cannot be combined with --write-baseline")
        return watch_and_check(
            lambda: _check_once(paths, options),
            paths or (".",),
            options.output,
            clears=not options.fixes.are_given,
        )
    return _check_once(paths, options)


def _check_once(paths: Sequence[str], options: CheckOptions) -> int:
    """Checks once, and returns the exit status."""
    writes = options.baseline.write_baseline
    run = Run(
        options.configuration,
        options.rules.config,
        writes=writes,
        skips_foreign_files=options.files.skip_foreign_files,
    )
    fixing = _fixing(options, paths) if options.fixes.are_given else None
    is_dry = fixing is not None and fixing.is_dry
    if is_dry and writes:
        raise UsageError("--write-baseline cannot be combined with --diff")
    changes = _changes(options, paths)
    packages = _packages(paths, options.files.stdin_filename, run)
    outputs = outputs_of(options.output, is_diff=is_dry, is_filter=fixing is not None and fixing.is_filter)
    cache = NO_CACHE if options.work.no_cache else Cache(cache_folder())

    def check(found: Iterator[Package | UnreadableError], on_checked: Callable[[], None]) -> Result:
        reporters = [each.reporter for each in outputs]
        jobs = options.work.jobs
        return run.check(
            found,
            reporters,
            complain,
            cache=cache,
            fixing=fixing,
            changes=changes,
            jobs=jobs,
            on_checked=on_checked,
        )

    shows_progress = not options.output.quiet and use_progress(sys.stderr)
    result = _with_progress(packages, check) if shows_progress else check(packages, lambda: None)
    for output, text in zip(outputs, result.texts, strict=True):
        output.write(text)
    if is_dry and not options.output.quiet:
        from extlint.report.closing_lines import diff_summary

        write(diff_summary(result.summary), sys.stderr)
    if not result.all_checked:
        return FAILED
    return FOUND if result.fails and not options.output.exit_zero else SUCCESS


def _with_progress(
    packages: Iterator[Package | UnreadableError],
    check: Callable[[Iterator[Package | UnreadableError], Callable[[], None]], Result],
) -> Result:
    """Returns the result of a check of all packages, which shows a progress bar."""
    from contextlib import closing

    from extlint.checking.report_of import reporting_progress
    from extlint.cli.progress import ProgressBar

    with closing(ProgressBar(sys.stderr)) as bar, reporting_progress(bar.step):
        return check(bar.count_found(packages), bar.count_checked)


def _fixing(options: CheckOptions, paths: Sequence[str]) -> Fixing:
    from extlint.cli.fixing import fixing_of

    return fixing_of(options.fixes, paths, options.files.stdin_filename)


def _changes(options: CheckOptions, paths: Sequence[str]) -> ChangedLines | None:
    """Returns the changes that findings must be in, or None if all findings count. Raises UsageError."""
    revision = options.baseline.changed_since
    if revision is None:
        return None
    for is_given, other in (
        (options.fixes.are_given, "--fix or --diff"),
        (options.baseline.write_baseline, "--write-baseline"),
        ("-" in paths, "standard input (-)"),
    ):
        if is_given:
            raise UsageError(f"--changed-since cannot be combined with {other}")
    from extlint.checking.changed_lines import ChangedLines

    return ChangedLines(revision)


def _packages(
    paths: Sequence[str], stdin_filename: str | None, run: Run
) -> Iterator[Package | UnreadableError]:
    if "-" not in paths:
        if stdin_filename is not None:
            raise UsageError("--stdin-filename requires the path -")
        return run.packages_at(paths)
    if len(paths) > 1:
        raise UsageError("standard input (-) cannot be combined with other paths")
    return run.package_of(_read_standard_input, stdin_filename)


def _read_standard_input() -> bytes:
    """Returns the bytes of standard input. Raises UnreadableError."""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        sentence = f"cannot read standard input: {(error.strerror or str(error)).lower()}"
        raise UnreadableError(sentence) from None
