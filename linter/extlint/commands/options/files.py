"""The options that say which files are looked at."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup


class FileOptions(Struct, frozen=True):
    """Which files are looked at."""

    skip_foreign_files: bool
    stdin_filename: str | None


FILE_OPTIONS = OptionGroup(
    "Files",
    FileOptions,
    (
        click.option("--skip-foreign-files", is_flag=True, help="Skip files that belong to no extension."),
        click.option("--stdin-filename", metavar="FILE", help="File name to use for standard input."),
    ),
)
