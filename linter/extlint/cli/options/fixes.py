"""The options about mistakes that extlint can fix itself."""

from __future__ import annotations

from msgspec import Struct

from extlint.cli.options.group import OptionGroup
from extlint.cli.options.option import Option


class FixOptions(Struct, frozen=True):
    """The choice of fixes to apply or show."""

    fix: bool
    diff: bool
    unsafe_fixes: bool

    @property
    def are_given(self) -> bool:
        """Whether any of these options is set."""
        return self.fix or self.diff or self.unsafe_fixes


FIX_OPTIONS = OptionGroup(
    "Fixes",
    FixOptions,
    (
        Option(("--fix",), "Fix what can be fixed safely, and report what remains."),
        Option(
            ("--diff",),
            "Print what --fix would change, and change nothing; exit with status 1 if that is anything.",
        ),
        Option(
            ("--unsafe-fixes",),
            "Also apply fixes that may change what the extension does; requires --fix or --diff.",
        ),
    ),
)
