"""The options that say which files are looked at."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup


class FileOptions(Struct, frozen=True):
    """Which files are looked at."""

    gitignore: bool | None
    skip_foreign_files: bool
    stdin_filename: str | None


def _unless_given(_context: click.Context, _parameter: click.Parameter, given: bool) -> bool | None:
    """The value of a key that an option turns off."""
    return False if given else None


gitignore_option = click.option(
    "--no-gitignore",
    "gitignore",
    is_flag=True,
    callback=_unless_given,
    help="Check the extensions in a folder that Git ignores, too.",
)

FILE_OPTIONS = OptionGroup(
    "Files",
    FileOptions,
    (
        gitignore_option,
        click.option(
            "--skip-foreign-files",
            is_flag=True,
            help="Skip files that belong to no extension, or to one that the configuration excludes.",
        ),
        click.option("--stdin-filename", metavar="FILE", help="File name to use for standard input."),
    ),
)
