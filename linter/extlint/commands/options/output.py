"""The options that say how findings are written."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.configuration.names import check_name, color_option
from extlint.reporter.registry import DEFAULT, FORMATS, IN_GITHUB_ACTIONS
from extlint.text.wording import listed


class OutputOptions(Struct, frozen=True):
    """How findings are written, and where. Each format may have the name of a file of its own."""

    output_format: tuple[tuple[str, str | None], ...]
    output_file: str | None
    color: str
    quiet: bool
    statistics: bool
    exit_zero: bool


_EXPLAINED = listed([f"{each.name} ({each.about})" for each in FORMATS.values()], "or")


def _formats(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str | None], ...]:
    """The formats, each with the name of its file. No format has a colon in its name, but files may."""
    found = []
    for each in given:
        name, colon, file = each.partition(":")
        check_name("output format", name, FORMATS)
        if colon and not file:
            raise click.UsageError(f"--output-format {each} requires the name of a file after the colon")
        found.append((name, file or None))
    return tuple(found)


def _completed_formats(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


OUTPUT_OPTIONS = OptionGroup(
    "Output",
    OutputOptions,
    (
        click.option(
            "--output-format",
            multiple=True,
            metavar="FORMAT[:FILE]",
            callback=_formats,
            shell_complete=_completed_formats,
            help=f"Output format: {_EXPLAINED}. With FILE, it is written to that file. Repeatable.  "
            f"[default: {DEFAULT}; in GitHub Actions {IN_GITHUB_ACTIONS}]",
        ),
        click.option(
            "--output-file",
            metavar="FILE",
            help="Write the output that has no file of its own to this one, instead of standard output.",
        ),
        color_option,
        click.option("-q", "--quiet", is_flag=True, help="Leave out the closing lines."),
        click.option("--statistics", is_flag=True, help="Add the number of findings of each rule."),
        click.option(
            "--exit-zero", is_flag=True, help="Set the exit status to 0 whatever is found; 2 stays 2."
        ),
    ),
)
