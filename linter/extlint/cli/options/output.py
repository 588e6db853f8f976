"""The options about the output of findings, and about mistakes that extlint can fix itself."""

from __future__ import annotations

from msgspec import Struct

from extlint.cli.options.option import COLOR, Option, OptionGroup
from extlint.linting.configuration.names import check_name
from extlint.linting.configuration.usage_error import UsageError
from extlint.report.reporter import DEFAULT, FORMATS, IN_GITHUB_ACTIONS
from extlint.text.wording import listed


class OutputOptions(Struct, frozen=True):
    """The format and destination of findings. Each format may have the name of a file of its own."""

    output_format: tuple[tuple[str, str | None], ...]
    output_file: str | None
    color: str
    quiet: bool
    statistics: bool
    exit_zero: bool


_EXPLAINED = listed([f"{each.name} ({each.about})" for each in FORMATS.values()], "or")


def _formats(values: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """Returns the formats, each with the name of its file.

    Names of formats do not contain colons, but files may.
    """
    found = []
    for each in values:
        name, colon, file = each.partition(":")
        check_name("output format", name, FORMATS)
        if colon and not file:
            raise UsageError(f"--output-format {each} requires the name of a file after the colon")
        found.append((name, file or None))
    return tuple(found)


OUTPUT_OPTIONS = OptionGroup(
    "Output",
    OutputOptions,
    (
        Option(
            ("--output-format",),
            f"Output format: {_EXPLAINED}. With FILE, it is written to that file. Repeatable.  "
            f"[default: {DEFAULT}; in GitHub Actions {IN_GITHUB_ACTIONS}]",
            "FORMAT[:FILE]",
            is_repeatable=True,
            parse=_formats,
            completions=lambda incomplete: [name for name in FORMATS if name.startswith(incomplete)],
        ),
        Option(
            ("--output-file",),
            "Write the output that has no file of its own to this one, instead of standard output.",
            "FILE",
        ),
        COLOR,
        Option(("-q", "--quiet"), "Leave out the closing lines."),
        Option(("--statistics",), "Add the number of findings of each rule."),
        Option(("--exit-zero",), "Set the exit status to 0 whatever is found; 2 stays 2."),
    ),
)


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
