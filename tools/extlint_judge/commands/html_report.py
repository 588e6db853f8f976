"""Opens an HTML report of extlint in a real browser."""

from __future__ import annotations

from pathlib import Path

import click

from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_judge.report_walk import Walk, walk_report


@click.command()
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@browser_option
@click.option(
    "--pictures",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a picture of the page in each color scheme.",
)
def html_report(page: Path, browser: str, pictures: Path | None) -> None:
    """Open a report that `extlint check` wrote, and use it.

    It is written with `--output-format html:PAGE`, and each of its filters is used.

    The exit code is 1 if a filter shows the wrong findings, or the browser reports an error on the page.
    """

    def ask(browser_name: str, command: str, folder: Path) -> Walk:
        return walk_report(browser_name, command, folder, page.resolve(), pictures)

    walk = query_browser(browser, ask)
    click.echo(f"  {walk.findings} findings")
    report_and_exit(walk.problems)
