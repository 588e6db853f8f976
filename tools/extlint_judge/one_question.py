"""Commands that put one question to one browser, and print what it said."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from extlint_judge.browsers import COMMANDS, BrowserError, find, version_of

Answer = TypeVar("Answer")


def put(
    description: str,
    arguments: Sequence[str] | None,
    ask: Callable[[str, str, Path], Answer],
    tell: Callable[[str, Answer], int],
) -> int:
    """Asks the browser that `--browser` names: the exit code that `tell` gives, 2 if the browser fails.

    `ask` gets the browser, its command and an empty folder; `tell` prints what it answered, below the
    line that names the browser. Where there is no such browser nothing is asked, and the code is 0.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    browser = parser.parse_args(arguments).browser
    command = find(browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[browser])}, so nothing is judged")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            answer = ask(browser, command, Path(folder))
        except BrowserError as error:
            print(f"judge: {error}", file=sys.stderr)
            return 2
    print(f"{browser} {version_of(command)}")
    return tell(browser, answer)
