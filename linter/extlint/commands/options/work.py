"""The options that say how the work is done; they change nothing about what is found."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup


class WorkOptions(Struct, frozen=True):
    """How the work is done. `jobs` is the number of processes, None if that is left to extlint."""

    jobs: int | None
    no_cache: bool
    watch: bool


def _jobs(_context: click.Context, _parameter: click.Parameter, value: str) -> int | None:
    if value == "auto":
        return None
    if not (value.isascii() and value.isdecimal() and len(value) < 6 and int(value)):
        raise click.UsageError(f"--jobs must be a number of at least 1, or auto, not {value}")
    return int(value)


WORK_OPTIONS = OptionGroup(
    "Work",
    WorkOptions,
    (
        click.option(
            "--jobs",
            metavar="N",
            default="auto",
            callback=_jobs,
            help="Work in at most N processes, and in fewer where the work is not worth so many; auto: in at "
            "most as many as there are processors.  [default: auto]",
        ),
        click.option("--no-cache", is_flag=True, help="Neither use nor keep what is found out about files."),
        click.option(
            "--watch",
            is_flag=True,
            help="Check again whenever a file changes, until Ctrl-C; requires the extra `watch`.",
        ),
    ),
)
