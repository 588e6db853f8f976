"""Asks a real browser what it says to manifests, and compares that with what extlint says.

Usage: `python -m extlint_judge manifests --browser firefox|chromium [--record FILE] [--recorded FILE]`.
Where there is no such browser it does nothing, and says so. Chromium takes minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from extlint_judge import explained
from extlint_judge.ask_manifests import chromium_verdicts, firefox_verdicts
from extlint_judge.browsers import COMMANDS, BrowserError, facts_target, find, version_of
from extlint_judge.compare_manifests import compared
from extlint_judge.differences import grouped, lines
from extlint_judge.manifest_probes import Probe, Probes
from extlint_judge.manifest_verdicts import Verdict
from extlint_judge.name_probes import name_probes
from extlint_judge.syntax_probes import syntax_probes
from extlint_schemas import json_schema

REASONS = Path(__file__).with_name("explained_manifests.json")

VERSIONS = {"firefox": (2, 3), "chromium": (3,)}
"""The manifest versions that each browser loads."""

ASK = {"firefox": firefox_verdicts, "chromium": chromium_verdicts}

SHOWN = 300
"""So many differences without a reason are shown."""


LEAST = {"name": "judge", "version": "1.0"}


class Answers(Struct, frozen=True):
    """What a browser said to every probe."""

    browser: str
    version: str
    asked: list[tuple[Probe, Verdict]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a difference has no reason, 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser what it says to manifests.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what it said")
    parser.add_argument("--recorded", type=Path, metavar="FILE", help="ask nothing: take what was recorded")
    options = parser.parse_args(arguments)
    if options.recorded is not None:
        return compare(msgspec.json.decode(options.recorded.read_bytes(), type=Answers))
    command = find(options.browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    began = time.monotonic()
    try:
        answers = asked(options.browser, command)
    except BrowserError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    print(f"{answers.browser} {answers.version}, {time.monotonic() - began:.0f} seconds")
    if options.record is not None:
        options.record.write_bytes(msgspec.json.encode(answers))
    return compare(answers)


def asked(browser: str, command: str) -> Answers:
    """The answers of a browser to every probe. Raises BrowserError."""
    made = list(probes(browser))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        verdicts = list(ASK[browser](command, (each.manifest for each in made), Path(name)))
    return Answers(browser, version_of(command), list(zip(made, verdicts, strict=True)))


def probes(browser: str) -> Iterator[Probe]:
    """The probes of every manifest version that a browser loads."""
    target = facts_target(browser)
    for version in VERSIONS[browser]:
        yield from Probes(json_schema(f"manifests/{target}_{version}"), version).all()
        yield from name_probes(target, version)
    yield from syntax_probes(3)
    for each in (1, 2, 3, 4):
        yield Probe("manifest_version", str(each), {**LEAST, "manifest_version": each})


def compare(answers: Answers) -> int:
    """Tells what differs; the exit code is 1 if some of it has no reason."""
    with tempfile.TemporaryDirectory() as name:
        found = compared(answers.asked, facts_target(answers.browser), Path(name) / "extension")
    print(f"manifests: {found.number} compared, {len(found.different)} differ")
    sorted_out = explained.sort(found.different, explained.rows(answers.browser, REASONS))
    for why, differences in sorted_out.explained.items():
        print(f"{len(differences)} explained: {why}")
    for row in sorted_out.idle:
        print(f"explains nothing: {', '.join(row.at)}: {row.why}")
    left = list(lines(grouped(sorted_out.open)))
    print(f"{len(sorted_out.open)} without a reason, {len(left)} when those alike are counted once")
    for line in left[:SHOWN]:
        print(f"  {line}")
    return 1 if sorted_out.open else 0
