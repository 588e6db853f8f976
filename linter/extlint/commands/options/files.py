"""The options that select files."""

from __future__ import annotations

from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.commands.options.option import Option
from extlint.commands.options.shared import NO_GITIGNORE


class FileOptions(Struct, frozen=True):
    """The choice of the files that are checked."""

    gitignore: bool | None
    skip_foreign_files: bool
    stdin_filename: str | None


FILE_OPTIONS = OptionGroup(
    "Files",
    FileOptions,
    (
        NO_GITIGNORE,
        Option(
            ("--skip-foreign-files",),
            "Skip files that belong to no extension, or to one that the configuration excludes.",
        ),
        Option(("--stdin-filename",), "File name to use for standard input.", "FILE"),
    ),
)
