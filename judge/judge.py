"""Asks a real browser what extensions have, and compares that with the facts.

Usage: `python judge/judge.py --browser firefox|chromium [--record FILE] [--compare]`. Where there is no
such browser it does nothing, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import ask_chromium
import ask_firefox
from browsers import COMMANDS, BrowserError, find, version_of
from extensions import cases
from facts import permissions_of
from record import Place, Record, write


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser what extensions have.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what was seen")
    options = parser.parse_args(arguments)
    command = find(options.browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    began = time.monotonic()
    try:
        record = asked(options.browser, command)
    except BrowserError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    print(f"{options.browser} {record.version}: {len(record.places)} contexts seen")
    for line in record.unseen:
        print(f"  not seen: {line}")
    print(f"{time.monotonic() - began:.0f} seconds")
    if options.record is not None:
        write(record, options.record)
    return 0


def asked(browser: str, command: str) -> Record:
    """Everything that a browser is asked. Raises BrowserError."""
    unseen: list[str] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        places = list(_places(browser, command, Path(folder), unseen))
    return Record(browser, version_of(command), places, [], unseen)


def _places(browser: str, command: str, folder: Path, unseen: list[str]) -> Iterator[Place]:
    wanted = cases(browser, permissions_of(browser))
    if browser == "chromium":
        yield from ask_chromium.places(command, wanted, folder, unseen)
        return
    with ask_firefox.firefox(command, folder) as session:
        yield from ask_firefox.places(session, wanted, folder / "extension", unseen)


if __name__ == "__main__":
    sys.exit(main())
