"""Asks a real browser for its user agent, and whether extlint knows it.

Usage: `python -m extlint_judge user-agent --browser firefox|chromium`. Where there is no such browser it does
nothing, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from extlint.checks.availability.user_agent_tests import AGENTS
from extlint_judge.browsers import ENGINES
from extlint_judge.judge_seen_manifest import seen
from extlint_judge.one_question import put

EXPRESSION = "navigator.userAgent"


def mistakes(browser: str, agent: str) -> Iterator[str]:
    """A line for each text of which extlint says something else than the browser."""
    known = AGENTS[ENGINES[browser]]
    for text in sorted(known.has):
        if text not in agent:
            yield f"there is no {text!r} in it"
    for text in sorted(known.lacks):
        if text in agent:
            yield f"there is {text!r} in it"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if extlint says something else, 2 if the browser fails."""
    return put("Asks a real browser for its user agent.", arguments, _agent, _tell)


def _agent(browser: str, command: str, folder: Path) -> str:
    return str(seen(browser, command, folder, EXPRESSION))


def _tell(browser: str, agent: str) -> int:
    print(f"  {agent}")
    found = [*mistakes(browser, agent)]
    for line in found:
        print(f"  {line}")
    return 1 if found else 0
