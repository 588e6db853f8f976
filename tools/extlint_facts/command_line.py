"""The command line: `renew` and `update` write the facts, `download` gets the packages they are read from."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NoReturn

import click

from extlint_facts import renewal, summary
from extlint_facts.corrections.rows import CorrectionError, StaleCorrectionError
from extlint_facts.packages import downloaded, npm
from extlint_facts.packages.access import Packages
from extlint_facts.packages.newest import newest_pins, write_pins
from extlint_facts.packages.pin import PackageError, Pin, pins
from extlint_facts.update import apply, ask_browsers

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


STALE = 3
"""The exit code if corrections no longer apply."""


@main.command()
@click.option("--summary", "file", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--ask", is_flag=True, help="Also ask the installed browsers, which takes minutes.")
def update(file: Path, ask: bool) -> None:
    """Pin the newest packages, write the facts, and describe the changes in a file.

    The exit code is 3 if corrections no longer apply: the file then describes these, and nothing else
    changes. Without newer packages, nothing changes, and no file is written.
    """
    old = list(pins().values())
    try:
        new = newest_pins(old, date.today().isoformat())
        if new == old:
            click.echo("The pinned packages are the newest ones.")
            return
        with tempfile.TemporaryDirectory() as temporary:
            by_name = {pin.package: pin for pin in new}
            expected = renewal.facts(Packages(by_name, lambda pin: npm.download(pin, Path(temporary))))
    except StaleCorrectionError as error:
        file.write_text("\n".join(summary.stale_corrections(str(error).splitlines())) + "\n", "utf-8")
        click.echo(f"Corrections no longer apply: see {file}.")
        click.get_current_context().exit(STALE)
    except (PackageError, CorrectionError) as error:
        _fail(error)
    text = apply(renewal.committed(renewal.SCHEMAS), expected, old, new)
    write_pins(old, new)
    if ask:
        text += "\n".join(summary.answers_of_browsers(ask_browsers())) + "\n"
    file.write_text(text, "utf-8")
    click.echo(f"The facts are renewed: see {file}.")


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
