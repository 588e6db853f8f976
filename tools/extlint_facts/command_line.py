"""The command line: `renew` writes or checks the facts, `download` gets the packages they are read from."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from extlint_facts import renewal
from extlint_facts.corrections.rows import CorrectionError
from extlint_facts.packages import downloaded, npm
from extlint_facts.packages.access import Packages
from extlint_facts.packages.pin import PackageError, Pin, pins

MAX_SHOWN = 40
"""The maximum number of lines of differences shown."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Generate the facts about browsers from npm packages and manual corrections."""


@main.command()
@click.option("--check", is_flag=True, help="Change nothing; the exit code is 1 if something would change.")
@click.option(
    "--from",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Read packages from a folder, archives or unpacked, and not from the registry.",
)
def renew(check: bool, folder: Path | None) -> None:
    """Write the facts, and print the changes.

    The exit code is 2 if a package is not available, or if a correction is wrong or no longer required.
    """
    expected = _facts(npm.download if folder is None else downloaded.find, folder)
    there = renewal.committed(renewal.SCHEMAS)
    lines = list(renewal.differences(there, expected))
    for line in lines[:MAX_SHOWN]:
        click.echo(line)
    if len(lines) > MAX_SHOWN:
        click.echo(f"... and {len(lines) - MAX_SHOWN} more lines")
    if not check:
        renewal.write(renewal.SCHEMAS, there, expected)
    elif lines:
        click.echo("The facts are not what the packages and corrections give: run renew without --check.")
        click.get_current_context().exit(1)
    else:
        click.echo(f"{len(expected)} files are as they should be.")


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def download(folder: Path) -> None:
    """Download the packages, for renew --from FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for pin in pins().values():
        try:
            npm.download(pin, folder)
        except PackageError as error:
            _fail(error)
        click.echo(str(pin))


def _facts(locate: Callable[[Pin, Path], Path], folder: Path | None) -> dict[str, str]:
    """Returns every file of facts, by path.

    If they cannot be generated, prints the reason and exits with code 2.
    """
    with tempfile.TemporaryDirectory() as temporary:
        where = folder or Path(temporary)
        packages = Packages(pins(), lambda pin: locate(pin, where))
        try:
            return renewal.facts(packages)
        except (PackageError, CorrectionError) as error:
            _fail(error)


def _fail(error: Exception) -> NoReturn:
    for line in str(error).splitlines():
        click.echo(f"extlint_facts: {line}", err=True)
    click.get_current_context().exit(2)
