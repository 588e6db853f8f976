"""The command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from extlint_pack.npm_packages import write_packages
from extlint_pack.package_managers import write_manifests
from extlint_pack.platforms import find_archives
from extlint_pack.program import build_program

_FOLDER = click.Path(file_okay=False, path_type=Path)
_EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_only_found_option = click.option(
    "--only-found", is_flag=True, help="Accept a folder without the archives of some platforms."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Pack extlint for people without Python.

    The exit code is 0, or 1 if something could not be packed.
    """


@main.command()
@click.argument("target", type=_FOLDER)
@click.option(
    "--wheel",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The wheel of extlint to pack.  [default: built from this checkout]",
)
def program(target: Path, wheel: Path | None) -> None:
    """Write the archive with the program for this platform to the folder TARGET, and run it."""
    try:
        click.echo(build_program(target, wheel))
    except (LookupError, OSError) as error:
        sys.exit(str(error))


@main.command()
@click.argument("programs", type=_EXISTING_FOLDER)
@click.argument("target", type=_FOLDER)
@_only_found_option
def npm(programs: Path, target: Path, *, only_found: bool) -> None:
    """Write the npm packages for the archives in the folder PROGRAMS to the folder TARGET.

    The paths are printed in the order in which to publish the packages.
    """
    try:
        found = find_archives(programs, only_found=only_found)
        for path in write_packages(found, target):
            click.echo(path)
    except ValueError as error:
        sys.exit(str(error))


@main.command()
@click.argument("programs", type=_EXISTING_FOLDER)
@click.argument("target", type=_FOLDER)
@_only_found_option
def manifests(programs: Path, target: Path, *, only_found: bool) -> None:
    """Write the Homebrew formula and the Scoop manifest for the archives in the folder PROGRAMS."""
    try:
        found = find_archives(programs, only_found=only_found)
    except ValueError as error:
        sys.exit(str(error))
    for path in write_manifests(found, target):
        click.echo(path)


@main.command(name="try")
@click.argument("packages", type=_EXISTING_FOLDER)
def try_(packages: Path) -> None:
    """Install the npm packages in the folder PACKAGES with npm, and use them as a user does.

    Python is not on the path then. The exit code is 1 if something fails.
    """
    from extlint_pack.npm_trial import try_packages

    try:
        try_packages(packages, click.echo)
    except OSError as error:
        sys.exit(str(error))
