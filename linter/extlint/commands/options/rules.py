"""The options that say what an extension is checked for."""

from __future__ import annotations

import click
from msgspec import Struct

from extlint.commands.options.group import OptionGroup
from extlint.configuration.names import (
    LEVELS,
    checked,
    checked_one,
    completed,
    known_rules,
    known_targets,
    schemas_option,
)
from extlint.registry import GROUPS
from extlint.schema.model import UserSchemas
from extlint.targets.request import Target
from extlint.text.wording import listed


class RuleOptions(Struct, frozen=True):
    """For which browsers an extension is checked, by which rules, and what fails a run.

    `config` is the file with the configuration of all extensions; None if each has its own.
    """

    config: str | None
    target: tuple[Target, ...]
    schemas: UserSchemas | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    fail_level: str | None


_rules = checked("rule", known_rules)

config_option = click.option(
    "--config",
    metavar="FILE",
    help="Use the configuration in this file for all extensions.  [default: for each extension, the "
    "one in its folder or in the nearest folder above]",
)

RULE_OPTIONS = OptionGroup(
    "Configuration",
    RuleOptions,
    (
        config_option,
        click.option(
            "--target",
            multiple=True,
            metavar="NAME",
            callback=checked("target", known_targets),
            shell_complete=completed("target"),
            help='Browser to check for, such as firefox or "chrome>=120"; repeatable.  [default: the '
            "browsers that the extension is made for]",
        ),
        schemas_option,
        click.option(
            "--select",
            multiple=True,
            metavar="RULE",
            callback=_rules,
            shell_complete=completed("rule"),
            help=f"Run only these rules or groups of rules ({listed(list(GROUPS), 'or')}); repeatable.",
        ),
        click.option(
            "--ignore",
            multiple=True,
            metavar="RULE",
            callback=_rules,
            shell_complete=completed("rule"),
            help="Do not run these rules or groups; repeatable.",
        ),
        click.option(
            "--extend-select",
            multiple=True,
            metavar="RULE",
            callback=_rules,
            shell_complete=completed("rule"),
            help="Run these rules or groups in addition; repeatable.",
        ),
        click.option(
            "--fail-level",
            metavar="LEVEL",
            callback=checked_one("fail level", LEVELS),
            shell_complete=completed("level"),
            help="Lowest severity that sets the exit status to 1: error, warning or info.  [default: error]",
        ),
    ),
)
