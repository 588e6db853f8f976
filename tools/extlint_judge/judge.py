"""Asks a real browser what extensions have, and compares that with the facts.

Usage: `python -m extlint_judge members --browser firefox|chromium [--record FILE] [--compare]`. Where there
is no such browser it does nothing, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from extlint_judge import ask_chromium, ask_firefox, compare_calls, compare_enums, compare_members, explained
from extlint_judge.browsers import COMMANDS, BrowserError, find, version_of
from extlint_judge.calls import Call, calls
from extlint_judge.differences import Compared, grouped, lines
from extlint_judge.extensions import cases, full
from extlint_judge.facts import limits_of, permissions_of, schemas_of
from extlint_judge.record import Record, write

SHOWN = 300
"""So many differences without a reason are shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a difference has no reason, 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser what extensions have.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what was seen")
    parser.add_argument("--compare", action="store_true", help="compare it with the facts")
    options = parser.parse_args(arguments)
    command = find(options.browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    began = time.monotonic()
    made = list(calls(schemas_of(options.browser), refused_only=options.browser == "chromium"))
    try:
        record = asked(options.browser, command, made)
    except BrowserError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    print(f"{options.browser} {record.version}, {time.monotonic() - began:.0f} seconds")
    print(f"{len(record.places)} contexts seen, {len(record.answers)} calls answered")
    for line in record.unseen:
        print(f"  not seen: {line}")
    if options.record is not None:
        write(record, options.record)
    return compare(record, made) if options.compare else 0


def asked(browser: str, command: str, made: Sequence[Call]) -> Record:
    """Everything that a browser is asked. Raises BrowserError."""
    unseen: list[str] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        wanted = cases(browser, permissions_of(browser))
        if browser == "chromium":
            places = list(ask_chromium.places(command, wanted, folder, unseen))
            manifest = full(browser, 3, permissions_of(browser))
            answers = list(ask_chromium.answers(command, made, manifest, folder))
        else:
            with ask_firefox.firefox(command, folder) as session:
                places = list(ask_firefox.places(session, wanted, folder / "extension", unseen))
                answers = list(ask_firefox.answers(session, made))
    return Record(browser, version_of(command), places, answers, unseen)


def compare(record: Record, made: Sequence[Call]) -> int:
    """Tells what differs; the exit code is 1 if some of it has no reason."""
    schemas = schemas_of(record.browser)
    members = compare_members.compared(record, schemas, limits_of(record.browser))
    constants = compare_enums.compared(record, schemas)
    answers = compare_calls.compared(record, made, schemas)
    print(f"members in contexts: {_numbers(members)}")
    print(f"constants of enumerations: {_numbers(constants)}")
    print(f"calls: {_numbers(answers)}")
    different = [*members.different, *constants.different, *answers.different]
    found = explained.sort(different, explained.rows(record.browser))
    for why, differences in found.explained.items():
        print(f"{len(differences)} explained: {why}")
    for row in found.idle:
        print(f"explains nothing: {', '.join(row.at)}: {row.why}")
    left = list(lines(grouped(found.open)))
    print(f"{len(found.open)} without a reason, {len(left)} when those alike are counted once")
    for line in left[:SHOWN]:
        print(f"  {line}")
    return 1 if found.open else 0


def _numbers(compared: Compared) -> str:
    alike = len(grouped(compared.different))
    return f"{compared.number} compared, {len(compared.different)} differ, {alike} of them unlike"
