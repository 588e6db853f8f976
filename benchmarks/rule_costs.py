"""Measures what rules add to a run: `python benchmarks/rule_costs.py --rules RULE,RULE EXTENSION...`.

For each extension: the cost of `extlint check` without the rules and with them, and what they add, as a part
of the run without them. The unit is a second of processor time, the least of several rounds that take turns;
with `--instructions`, a million instructions, which Valgrind counts. These hardly depend on what else the
machine does, and take fifty times as long. `--each` also switches off one rule at a time. The parts do not
add up: a query that two rules share costs nothing more as long as one of them runs.

All other rules run, without a cache and without workers.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from costs.process import CommandFailed, cost_of

CHECK = [sys.executable, "-m", "extlint", "check", "--no-cache", "--jobs", "1", "--output-format", "json"]
STATUSES = (0, 1)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="+", help="a folder or archive")
    parser.add_argument("--rules", required=True, help="the names of the rules, with commas between them")
    parser.add_argument("--each", action="store_true", help="also switch off one rule at a time")
    parser.add_argument("--instructions", action="store_true", help="count instructions with Valgrind")
    parser.add_argument("--rounds", type=int, default=3, help="of processor times")
    options = parser.parse_args()
    names = options.rules.split(",")
    ignored = [options.rules, *(names if options.each and len(names) > 1 else ())]
    cost, rounds = (instructions, 1) if options.instructions else (seconds, options.rounds)
    print(f"{'':40}{'without':>12}{'with':>12}{'share':>9}")
    for extension in options.extension:
        try:
            print("\n".join(lines(extension, ignored, measure(extension, ignored, cost, rounds))), flush=True)
        except CommandFailed as error:
            sys.exit(str(error))


def measure(
    extension: str, ignored: Sequence[str], cost: Callable[[Sequence[str]], float], rounds: int
) -> list[float]:
    """Returns the lowest cost of a run with all rules, and of a run without each of these lists of rules."""
    commands = [[*CHECK, extension], *([*CHECK, "--ignore", each, extension] for each in ignored)]
    return [
        min(each) for each in zip(*([cost(each) for each in commands] for _ in range(rounds)), strict=True)
    ]


def seconds(command: Sequence[str]) -> float:
    """Returns the processor time of a command in seconds. Raises CommandFailed."""
    return cost_of(command, STATUSES).cpu


def instructions(command: Sequence[str]) -> float:
    """Returns the number of a command's instructions in millions. Raises CommandFailed."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        counting = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
        done = subprocess.run(
            [*counting, *command],
            env={**os.environ, "PYTHONHASHSEED": "0"},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        found = re.search(r"Collected : (\d+)", log.read_text())
        if done.returncode not in STATUSES or found is None:
            raise CommandFailed(f"exit status {done.returncode} of {' '.join(command)}")
        return int(found[1]) / 1e6


def lines(extension: str, ignored: Sequence[str], costs: Sequence[float]) -> Iterator[str]:
    """Yields a line about all of the rules, and one about each that is switched off while the others run."""
    whole, *others = costs
    for rule, without in zip(ignored, others, strict=True):
        name = Path(extension).name if rule == ignored[0] else f"  {rule}"
        yield f"{name[:39]:40}{without:12.3f}{whole:12.3f}{whole / without - 1:9.1%}"


if __name__ == "__main__":
    main()
