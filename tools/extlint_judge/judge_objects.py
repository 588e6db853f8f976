"""Asks a real browser what the objects have that its API gives, and compares that with the facts.

Usage: `python -m extlint_judge objects --browser firefox|chromium [--record FILE] [--write]`, or
`--recorded FILE` in place of the browser. An extension that plays scenes makes as much happen as can be made
to happen without a person. Where there is no such browser it does nothing, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from extlint_facts import observed
from extlint_facts.result_places import Namespaces
from extlint_judge import compare_objects, explained, observations, observe_chromium, observe_firefox
from extlint_judge.browsers import COMMANDS, BrowserError, facts_target, find, version_of
from extlint_judge.differences import grouped, lines
from extlint_judge.extensions import PRIVILEGED
from extlint_judge.facts import permissions_of, schemas_of
from extlint_judge.stage import callbacks_of, manifest_of
from extlint_schemas import load

ROWS = Path(__file__).with_name("explained_objects.json")

RUNS = {"firefox": ((3, False), (2, True)), "chromium": ((3, False), (3, True))}
"""The manifest versions with which scenes are played, and whether functions are called with callbacks."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a difference has no reason, 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser what the objects of its API have.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what was seen")
    parser.add_argument("--recorded", type=Path, metavar="FILE", help="compare what was seen before")
    parser.add_argument("--write", action="store_true", help="write what the facts lack down")
    options = parser.parse_args(arguments)
    command = find(options.browser)
    if options.recorded is not None:
        found = observations.read(options.recorded)
    elif command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    else:
        began = time.monotonic()
        try:
            found = asked(options.browser, command)
        except BrowserError as error:
            print(f"judge: {error}", file=sys.stderr)
            return 2
        print(f"{found.browser} {found.version}, {time.monotonic() - began:.0f} seconds")
    for line in found.unseen:
        print(f"  not seen: {line}")
    if options.record is not None:
        observations.write(found, options.record)
    return compare(found, options.write)


def asked(browser: str, command: str) -> observations.Observed:
    """Everything that was seen in all runs. Raises BrowserError."""
    permissions = sorted(set(permissions_of(browser)) - (PRIVILEGED if browser == "firefox" else set()))
    schemas = schemas_of(browser)
    runs = [
        (manifest_of(browser, version, permissions), callbacks_of(schemas, version) if called_back else [])
        for version, called_back in RUNS[browser]
    ]
    unseen: list[str] = []
    play = observe_firefox.told if browser == "firefox" else observe_chromium.told
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        told = list(play(command, runs, Path(name), unseen))
    unseen += (f"{scene}: {why}" for each in told for scene, why in each.stuck.items())
    return observations.Observed(browser, version_of(command), observations.merged(told), unseen)


def compare(found: observations.Observed, write: bool) -> int:
    """Tells what differs; the exit code is 1 if some of it has no reason and is not written."""
    namespaces = Namespaces(load(facts_target(found.browser)))
    result = compare_objects.compared(found, namespaces)
    sorted_ = explained.sort(result.compared.different, explained.rows(found.browser, ROWS))
    objects = namespaces.objects()
    print(f"{len(found.seen)} members gave something, {result.compared.number} fields compared")
    print(f"objects of {len(result.seen)} types seen, of {len(objects)} that the facts describe")
    for why, differences in sorted_.explained.items():
        print(f"{len(differences)} explained: {why}")
    for idle in sorted_.idle:
        print(f"explains nothing: {', '.join(idle.at)}: {idle.why}")
    told = list(lines(grouped(sorted_.open)))
    print(f"{len(sorted_.open)} without a reason, {len(told)} when those alike are counted once")
    for line in told:
        print(f"  {line}")
    if not write:
        return 1 if sorted_.open else 0
    wrong = {each.path for each in sorted_.open}
    fields = {
        at: {name: node for name, node in more.items() if f"{at}.{name}" in wrong}
        for at, more in result.fields.items()
    }
    every = {row.browser: row for row in observed.rows()}
    target = facts_target(found.browser)
    command = f"python -m extlint_judge objects --browser {found.browser} --write"
    before = every.get(target, observed.Row(target, "", ""))
    row = observed.Row(target, found.version, command, before.seen, before.fields)
    every[target] = observed.merged(row, result.seen, {at: more for at, more in fields.items() if more})
    observed.write(every.values())
    print(f"{sum(map(len, fields.values()))} fields written; now run extlint_facts renew")
    return 0
