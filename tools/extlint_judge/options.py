"""Code shared by the subcommands: options, the choice of the browser, and its failures."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from extlint_judge.browsers.processes import COMMANDS, BrowserError, find, version_of

Answer = TypeVar("Answer")

_FILE = click.Path(dir_okay=False, path_type=Path)

browser_option = click.option(
    "--browser", type=click.Choice(sorted(COMMANDS)), required=True, help="The browser to ask."
)
record_option = click.option("--record", type=_FILE, metavar="FILE", help="Write what the browser said.")
recorded_option = click.option(
    "--recorded",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Start no browser: read what --record wrote.",
)
write_option = click.option("--write", is_flag=True, help="Write what is new into extlint_facts.")


def command_of(browser: str) -> str:
    """Returns the path of a browser's command. If it is not installed, prints that and exits with code 0."""
    command = find(browser)
    if command is None:
        click.echo(f"{' or '.join(COMMANDS[browser])} is not installed, so nothing is asked")
        exit_with(0)
    return command


@contextmanager
def workspace() -> Iterator[Path]:
    """Yields an empty folder. If the browser fails in it, prints the reason and exits with code 2."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        except BrowserError as error:
            click.echo(f"extlint_judge: {error}", err=True)
            exit_with(2)


def query_browser(browser: str, query: Callable[[str, str, Path], Answer]) -> Answer:
    """Returns the result of one query, after printing a line that names the browser.

    `query` is called with the browser, its command and an empty folder.
    """
    command = command_of(browser)
    with workspace() as folder:
        answer = query(browser, command, folder)
    click.echo(f"{browser} {version_of(command)}")
    return answer


def exit_with(code: int) -> NoReturn:
    """Exits with the given code."""
    click.get_current_context().exit(code)


def report_and_exit(disagreements: Iterable[str]) -> NoReturn:
    """Prints the disagreements of extlint with the browser, and exits with code 1 if there are any."""
    found = [*disagreements]
    for line in found:
        click.echo(f"  {line}")
    exit_with(1 if found else 0)
