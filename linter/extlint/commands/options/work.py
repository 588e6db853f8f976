"""The options about the way the work is done; they do not affect the findings."""

from __future__ import annotations

from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.commands.options.option import Option
from extlint.configuration.usage_error import UsageError


class WorkOptions(Struct, frozen=True):
    """The use of processes, of the cache and of watch mode.

    `jobs` is the number of processes, or None if extlint decides.
    """

    jobs: int | None
    no_cache: bool
    watch: bool


def _jobs(text: str) -> int | None:
    if text == "auto":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text)):
        raise UsageError(f"--jobs must be a number of at least 1, or auto, not {text}")
    return int(text)


WORK_OPTIONS = OptionGroup(
    "Work",
    WorkOptions,
    (
        Option(
            ("--jobs",),
            "Work in at most N processes, and in fewer where the work is not worth so many; auto: in at "
            "most as many as there are processors.  [default: auto]",
            "N",
            "auto",
            parse=_jobs,
        ),
        Option(("--no-cache",), "Neither use nor keep what is found out about files."),
        Option(
            ("--watch",), "Check again whenever a file changes, until Ctrl-C; requires the extra `watch`."
        ),
    ),
)
