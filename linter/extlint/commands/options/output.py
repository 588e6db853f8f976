"""The options that say how findings are written."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.configuration.names import checked_one, format_option
from extlint.reporter.registry import FORMATS


class OutputOptions(Struct, frozen=True):
    """How findings are written, and where."""

    output_format: str
    output_file: str | None
    color: str
    quiet: bool
    statistics: bool


OUTPUT_OPTIONS = OptionGroup(
    "Output",
    OutputOptions,
    (
        format_option({each.name: each.about for each in FORMATS.values()}),
        click.option(
            "--output-file", metavar="FILE", help="Write the output to this file instead of standard output."
        ),
        click.option(
            "--color",
            default="auto",
            metavar="WHEN",
            callback=checked_one("color setting", ("auto", "always", "never")),
            help="Color the output: auto, always or never.  [default: auto]",
        ),
        click.option("-q", "--quiet", is_flag=True, help="Leave out the closing lines."),
        click.option("--statistics", is_flag=True, help="Add the number of findings of each rule."),
    ),
)
