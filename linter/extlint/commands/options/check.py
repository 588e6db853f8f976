"""The options of `extlint check`."""

from __future__ import annotations

from msgspec import Struct

from extlint.commands.options.baseline import BASELINE_OPTIONS, BaselineOptions
from extlint.commands.options.files import FILE_OPTIONS, FileOptions
from extlint.commands.options.fixes import FIX_OPTIONS, FixOptions
from extlint.commands.options.group import OptionGroup, configuration_of_options
from extlint.commands.options.output import OUTPUT_OPTIONS, OutputOptions
from extlint.commands.options.rules import RULE_OPTIONS, RuleOptions
from extlint.commands.options.work import WORK_OPTIONS, WorkOptions
from extlint.configuration.configuration import Configuration


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
