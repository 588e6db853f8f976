"""The options about known findings."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup


class BaselineOptions(Struct, frozen=True):
    """Which findings are known, and whether those of this run become known."""

    baseline: str | None
    write_baseline: bool


BASELINE_OPTIONS = OptionGroup(
    "Known findings",
    BaselineOptions,
    (
        click.option(
            "--baseline",
            metavar="FILE",
            help="Do not report the findings that this file has; see --write-baseline.",
        ),
        click.option(
            "--write-baseline",
            is_flag=True,
            help="Write all findings into the baseline, and report nothing.",
        ),
    ),
)
