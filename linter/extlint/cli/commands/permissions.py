"""`extlint permissions`."""

from __future__ import annotations

import sys
from functools import partial

import click

from extlint.checking.jobs import memory_of_check, within_memory
from extlint.checking.run import explain_missing_manifest
from extlint.checking.settings import ConfiguredScope, SettingsOf
from extlint.cli.click_options import declare_option
from extlint.cli.option import (
    COLOR,
    CONFIG,
    NO_GITIGNORE,
    Option,
    format_option,
    names_option,
)
from extlint.cli.process import FAILED, FOUND, SUCCESS
from extlint.cli.streams import complain, use_color, write
from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.usage_error import parse_targets
from extlint.package.discovery.find import find_packages
from extlint.package.files import UnreadableError
from extlint.schema.targets import Target


@click.command("permissions", short_help="List permissions, and what users are asked.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@declare_option(
    names_option(
        "--target",
        "target",
        parse_targets,
        "Browser whose questions to show; repeatable.  [default: those that the extension is made for]",
        value_name="targets",
    )
)
@declare_option(
    Option(
        ("--against",),
        "Compare with an older version: a folder, an archive, a manifest, or a Git revision.",
        "OLD",
    )
)
@declare_option(CONFIG)
@declare_option(NO_GITIGNORE)
@declare_option(format_option({"text": "for people", "json": "for programs"}))
@declare_option(COLOR)
@declare_option(Option(("-q", "--quiet"), "Leave out what is requested: say what users are asked."))
def permissions_command(
    paths: tuple[str, ...],
    targets: tuple[Target, ...],
    against: str | None,
    config: str | None,
    gitignore: bool | None,
    output_format: str,
    color: str,
    quiet: bool,
) -> int:
    """List the permissions of extensions: what each is used for, and what browsers ask the user.

    A PATH stands for the same extensions as in `extlint check`.

    With --against, show what is new since an older version, and whether a browser asks the user again before
    the update runs: the exit status is then 1, and 0 if no browser asks. It is 2 if an extension or the older
    version cannot be read.
    """
    from extlint.services.permissions.output import Comparison, compare_with, older_manifest
    from extlint.services.permissions.table import PermissionTable, table_of

    settings_of = SettingsOf(Configuration(target=targets, gitignore=gitignore), config)
    scope = ConfiguredScope(settings_of.options, settings_of.configurations)
    found: list[tuple[PermissionTable, Comparison | None]] = []
    status = SUCCESS
    for package in map(explain_missing_manifest, find_packages(paths or (".",), scope)):
        try:
            if isinstance(package, UnreadableError):
                raise package
            variants = settings_of.by_manifest(package)
        except UnreadableError as error:
            complain(str(error))
            status = FAILED
            continue
        for variant, settings in variants:
            try:
                before = None if against is None else older_manifest(variant, against)
                table = within_memory(variant, partial(table_of, choice=settings.choice), memory_of_check())
            except UnreadableError as error:
                complain(str(error))
                status = FAILED
                continue
            for sentence in table.unreadable:
                complain(sentence)
                status = FAILED
            change = None if before is None or against is None else compare_with(table, before, against)
            found.append((table, change))
    if output_format == "json":
        import json

        from extlint.services.permissions.output import permissions_as_json

        write(json.dumps(permissions_as_json(found), indent=2) + "\n")
    else:
        from extlint.report.terminal import Style
        from extlint.services.permissions.output import render_table

        style = Style(use_color(color, sys.stdout))
        write("\n".join(render_table(table, change, style, quiet=quiet) for table, change in found))
    if status == SUCCESS and any(change is not None and change.prompts for _, change in found):
        return FOUND
    return status
