"""How long a run takes, as a ratio to starting Python: `python benchmarks/startup.py [ROUNDS]`.

The commands take turns, so that a busy moment of the machine falls on all of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from statistics import median
from time import perf_counter

CLEAN = Path(__file__).parent.parent / "examples" / "clean"
AIMS = {"extlint --version": 5, "a small clean extension": 10}


def main(rounds: int) -> None:
    """Prints the median time of each command, and its ratio to `python -c pass`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "manifest.json").write_bytes((CLEAN / "manifest.json").read_bytes())
        (Path(folder) / "icon.png").write_bytes((CLEAN / "icon.png").read_bytes())
        extlint = which("extlint", path=str(Path(sys.executable).parent)) or sys.exit(
            "extlint is not installed beside this Python: pip install -e ."
        )
        times = measure(
            {
                "python -c pass": [sys.executable, "-c", "pass"],
                "extlint --version": [extlint, "--version"],
                "a manifest alone": [extlint, "check", folder, "--ignore", "missing-file"],
                "a small clean extension": [extlint, "check", str(CLEAN)],
            },
            rounds,
        )
    base = times["python -c pass"]
    for name, seconds in times.items():
        aim = f"  (aim: {AIMS[name]})" if name in AIMS else ""
        print(f"{name:25} {seconds * 1000:7.1f} ms {seconds / base:6.1f}{aim}")


def measure(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """The median time of each command, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            start = perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times[name].append(perf_counter() - start)
    return {name: median(found) for name, found in times.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
