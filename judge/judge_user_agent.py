"""Asks a real browser for its user agent, and whether extlint knows it: `extlint/judgment/agents.py`.

Usage: `python judge/judge_user_agent.py --browser firefox|chromium`. Where there is no such browser it does
nothing, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from browsers import COMMANDS, BrowserError, find, version_of
from extlint.judgment.agents import AGENTS
from extlint.schema.target import FACTS_OF
from judge_seen_manifest import seen

EXPRESSION = "navigator.userAgent"


def mistakes(browser: str, agent: str) -> Iterator[str]:
    """A line for each text of which extlint says something else than the browser."""
    known = AGENTS[FACTS_OF["chromium" if browser == "chromium" else "firefox"]]
    for text in sorted(known.has):
        if text not in agent:
            yield f"there is no {text!r} in it"
    for text in sorted(known.lacks):
        if text in agent:
            yield f"there is {text!r} in it"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if extlint says something else, 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser for its user agent.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    options = parser.parse_args(arguments)
    command = find(options.browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            agent = str(seen(options.browser, command, Path(folder), EXPRESSION))
        except BrowserError as error:
            print(f"judge: {error}", file=sys.stderr)
            return 2
    print(f"{options.browser} {version_of(command)}\n  {agent}")
    found = [*mistakes(options.browser, agent)]
    for line in found:
        print(f"  {line}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
