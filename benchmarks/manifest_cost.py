"""Measures the cost of a manifest: `python benchmarks/manifest_cost.py FOLDER...`.

`--list FILE` reads folders from a JSON list of objects with a `path`. Every `manifest.json` below the folders
is checked separately with every rule, unchanged and with one misspelled key. Times are processor time in
microseconds, after a first round that loads everything, and ratios to `json.loads` of the same text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from time import process_time

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.schema.targets import Target

ROUNDS = 3
TARGETS = ("reference", "firefox", "chrome")
LOADS = 20
"""The number of `json.loads` calls that are timed for each text."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the median, mean and longest time for each target, without and with a mistake."""
    parser = argparse.ArgumentParser(description="What a manifest costs.")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--list", help="a JSON list of objects with a `path`")
    options = parser.parse_args(arguments)
    listed = json.loads(Path(options.list).read_bytes()) if options.list else []
    texts = list(manifests([*options.folders, *(each["path"] for each in listed)]))
    if not texts:
        parser.error("there is no manifest")
    base = mean(seconds(json.loads, text, LOADS) for text in texts)
    print(f"{len(texts)} manifests, {mean(map(len, texts)):.0f} bytes each; json.loads {base * 1e6:.0f} µs")
    for target in TARGETS:
        for name, edited in (("as they are", texts), ("with a mistake", [*map(misspelled, texts)])):
            times = best_times(edited, target)
            middle, average, longest = (1e6 * each for each in (median(times), mean(times), max(times)))
            print(f"{target:10} {name:15} median {middle:6.0f} µs, mean {average:6.0f} µs,", end="")
            print(f" longest {longest:7.0f} µs, mean ratio {mean(times) / base:.0f}")


def manifests(paths: Iterable[str]) -> Iterator[bytes]:
    """Yields the distinct texts of all manifests that a browser would read."""
    seen = set()
    for path in paths:
        for file in sorted(Path(path).rglob("manifest.json")):
            text = file.read_bytes()
            if b"manifest_version" in text and text not in seen:
                seen.add(text)
                yield text


def misspelled(text: bytes) -> bytes:
    """Returns a manifest with a key unknown to every browser."""
    at = text.index(b"{") + 1
    return text[:at] + b'"descripton": "A",' + text[at:]


def best_times(texts: Sequence[bytes], target: str) -> list[float]:
    """Returns the best time of each text, in seconds."""
    best: list[float] = []
    for number in range(ROUNDS + 1):
        now = [check_seconds(text, target) for text in texts]
        best = now if number < 2 else [min(pair) for pair in zip(best, now, strict=True)]
    return best


def check_seconds(text: bytes, target: str) -> float:
    """Returns the time to check only a manifest with every rule, in seconds."""
    package = Package("ext", {"manifest.json": lambda: text}, complete=False)
    before = process_time()
    check_package(package, [Target(target)], tuple(RULES))
    return process_time() - before


def seconds(function: Callable[[bytes], object], text: bytes, times: int) -> float:
    """Returns the mean time of a call, in seconds, or 0 for a text that it rejects."""
    before = process_time()
    try:
        for _ in range(times):
            function(text)
    except ValueError:
        return 0.0
    return (process_time() - before) / times


if __name__ == "__main__":
    main()
