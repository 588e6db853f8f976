"""Measures the cost of extlint and its growth: `python benchmarks/cost.py EXTENSION...`.

For each path: the processor time and its sections, in the best of several rounds; then the growth of
API resolution with the uses of the API and with bytes. With `--against`, another checkout
alternates with this one, each in its own process, so that a busy machine slows down both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from costs.growth import measure_inert_code, partial_correlation, rank_correlation
from costs.measure import SECTIONS, Costs, counts, groups_at, keep_better, times

HERE = Path(__file__).resolve().parent.parent
COUNTS = ("extensions", "scripts", "bytes", "parsed", "parsed bytes", "uses", "steps")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="*", help="a folder or archive")
    parser.add_argument("--list", type=Path, help="a JSON file: a list of objects with a `path`")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, help="the folder of another checkout")
    parser.add_argument("--times-as-json", action="store_true", help="the times alone, for other programs")
    options = parser.parse_args()
    paths = list(options.extension)
    if options.list is not None:
        paths += [each["path"] for each in json.loads(options.list.read_bytes())]
    groups = {path: own for path, own in groups_at(list(dict.fromkeys(paths))).items() if own}
    if options.times_as_json:
        print(json.dumps(times(groups, options.rounds)))
    elif options.against is not None:
        ours, theirs = alternating_times(list(groups), options.rounds, options.against)
        print("\n".join(ratios(ours, theirs)))
    else:
        print("\n".join([*table(times(groups, options.rounds), counts(groups)), *inert_code_table()]))


def alternating_times(paths: Sequence[str], rounds: int, other: Path) -> tuple[Costs, Costs]:
    """Returns the best times of this checkout and of another one, which take turns."""
    best: tuple[Costs, Costs] = ({}, {})
    for _ in range(rounds):
        for root, into in zip((HERE, other), best, strict=True):
            for path, now in _in_process(root, paths).items():
                keep_better(into, path, now)
    return best


def _in_process(root: Path, paths: Sequence[str]) -> Costs:
    folders = os.pathsep.join(str(root / each) for each in ("linter", "rules", "schemas"))
    own = root / "benchmarks" / "cost.py"
    script = str(own) if own.exists() else __file__
    command = [sys.executable, script, "--rounds", "1", "--times-as-json", *paths]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": folders}, stdout=subprocess.PIPE, check=True
    )
    found: Costs = json.loads(done.stdout)
    return found


def ratios(ours: Costs, theirs: Costs) -> Iterator[str]:
    """Yields the times of this checkout in milliseconds, and each as a ratio to the other checkout's."""
    columns = (*SECTIONS, "total")
    yield f"{'milliseconds (ratio)':40}" + "".join(f"{each:>18}" for each in columns)
    for path in [*sorted(ours, key=lambda path: -ours[path]["total"]), "all"]:
        line = f"{_name(path):40}"
        for column in columns:
            own, other = (_total(costs, path, column) for costs in (ours, theirs))
            ratio = f"({own / other:.2f})" if other > 0.002 else ""
            line += f"{own * 1000:11.1f} {ratio:6}"
        yield line.rstrip()


def _total(costs: Costs, path: str, column: str) -> float:
    return sum(each[column] for each in costs.values()) if path == "all" else costs[path][column]


def table(spent: Costs, done: Costs) -> Iterator[str]:
    """Yields the times and counts of each path, and the growth of the steps."""
    yield f"{'':40}" + "".join(f"{each:>13}" for each in COUNTS)
    for path in [*sorted(spent, key=lambda path: -spent[path]["total"]), "all"]:
        row = [
            sum(each.get(column, 0) for each in done.values()) if path == "all" else done[path].get(column, 0)
            for column in COUNTS
        ]
        yield f"{_name(path):40}" + "".join(f"{each:13.0f}" for each in row)
    yield ""
    columns = (*SECTIONS, "total")
    yield f"{'milliseconds':40}" + "".join(f"{each:>11}" for each in columns)
    for path in [*sorted(spent, key=lambda path: -spent[path]["total"]), "all"]:
        yield f"{_name(path):40}" + "".join(f"{_total(spent, path, each) * 1000:11.1f}" for each in columns)
    yield ""
    yield from _growth(done)


def _growth(done: Costs) -> Iterator[str]:
    rows = [each for each in done.values() if each.get("uses")]
    steps, uses, size = ([row.get(column, 0) for row in rows] for column in ("steps", "uses", "bytes"))
    if len(rows) < 3:
        return
    by_uses, by_bytes = rank_correlation(steps, uses), rank_correlation(steps, size)
    both = rank_correlation(uses, size)
    yield f"rank correlation of steps with API uses {by_uses:.2f}, with bytes {by_bytes:.2f}"
    yield (
        f"with API uses once bytes are accounted for {partial_correlation(by_bytes, by_uses, both):.2f},"
        f" with bytes once API uses are {partial_correlation(by_uses, by_bytes, both):.2f}"
    )
    for_use, for_kilobyte = sum(steps) / sum(uses), 1000 * sum(steps) / sum(size)
    yield f"steps for each API use {for_use:.0f}, for each kilobyte {for_kilobyte:.0f}"


def inert_code_table() -> Iterator[str]:
    """Yields the cost of code unrelated to the API, next to code that uses it."""
    yield ""
    columns = ("bytes", "uses", "steps")
    sections = ("prefilter", "parse", "resolve", "total")
    yield f"{'':40}" + "".join(f"{each:>13}" for each in (*columns, *(f"{each} ms" for each in sections)))
    rows: Mapping[str, Mapping[str, float]] = measure_inert_code((0, 1, 10, 100))
    for name, row in rows.items():
        numbers = "".join(f"{row[each]:13.0f}" for each in columns)
        yield f"{name:40}" + numbers + "".join(f"{row[each] * 1000:13.1f}" for each in sections)


def _name(path: str) -> str:
    parts = Path(path).parts
    return "/".join(parts[-2:])[-38:]


if __name__ == "__main__":
    main()
