"""The outputs of a run: formats, and their destinations."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from extlint.cli.options.output import OutputOptions
from extlint.cli.streams import opens_paths, use_color, use_links, width_of, write
from extlint.linting.configuration.usage_error import UsageError
from extlint.report.reporter import DEFAULT, IN_GITHUB_ACTIONS, Options, Reporter, reporter_of

if TYPE_CHECKING:
    from extlint.checking.output_file import OutputFile


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
