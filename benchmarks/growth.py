"""Measures the growth of a run's work: `python benchmarks/growth.py [CURVE...]`.

Each curve generates an extension and doubles it five times. Prints the work at the largest size
(function calls, steps, created nodes, parsed scripts, seconds of processor time), and the exponents of
the growth of calls, steps and seconds: 1 is linear, and a star marks exponents above
1.1. Counts are the same in each run, seconds are not. `--json` prints the measurements at every size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from time import process_time

from curves.inputs import CURVES, Curve, sizes
from curves.work import COUNTS, check, count_work, exponent, seconds

MAX_EXPONENT = 1.1
"""The largest exponent that counts as linear."""

MAX_SECONDS = 4
"""The seconds of processor time after which a curve is not doubled again."""

MAX_SECONDS_OF_PROCESS = 30
"""The seconds of processor time after which a curve is stopped."""

ENOUGH_CALLS = 5000
"""The number of calls, beyond those of an empty extension, below which a curve is not judged."""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("curve", nargs="*", help="a part of the name of a curve; all by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", choices=CURVES, help="for this program's own use")
    options = parser.parse_args()
    if options.measure is not None:
        for row in measure(CURVES[options.measure]):
            print(json.dumps(row), flush=True)
        return
    selected = [name for name in CURVES if not options.curve or any(part in name for part in options.curve)]
    if not options.json:
        print(header())
    for name in selected:
        rows = _in_process(name)
        print(json.dumps({"curve": name, "rows": rows}) if options.json else line(name, rows), flush=True)


def measure(curve: Curve) -> Iterator[dict[str, float]]:
    """Yields the work at each size, in ascending order. The first row is the base, of size 1."""
    check(curve.make(1))
    for size in (1, *sizes(curve)):
        if process_time() > MAX_SECONDS:
            return
        files = curve.make(size)
        yield {"size": size, **count_work(files), "seconds": seconds(files)}


def _in_process(name: str) -> list[dict[str, float]]:
    """Returns the work of one curve, measured in a separate process, up to the time limit."""
    command = [sys.executable, __file__, "--measure", name]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=_limit_cpu, check=False)
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"stopped by signal {-done.returncode}"]
        print(f"{name}: {why[0]}", file=sys.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _limit_cpu() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS_OF_PROCESS, MAX_SECONDS_OF_PROCESS))


def exponents(rows: list[dict[str, float]]) -> dict[str, float]:
    """Returns the exponents of calls, steps and seconds, omitting those that hardly grow."""
    base, *points = rows
    own = [each["size"] for each in points]
    return {
        name: exponent(own, [each[name] for each in points], base[name])
        for name, least in (("calls", ENOUGH_CALLS), ("steps", ENOUGH_CALLS), ("seconds", 0.1))
        if len(points) > 2 and points[-1][name] - base[name] >= least
    }


def header() -> str:
    """Returns the header line."""
    columns = "".join(f"{each:>12}" for each in (*COUNTS, "seconds"))
    return f"{'':34}{'size':>8}{columns}" + "".join(f"{each:>9}" for each in ("calls^", "steps^", "sec.^"))


def line(name: str, rows: list[dict[str, float]]) -> str:
    """Returns the work of one curve at its largest size, the exponents, and a star if it is not linear."""
    if len(rows) < 4:
        return f"{name:34} takes more than {MAX_SECONDS} seconds at less than three sizes  *"
    found, last = exponents(rows), rows[-1]
    numbers = "".join(f"{last[each]:12,.0f}" for each in COUNTS) + f"{last['seconds']:12.2f}"
    grown = "".join(
        f"{found[each]:9.2f}" if each in found else f"{'':9}" for each in ("calls", "steps", "seconds")
    )
    straight = all(value <= MAX_EXPONENT for each, value in found.items() if each != "seconds")
    return f"{name:34}{last['size']:8.0f}{numbers}{grown}{'' if straight else '  *'}"


if __name__ == "__main__":
    main()
