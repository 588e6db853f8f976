"""The options that determine the checks of an extension."""

from __future__ import annotations

from msgspec import Struct

from extlint.cli.options.option import (
    CONFIG,
    SCHEMAS,
    Option,
    OptionGroup,
    name_completion,
    names_option,
    one_of,
)
from extlint.linting.configuration.usage_error import LEVELS, parse_rule_names, parse_targets
from extlint.registry import GROUPS
from extlint.schema.model import UserSchemas
from extlint.schema.targets.request import Target
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
