"""Queries the user agent of a real browser, and whether extlint knows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from extlint.checks.reachability.user_agent_tests import USER_AGENTS
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.commands.seen_manifest import evaluate_in_extension
from extlint_judge.options import browser_option, query_browser, report_and_exit

EXPRESSION = "navigator.userAgent"


def disagreements(browser: str, agent: str) -> Iterator[str]:
    """Yields a line for each text where extlint disagrees with the browser."""
    known = USER_AGENTS[ENGINES[browser]]
    for text in sorted(known.always_has):
        if text not in agent:
            yield f"there is no {text!r} in it"
    for text in sorted(known.never_has):
        if text in agent:
            yield f"there is {text!r} in it"


@click.command()
@browser_option
def user_agent(browser: str) -> None:
    """Query the user agent.

    The exit code is 1 if extlint disagrees.
    """
    agent = query_browser(browser, _agent)
    click.echo(f"  {agent}")
    report_and_exit(disagreements(browser, agent))


def _agent(browser: str, command: str, folder: Path) -> str:
    return str(evaluate_in_extension(browser, command, folder, EXPRESSION))
