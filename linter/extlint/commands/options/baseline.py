"""The options about known findings."""

from __future__ import annotations

from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.commands.options.option import Option


class BaselineOptions(Struct, frozen=True):
    """The known findings, and whether those of this run become known."""

    baseline: str | None
    write_baseline: bool


BASELINE_OPTIONS = OptionGroup(
    "Known findings",
    BaselineOptions,
    (
        Option(
            ("--baseline",), "Do not report the findings that this file has; see --write-baseline.", "FILE"
        ),
        Option(("--write-baseline",), "Write all findings into the baseline, and report nothing."),
    ),
)
