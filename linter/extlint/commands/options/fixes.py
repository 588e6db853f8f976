"""The options that say what is done about mistakes that extlint can mend itself."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup


class FixOptions(Struct, frozen=True):
    """Whether files are fixed."""

    fix: bool
    diff: bool
    unsafe_fixes: bool

    @property
    def are_given(self) -> bool:
        """Whether any of these options is."""
        return self.fix or self.diff or self.unsafe_fixes


FIX_OPTIONS = OptionGroup(
    "Fixes",
    FixOptions,
    (
        click.option("--fix", is_flag=True, help="Fix what can be fixed safely, and report what remains."),
        click.option(
            "--diff",
            is_flag=True,
            help="Print what --fix would change, and change nothing; exit with status 1 if that is anything.",
        ),
        click.option(
            "--unsafe-fixes",
            is_flag=True,
            help="Also apply fixes that may change what the extension does; requires --fix or --diff.",
        ),
    ),
)
