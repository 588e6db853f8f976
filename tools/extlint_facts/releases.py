"""The version numbers that browsers skipped, and the newest ones, from browser-compat-data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from extlint_facts.packages.access import Packages
from extlint_facts.serialization import to_text
from extlint_facts.version_ranges import BROWSERS

PACKAGE = "@mdn/browser-compat-data"
FILE = "releases/releases.json"


def files(packages: Packages) -> dict[str, str]:
    """Returns the file about the version numbers, by path."""
    browsers = json.loads(packages.read(PACKAGE, "data.json"))["browsers"]
    releases = {name: browsers[name]["releases"] for name in BROWSERS}
    found = {name: [*gaps(each)] for name, each in releases.items()}
    content = {
        "gaps": {name: each for name, each in found.items() if each},
        "newest": {name: str(max(_numbers(each))) for name, each in releases.items()},
    }
    return {FILE: to_text(content)}


def gaps(releases: Iterable[str]) -> Iterator[list[str]]:
    """Yields the first number of each gap between major versions, and the release after it."""
    for before, after in pairwise(sorted(_numbers(releases))):
        if after > before + 1:
            yield [str(before + 1), str(after)]


def _numbers(releases: Iterable[str]) -> set[int]:
    return {int(each.partition(".")[0]) for each in releases}
