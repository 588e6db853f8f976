"""Checks extensions, for `extlint check`, and writes the findings to the outputs of the run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.cache.cache import NO_CACHE, Cache, cache_folder
from extlint.checking import jobs as batch_jobs
from extlint.checking.batch import Result
from extlint.checking.report_of import reporting_progress
from extlint.checking.run import Run
from extlint.cli.check_options import CHECK_OPTIONS, CheckOptions, OutputOptions
from extlint.cli.option import read_options
from extlint.cli.process import FAILED, FOUND, SUCCESS
from extlint.cli.streams import complain, opens_paths, use_color, use_links, use_progress, width_of, write
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import Package, UnreadableError
from extlint.report.reporter import DEFAULT, IN_GITHUB_ACTIONS, Options, Reporter, reporter_of

if TYPE_CHECKING:
    from extlint.checking.changed_lines import ChangedLines
    from extlint.checking.ignoring import Ignoring
    from extlint.checking.output_file import OutputFile
    from extlint.cli.fixing import Fixing


class Output(Struct, frozen=True):
    """A format, and the file that it is written to, or None for standard output or standard error."""

    reporter: Reporter
    file: OutputFile | None
    is_to_stderr: bool = False

    def write(self, text: str) -> None:
        """Writes the entire output. Raises UsageError, or OSError for standard output."""
        if self.file is None:
            write(text, sys.stderr if self.is_to_stderr else sys.stdout)
        else:
            self.file.write(text)


def outputs_of(
    options: OutputOptions,
    environment: Mapping[str, str] = os.environ,
    *,
    is_diff: bool = False,
    is_filter: bool = False,
) -> list[Output]:
    """Returns the outputs.

    Raises UsageError if a file cannot be written, or two outputs have the same destination.

    With `is_diff`, the only output shows the changes by fixes. With `is_filter`, standard output is reserved,
    and its outputs go to standard error.
    """
    if is_diff:
        if options.output_format:
            raise UsageError("--diff cannot be combined with --output-format")
        return [_output(None, options.output_file, options)]
    formats = options.output_format or ((_default(options.output_file, environment), None),)
    names = [options.output_file if file is None else file for _, file in formats]
    if options.output_file is not None and all(file is not None for _, file in formats):
        raise UsageError("--output-file is given, but each output format has a file of its own")
    _check_destinations(names)
    return [
        _output(form, name, options, is_filter=is_filter)
        for (form, _), name in zip(formats, names, strict=True)
    ]


def _default(output_file: str | None, environment: Mapping[str, str]) -> str:
    """Returns the default format. GitHub Actions sets the variable, and reads only the log."""
    in_log = output_file is None and environment.get("GITHUB_ACTIONS") == "true"
    return IN_GITHUB_ACTIONS if in_log else DEFAULT


def _check_destinations(names: Sequence[str | None]) -> None:
    if names.count(None) > 1:
        raise UsageError("only one output goes to standard output; write the others as FORMAT:FILE")
    places: dict[str, str] = {}
    for name in names:
        if name is not None and (place := os.path.realpath(name)) in places:
            raise UsageError(f"two output formats have the same file: {name}")
        if name is not None:
            places[place] = name


def _output(form: str | None, name: str | None, options: OutputOptions, *, is_filter: bool = False) -> Output:
    """Returns the output in a format, to the file with a name; without a format it is a diff."""
    stream = sys.stderr if is_filter else sys.stdout
    colored = use_color(options.color, stream) if name is None else options.color == "always"
    chosen = Options(colored, options.quiet, options.statistics)
    if name is None:
        links = use_links(colored, stream)
        chosen = replace(chosen, links=links, file_links=links and not opens_paths(), width=width_of(stream))
    reporter = _diff(chosen) if form is None else reporter_of(form, chosen)
    if name is None:
        return Output(reporter, None, is_filter)
    from extlint.checking.output_file import OutputFile

    return Output(reporter, OutputFile(name))


def _diff(options: Options) -> Reporter:
    from extlint.report.formats.diff_output import reporter

    return reporter(options)


def check(paths: Sequence[str], options: CheckOptions) -> int:
    """Checks the extensions at paths, and returns the exit status. Raises UsageError."""
    if options.work.watch:
        from extlint.cli.watch import watch_and_check

        for is_given, name in (
            (options.baseline.write_baseline, "--write-baseline"),
            (options.baseline.add_ignores is not None, "--add-ignores"),
        ):
            if is_given:
                raise UsageError(f"--watch cannot be combined with {name}")
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
    _require_one_purpose(options, paths)
    fixing = _fixing(options, paths)
    is_dry = fixing is not None and fixing.is_dry
    if is_dry and writes:
        raise UsageError("--write-baseline cannot be combined with --diff")
    packages = _packages(paths, options.files.stdin_filename, run)
    outputs = outputs_of(options.output, is_diff=is_dry, is_filter=fixing is not None and fixing.is_filter)
    cache = NO_CACHE if options.work.no_cache else Cache(cache_folder())

    def check(found: Iterator[Package | UnreadableError], on_checked: Callable[[], None]) -> Result:
        reporters = [each.reporter for each in outputs]
        jobs = 1 if options.baseline.add_ignores is not None else options.work.jobs
        return run.check(
            found,
            reporters,
            complain,
            cache=cache,
            fixing=fixing,
            changes=_changes(options),
            jobs=jobs,
            on_checked=on_checked,
            memory=batch_jobs.memory_of_check(),
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

    from extlint.cli.progress import ProgressBar

    with closing(ProgressBar(sys.stderr)) as bar, reporting_progress(bar.step):
        return check(bar.count_found(packages), bar.count_checked)


def _fixing(options: CheckOptions, paths: Sequence[str]) -> Fixing | Ignoring | None:
    """Returns the way to fix or suppress findings, or None. Raises UsageError."""
    if options.baseline.add_ignores is not None:
        from extlint.checking.ignoring import Ignoring, reason_of

        return Ignoring(reason_of(options.baseline.add_ignores), options.rules.config)
    if not options.fixes.are_given:
        return None
    from extlint.cli.fixing import fixing_of

    return fixing_of(options.fixes, paths, options.files.stdin_filename)


def _changes(options: CheckOptions) -> ChangedLines | None:
    """Returns the changes that findings must be in, or None if all findings count."""
    if options.baseline.changed_since is None:
        return None
    from extlint.checking.changed_lines import ChangedLines

    return ChangedLines(options.baseline.changed_since)


def _require_one_purpose(options: CheckOptions, paths: Sequence[str]) -> None:
    """Raises UsageError for options that cannot be combined with `--changed-since` or `--add-ignores`."""
    known = options.baseline
    given = {
        "--changed-since": known.changed_since is not None,
        "--add-ignores": known.add_ignores is not None,
        "--write-baseline": known.write_baseline,
        "--fix or --diff": options.fixes.are_given,
        "standard input (-)": "-" in paths,
    }
    first, *others = [name for name, is_given in given.items() if is_given] or [""]
    if others and first in ("--changed-since", "--add-ignores"):
        raise UsageError(f"{first} cannot be combined with {others[0]}")


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


def check_without_click(arguments: Sequence[str]) -> int | None:
    """Checks and returns the exit status.

    For command lines that click must parse, it does nothing and returns None.
    """
    try:
        read = parse_without_click(arguments)
        return None if read is None else check(*read)
    except UsageError as error:
        complain(str(error))
        return FAILED


def parse_without_click(arguments: Sequence[str]) -> tuple[tuple[str, ...], CheckOptions] | None:
    """Returns the paths and options of a command line, as click parses it.

    Returns None if only click can parse it.

    Raises UsageError for an invalid value.
    """
    options = {option.name: option for group in CHECK_OPTIONS.values() for option in group.options}
    by_flag = {flag: option for option in options.values() for flag in option.flags}
    texts_by_name: dict[str, list[str]] = {name: [] for name in options}
    paths: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            paths.append(argument)
            continue
        flag, equals, value = argument.partition("=")
        option = by_flag.get(flag)
        if option is None or (equals and option.metavar is None):
            return None
        if option.metavar is not None and not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        texts_by_name[option.name].append(value)
    values = {name: option.value(texts_by_name[name]) for name, option in options.items()}
    return tuple(paths), read_options(CheckOptions, CHECK_OPTIONS, values)
