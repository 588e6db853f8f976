"""Measures the savings of the cache: `python benchmarks/cached.py PATH...`.

For each path, an extension or a folder of many: the processor time of a run without the cache, of one that
fills an empty cache, of a second one, and of one after a line was added to a script that names the API; the
ratio of each to the run without; and the contents of the cache afterwards. It fails if their outputs differ.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from costs.process import CommandFailed, Cost, cost_of

from extlint.analysis.cache.cache import VARIABLE

EXTLINT = [sys.executable, "-m", "extlint", "check", "--output-format", "json"]
COLUMNS = ("none", "filled", "second", "changed")
LINE = b"\n// one line more\n"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    print(
        f"{'':24}{'none s':>8}"
        + "".join(f"{name:>9}{'x':>7}" for name in COLUMNS[1:])
        + f"{'files':>8}{'KB':>8}"
    )
    for path in options.path:
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / path.name
            shutil.copytree(path, own, symlinks=True)
            try:
                print(line(path.name, *best(own, options.rounds)), flush=True)
            except CommandFailed as error:
                sys.exit(str(error))


def best(path: Path, rounds: int) -> tuple[dict[str, float], list[int]]:
    """Returns the lowest seconds of each kind of run, and the sizes of the files in the cache at the end."""
    seconds = dict.fromkeys(COLUMNS, float("inf"))
    sizes: list[int] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            os.environ[VARIABLE] = cache
            for name, cost in zip(COLUMNS, _round(path), strict=True):
                seconds[name] = min(seconds[name], cost.cpu)
            sizes = [each.stat().st_size for each in Path(cache).rglob("*.answer")]
    return seconds, sizes


def _round(path: Path) -> Iterator[Cost]:
    plain = _run(path, "--no-cache")
    yield plain
    for _ in range(2):
        yield _check_same(_run(path), plain, path)
    script = next((each for each in sorted(path.rglob("*.js")) if b"browser." in each.read_bytes()), None)
    before = b"" if script is None else script.read_bytes()
    if script is not None:
        script.write_bytes(before + LINE)
    changed = _run(path)
    yield _check_same(changed, _run(path, "--no-cache"), path)
    if script is not None:
        script.write_bytes(before)


def _run(path: Path, *options: str) -> Cost:
    return cost_of([*EXTLINT, str(path), *options], (0, 1))


def _check_same(cost: Cost, other: Cost, path: Path) -> Cost:
    if cost.output != other.output:
        raise CommandFailed(f"with the cache a run prints something else of {path}")
    return cost


def line(name: str, seconds: dict[str, float], sizes: list[int]) -> str:
    """Returns one line of the table."""
    plain = seconds["none"]
    ratios = "".join(f"{seconds[each]:9.2f}{seconds[each] / plain:7.3f}" for each in COLUMNS[1:])
    return f"{name:24}{plain:8.2f}{ratios}{len(sizes):8}{sum(sizes) / 1000:8.0f}"


if __name__ == "__main__":
    main()
