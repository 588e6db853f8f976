"""Queries how a real browser loads packages whose manifest is in a folder, not at the top."""

from __future__ import annotations

from pathlib import Path

import click

from extlint_judge.loading import LOADED, MANIFEST, said_of_packages
from extlint_judge.options import answer_of, browser_option, end_with

PLACES = {"at the top": "", "in a folder": "folder/"}


def answers(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the browser's result for a package with the manifest in each position. Raises BrowserError."""
    packages = {name: {f"{place}manifest.json": MANIFEST} for name, place in PLACES.items()}
    return said_of_packages(browser, command, folder, packages)


@click.command()
@browser_option
def misplaced_manifests(browser: str) -> None:
    """Query manifests that are not at the top.

    The exit code is 1 if one in a folder is read, because extlint assumes that it is not.
    """
    said = answer_of(browser, answers)
    for name, told in said.items():
        click.echo(f"  {name}: {told}")
    end_with(name for name, place in PLACES.items() if (said[name] == LOADED) is bool(place))
