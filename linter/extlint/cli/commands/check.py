"""The click command of `extlint check`."""

from __future__ import annotations

import click

from extlint.cli.check_options import CHECK_OPTIONS, CheckOptions
from extlint.cli.checking import check
from extlint.cli.click_options import GroupedCommand, declare_grouped_options


@click.command("check", cls=GroupedCommand, short_help="Check extensions.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@declare_grouped_options(CheckOptions, CHECK_OPTIONS)
def check_command(paths: tuple[str, ...], options: CheckOptions) -> int:
    """Check extensions: their manifests, and every call of an extension API.

    A PATH is an extension's folder, a folder that contains several, a manifest, an archive (.zip, .xpi,
    .crx), or any file of an extension. Without one, it is the current folder; `-` is standard input.

    The exit status is 0 if nothing was found at or above the fail level, 1 if something was, and 2 if
    something could not be checked.
    """
    return check(paths, options)
