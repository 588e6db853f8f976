"""Measures the cost of a large file of rules, as a ratio to `json.loads`: `python
benchmarks/rule_files.py [FILE...]`.

Without a file, files of three megabytes are generated: a valid one, one with one mistake, and one with a
mistake in every rule. Times are processor time, the best of several rounds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from extlint.checks.request_rules import mistakes_in
from extlint.project.contexts.json_files import JsonFile, JsonKind

RULES = 13_000
ROUNDS = 5
TARGETS = ("reference", "firefox", "chrome")


def main(paths: list[str]) -> None:
    """Prints the cost of each file, in milliseconds and as a ratio."""
    files = {Path(path).name: Path(path).read_bytes() for path in paths} or generated_files()
    for name, data in files.items():
        base = best(partial(json.loads, data))
        print(f"{name}: {len(data) / 1e6:.1f} MB, json.loads {base * 1e3:.0f} ms")
        print_time("value", best(partial(value_of, data)), base)
        for target in TARGETS:
            mistakes = list(mistakes_in(read(data).value, target))
            print_time(f"judged, {target}", best(partial(check_file, data, target)), base)
            if mistakes:
                print(f"{'':28} {len(mistakes)} mistakes with their places")


def generated_files() -> dict[str, bytes]:
    """Returns files of rules, by description."""
    rules = [rule(number) for number in range(1, RULES + 1)]
    one = [*rules[:-1], {**rules[-1], "priority": 0}]
    return {
        "no mistake": json.dumps(rules).encode(),
        "one mistake, at the end": json.dumps(one).encode(),
        "one in every rule": json.dumps([{**each, "priority": 0} for each in rules]).encode(),
    }


def rule(number: int) -> dict[str, Any]:
    """Returns a rule like those of content blockers."""
    domains = [f"site{number * 7 + each}.example" for each in range(2)]
    condition = {
        "urlFilter": f"||ads{number}.example^",
        "initiatorDomains": domains,
        "domainType": "thirdParty",
    }
    return {
        "id": number,
        "priority": 1,
        "action": {"type": "block"},
        "condition": {**condition, "resourceTypes": ["script", "image", "xmlhttprequest"]},
    }


def read(data: bytes) -> JsonFile:
    """Returns the file, before any analysis."""
    return JsonFile("rules.json", data, JsonKind.RULES)


def value_of(data: bytes) -> object:
    """Returns the value in the file."""
    return read(data).value


def check_file(data: bytes, target: str) -> None:
    """Does all the work of a run on a file of rules."""
    file = read(data)
    assert file.problem is None
    assert not file.duplicates
    for mistake in mistakes_in(file.value, target):
        file.span_at(mistake.steps, at_key=mistake.at_key)


def best(run: Callable[[], object]) -> float:
    """Returns the shortest time of several runs, in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


def print_time(what: str, seconds: float, base: float) -> None:
    print(f"  {what:25} {seconds * 1e3:7.0f} ms {seconds / base:6.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
