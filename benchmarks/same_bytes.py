"""Checks that the same extension gives the same bytes: `python benchmarks/same_bytes.py EXTENSION...`.

Each extension is checked once as usual, and then in each variation in `VARIATIONS`, every run in its own
process. Prints the variations in which the output, the errors or the exit status differ. `--together` checks
all extensions in one run for each variation, which is quicker.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

FORCE_WORKERS = """
from extlint.checking import jobs
from extlint.program import parallel_analysis
jobs.MIN_WEIGHT_FOR_WORKER = jobs.MIN_WEIGHT_TO_DIVIDE = 1
parallel_analysis.MIN_BYTES, parallel_analysis.MAX_SHARE = 1, 1.0
"""
"""Makes workers do as much as possible, however small the work is."""

FORCE_CACHE = """
from extlint.analysis.cache import cache
cache.MIN_BYTES = 1
"""
"""Makes the cache store even small results."""

REVERSED_LISTING = """
import os
from contextlib import contextmanager
scandir = os.scandir
@contextmanager
def backward(path):
    with scandir(path) as entries:
        yield iter(sorted(entries, key=lambda each: each.name, reverse=True))
os.scandir = backward
"""
"""Makes folders list their files in reverse order."""

START = "import sys\nfrom extlint.cli.main import main\nif __name__ == '__main__': sys.exit(main())\n"
MAX_SECONDS = 1800


class Variation(NamedTuple):
    """The differences of a run from the usual one. `before` is code that runs before it."""

    options: Sequence[str] = ()
    environment: Mapping[str, str] = {}
    before: str = ""
    folder: str | None = None
    cache: str = ""


BASELINE = Variation(("--no-cache", "--jobs", "1"), {"PYTHONHASHSEED": "0"})
VARIATIONS: Mapping[str, Variation] = {
    "another hash seed": BASELINE._replace(environment={"PYTHONHASHSEED": "1"}),
    "workers": BASELINE._replace(options=("--no-cache", "--jobs", "3"), before=FORCE_WORKERS),
    "a cold cache": BASELINE._replace(options=("--jobs", "1"), before=FORCE_CACHE, cache="a"),
    "a warm cache": BASELINE._replace(options=("--jobs", "1"), before=FORCE_CACHE, cache="a"),
    "workers and a cache": BASELINE._replace(
        options=("--jobs", "2"), before=FORCE_WORKERS + FORCE_CACHE, cache="b"
    ),
    "folders that list backward": BASELINE._replace(before=REVERSED_LISTING),
    "the C locale": BASELINE._replace(environment={"LC_ALL": "C"}),
    "the UTF-8 mode": BASELINE._replace(environment={"PYTHONUTF8": "1"}),
    "Turkish": BASELINE._replace(environment={"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
    "another time zone": BASELINE._replace(environment={"TZ": "Pacific/Kiritimati"}),
    "another working folder": BASELINE._replace(folder="/"),
}
ARCHIVES = "an archive in another order"


class Result(NamedTuple):
    """The result of a run."""

    status: int
    output: bytes
    errors: bytes


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="+", help="a folder or archive")
    parser.add_argument("--together", action="store_true", help="check all of them in one run")
    options = parser.parse_args()
    groups = [options.extension] if options.together else [[each] for each in options.extension]
    wrong = 0
    for paths in groups:
        for way in differences(paths):
            wrong += 1
            print(f"{' '.join(paths)}: {way}", flush=True)
    checks = len(VARIATIONS) + 1
    print(f"{len(options.extension)} extensions, each in {checks} ways: {wrong} differences")
    sys.exit(1 if wrong else 0)


def differences(paths: Sequence[str]) -> Iterator[str]:
    """Yields the variations in which the extensions at these paths have a different result."""
    wholes = [str(Path(each).absolute()) for each in paths]
    with TemporaryDirectory() as caches:
        expected = run(wholes, BASELINE, caches)
        for name, way in VARIATIONS.items():
            if run(wholes, way, caches) != expected:
                yield name
        for path in wholes:
            if len({run([str(each)], BASELINE, caches) for each in archives(Path(path))}) > 1:
                yield ARCHIVES


def run(paths: Sequence[str], way: Variation, caches: str) -> Result:
    """Checks extensions in a separate process."""
    environment = {"EXTLINT_CACHE_DIR": str(Path(caches, way.cache)), **way.environment}
    with TemporaryDirectory() as folder:
        program = Path(folder, "run.py")
        program.write_text(way.before + START)
        found = subprocess.run(
            [sys.executable, str(program), "check", "--output-format", "json", *way.options, *paths],
            capture_output=True,
            cwd=way.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
            check=False,
            timeout=MAX_SECONDS,
        )
    return Result(found.returncode, found.stdout, found.stderr)


def archives(folder: Path) -> Iterator[Path]:
    """Yields an archive of an extension's files, in one order and then, at the same path, in reverse
    order.
    """
    if not (folder / "manifest.json").is_file():
        return
    files = sorted(each for each in folder.rglob("*") if each.is_file() and ".git" not in each.parts)
    with TemporaryDirectory() as place:
        archive = Path(place, "packed.zip")
        for ordered in (files, files[::-1]):
            with zipfile.ZipFile(archive, "w", strict_timestamps=False) as opened:
                for file in ordered:
                    opened.write(file, file.relative_to(folder).as_posix())
            yield archive


if __name__ == "__main__":
    main()
