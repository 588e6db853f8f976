"""Checks extensions, for `extlint check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.cache.cache import NO_CACHE, Cache
from extlint.cache.folder import cache_folder
from extlint.checking.batch import Check, Result, check_all
from extlint.checking.scope import ConfiguredScope
from extlint.checking.settings import SettingsOf
from extlint.commands.exit_status import FAILED, FOUND, SUCCESS
from extlint.commands.options.check import CheckOptions
from extlint.commands.options.files import FileOptions
from extlint.commands.outputs import outputs_of
from extlint.commands.streams import complain, use_progress, write
from extlint.configuration.usage_error import UsageError
from extlint.package.files import Package, UnreadableError
from extlint.reporter.report import Summary

if TYPE_CHECKING:
    from extlint.commands.fixing import Fixing


def check(paths: Sequence[str], options: CheckOptions) -> int:
    """Checks the extensions at paths, and returns the exit status. Raises UsageError."""
    if options.work.watch:
        from extlint.commands.watch import watch_and_check

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
    settings_of = SettingsOf(options.configuration, options.rules.config, writes=writes)
    fixing = _fixing(options, paths) if options.fixes.are_given else None
    is_dry = fixing is not None and fixing.is_dry
    if is_dry and writes:
        raise UsageError("--write-baseline cannot be combined with --diff")
    scope = ConfiguredScope(
        options.configuration,
        settings_of.configurations,
        named_by_tool=options.files.skip_foreign_files,
    )
    packages = scope.record_packages(_packages(paths, options.files, scope), paths or (".",))
    outputs = outputs_of(options.output, is_diff=is_dry, is_filter=fixing is not None and fixing.is_filter)
    cache = NO_CACHE if options.work.no_cache else Cache(cache_folder())
    check = Check(settings_of, tuple(each.reporter for each in outputs), cache, fixing)

    def conclude(summary: Summary) -> None:
        summary.record_skipped(scope.skipped)
        summary.idle = scope.idle_entries()

    result = _check_packages(packages, check, options, conclude)
    for output, text in zip(outputs, result.texts, strict=True):
        output.write(text)
    if is_dry and not options.output.quiet:
        from extlint.reporter.closing_lines import diff_summary

        write(diff_summary(result.summary), sys.stderr)
    if not result.all_checked:
        return FAILED
    return FOUND if result.fails and not options.output.exit_zero else SUCCESS


def _check_packages(
    packages: Iterator[Package | UnreadableError],
    check: Check,
    options: CheckOptions,
    conclude: Callable[[Summary], None],
) -> Result:
    """Checks all packages, with a progress bar."""
    jobs = options.work.jobs
    if options.output.quiet or not use_progress(sys.stderr):
        return check_all(packages, check, complain, jobs, conclude)
    from contextlib import closing

    from extlint.checking.report_of import reporting_progress
    from extlint.commands.progress import ProgressBar

    with closing(ProgressBar(sys.stderr)) as bar, reporting_progress(bar.step):
        return check_all(bar.count_found(packages), check, complain, jobs, conclude, bar.count_checked)


def _fixing(options: CheckOptions, paths: Sequence[str]) -> Fixing:
    from extlint.commands.fixing import fixing_of

    return fixing_of(options.fixes, paths, options.files.stdin_filename)


def _packages(
    paths: Sequence[str], options: FileOptions, scope: ConfiguredScope
) -> Iterator[Package | UnreadableError]:
    from extlint.package.find import NoExtensionError, find_packages

    stdin_filename = options.stdin_filename
    if "-" not in paths:
        if stdin_filename is not None:
            raise UsageError("--stdin-filename requires the path -")
        found = (explain_missing_manifest(each) for each in find_packages(paths or (".",), scope))
    elif len(paths) > 1:
        raise UsageError("standard input (-) cannot be combined with other paths")
    else:
        found = (_from_standard_input(each, scope) for each in (stdin_filename,))
    if not options.skip_foreign_files:
        return found
    return (each for each in found if not isinstance(each, NoExtensionError) and not scope.excludes(each))


def explain_missing_manifest(item: Package | UnreadableError) -> Package | UnreadableError:
    """Returns an item as it was found.

    The error for a missing manifest mentions a project whose build generates a manifest.
    """
    if not isinstance(item, UnreadableError):
        return item
    from extlint.package.not_found import NoManifestError

    if isinstance(item, NoManifestError) and item.tree is not None:
        from extlint.project.generated_manifests import generated_manifest_sentence

        return UnreadableError(generated_manifest_sentence(item.tree) or str(item))
    return item


def _from_standard_input(filename: str | None, scope: ConfiguredScope) -> Package | UnreadableError:
    from extlint.package.find import stdin_package

    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        return UnreadableError(f"cannot read standard input: {(error.strerror or str(error)).lower()}")
    return stdin_package(data, filename, scope)
