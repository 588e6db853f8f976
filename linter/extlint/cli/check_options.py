"""The options of `extlint check`: for files, checks, known findings and the output.

The options about the way the work is done do not affect the findings.
"""

from __future__ import annotations

from msgspec import Struct

from extlint.cli.option import (
    COLOR,
    CONFIG,
    NO_GITIGNORE,
    SCHEMAS,
    Option,
    OptionGroup,
    configuration_of_options,
    name_completion,
    names_option,
    one_of,
)
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import (
    LEVELS,
    UsageError,
    check_name,
    parse_rule_names,
    parse_targets,
)
from extlint.registry import GROUPS
from extlint.report.reporter import DEFAULT, FORMATS, IN_GITHUB_ACTIONS
from extlint.schema.model import UserSchemas
from extlint.schema.targets import Target
from extlint.text.wording import listed


class RuleOptions(Struct, frozen=True):
    """The target browsers, the rules, and the fail level of a run.

    `config` is the file with the configuration of all extensions, or None if each has its own.
    """

    config: str | None
    target: tuple[Target, ...]
    schemas: UserSchemas | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    fail_level: str | None


_GROUPS = listed(list(GROUPS), "or")

RULE_OPTIONS = OptionGroup(
    "Configuration",
    RuleOptions,
    (
        CONFIG,
        names_option(
            "--target",
            "target",
            parse_targets,
            'Browser to check for, such as firefox or "chrome>=120"; repeatable.  [default: the '
            "browsers that the extension is made for]",
        ),
        SCHEMAS,
        names_option(
            "--select",
            "rule",
            parse_rule_names,
            f"Run only these rules or groups of rules ({_GROUPS}); repeatable.",
            metavar="RULE",
        ),
        names_option(
            "--ignore",
            "rule",
            parse_rule_names,
            "Do not run these rules or groups; repeatable.",
            metavar="RULE",
        ),
        names_option(
            "--extend-select",
            "rule",
            parse_rule_names,
            "Run these rules or groups in addition; repeatable.",
            metavar="RULE",
        ),
        Option(
            ("--fail-level",),
            "Lowest severity that sets the exit status to 1: error, warning or info.  [default: error]",
            "LEVEL",
            parse=one_of("fail level", LEVELS),
            completions=name_completion("level"),
        ),
    ),
)


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


class BaselineOptions(Struct, frozen=True):
    """The known findings, and whether those of this run become known.

    `changed_since` is the revision of Git whose findings are known, and `add_ignores` the reason to suppress
    those of this run.
    """

    baseline: str | None
    write_baseline: bool
    changed_since: str | None
    add_ignores: str | None


BASELINE_OPTIONS = OptionGroup(
    "Known findings",
    BaselineOptions,
    (
        Option(
            ("--baseline",), "Do not report the findings that this file has; see --write-baseline.", "FILE"
        ),
        Option(("--write-baseline",), "Write all findings into the baseline, and report nothing."),
        Option(
            ("--changed-since",),
            "Report only findings on lines that changed since this revision of Git, or rather since the last "
            "common ancestor of it and the current commit.",
            "REVISION",
        ),
        Option(
            ("--add-ignores",),
            "Suppress all findings, for this reason: with comments, or with entries of the configuration in "
            "files without comments.",
            "REASON",
        ),
    ),
)


class CheckOptions(Struct, frozen=True):
    """The options that a user sets on the command line, in groups."""

    rules: RuleOptions
    baseline: BaselineOptions
    files: FileOptions
    fixes: FixOptions
    output: OutputOptions
    work: WorkOptions

    @property
    def configuration(self) -> Configuration:
        """The keys that options with their names set."""
        return configuration_of_options(self.rules, self.baseline, self.files, self.output, self.work)


CHECK_OPTIONS: dict[str, OptionGroup] = {
    "rules": RULE_OPTIONS,
    "baseline": BASELINE_OPTIONS,
    "files": FILE_OPTIONS,
    "fixes": FIX_OPTIONS,
    "output": OUTPUT_OPTIONS,
    "work": WORK_OPTIONS,
}
"""The groups, in the order of the help text."""
