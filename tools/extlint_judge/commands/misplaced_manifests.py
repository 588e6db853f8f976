"""Queries how a real browser loads packages whose manifest is in a folder, not at the top."""

from __future__ import annotations

from pathlib import Path

import click

from extlint_judge.loading import LOADED, MANIFEST, load_packages
from extlint_judge.options import browser_option, query_browser, report_and_exit

PLACES = {"at the top": "", "in a folder": "folder/"}


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the browser's result for a package with the manifest in each position. Raises BrowserError."""
    packages = {name: {f"{place}manifest.json": MANIFEST} for name, place in PLACES.items()}
    return load_packages(browser, command, folder, packages)


@click.command()
@browser_option
def misplaced_manifests(browser: str) -> None:
    """Query manifests that are not at the top.

    The exit code is 1 if one in a folder is read, because extlint assumes that it is not.
    """
    observed = query_browser(browser, observe)
    for name, result in observed.items():
        click.echo(f"  {name}: {result}")
    report_and_exit(name for name, place in PLACES.items() if (observed[name] == LOADED) is bool(place))
