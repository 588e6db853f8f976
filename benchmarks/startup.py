"""Measures the time of a run, as a ratio to starting Python: `python benchmarks/startup.py [ROUNDS]`.

The commands take turns, so that a busy moment of the machine affects all of them. "The libraries alone" is
the time to import the libraries that a check requires, in the same way, a lower bound for any run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree, which
from statistics import median
from time import perf_counter

CLEAN = Path(__file__).parent.parent / "examples" / "clean"
LIBRARIES = "import sys; sys.modules['typing_extensions'] = None; import re, msgspec, tree_sitter"
AIMS = {"extlint --version": 4, "a manifest alone": 6, "a small clean extension": 7}


def main(rounds: int) -> None:
    """Prints the median time of each command, and its ratio to `python -c pass`."""
    with tempfile.TemporaryDirectory() as folder:
        manifest, clean = Path(folder) / "manifest", Path(folder) / "clean"
        copytree(CLEAN, clean)
        manifest.mkdir()
        for name in ("manifest.json", "icon.png"):
            (manifest / name).write_bytes((CLEAN / name).read_bytes())
        extlint = which("extlint", path=str(Path(sys.executable).parent)) or sys.exit(
            "extlint is not installed beside this Python: pip install -e ."
        )
        times = measure(
            {
                "python -c pass": [sys.executable, "-c", "pass"],
                "the libraries alone": [sys.executable, "-c", LIBRARIES],
                "extlint --version": [extlint, "--version"],
                "a manifest alone": [extlint, "check", str(manifest), "--ignore", "missing-file"],
                "a small clean extension": [extlint, "check", str(clean)],
            },
            rounds,
        )
    base = times["python -c pass"]
    for name, seconds in times.items():
        aim = f"  (aim: {AIMS[name]})" if name in AIMS else ""
        print(f"{name:25} {seconds * 1000:7.1f} ms {seconds / base:6.1f}{aim}")


def measure(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """Returns the median time of each command, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            start = perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times[name].append(perf_counter() - start)
    return {name: median(found) for name, found in times.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
