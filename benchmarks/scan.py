"""Measures scans of a store by the number of workers: `python benchmarks/scan.py STORE [--jobs N]...`.

`benchmarks/store.py` makes a store. The packages per second depend on what else the machine does; the
processor time of a package hardly does. The checksum of the rows must be the same for each number of workers.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pyarrow.parquet import read_table

_COMMAND = (sys.executable, "-m", "extlint")


class Measured(NamedTuple):
    """A scan: its packages, those that were checked, its seconds, and those of processors in all checks."""

    packages: int
    checked: int
    wall: float
    cpu: float
    checksum: str


def measure(store: Path, jobs: int, options: Sequence[str] = ()) -> Measured:
    """Scans a store into a temporary folder. Raises CalledProcessError if the scan fails."""
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        command = [*_COMMAND, "scan", str(store), "--output", folder, "--jobs", str(jobs), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - start
        rows = read_table(Path(folder, "packages"), columns=["status", "seconds"]).to_pydict()
        report = [*_COMMAND, "report", folder, "--checksum"]
        checksum = subprocess.run(report, check=True, capture_output=True, text=True).stdout.strip()
    statuses = rows["status"]
    return Measured(len(statuses), statuses.count("checked"), wall, sum(rows["seconds"]), checksum)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("store", type=Path)
    parser.add_argument("--jobs", type=int, action="append", help="workers; default: 1, then 2")
    parser.add_argument("--limit", type=int, help="the number of packages; default: all")
    options = parser.parse_args()
    limit = [] if options.limit is None else ["--limit", str(options.limit)]
    for jobs in options.jobs or (1, 2):
        found = measure(options.store, jobs, limit)
        print(
            f"{jobs} workers: {found.packages} packages ({found.checked} checked) in {found.wall:.0f} s, "
            f"{found.packages / found.wall:.2f} per second; {found.cpu / found.packages:.3f} s of "
            f"processor time for each; checksum {found.checksum}",
            flush=True,
        )


if __name__ == "__main__":
    main()
