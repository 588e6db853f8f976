"""The version numbers that browsers skipped, from browser-compat-data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from extlint_facts.packages.access import Packages
from extlint_facts.serialization import to_text
from extlint_facts.version_ranges import BROWSERS

PACKAGE = "@mdn/browser-compat-data"
FILE = "releases/gaps.json"


def files(packages: Packages) -> dict[str, str]:
    """Returns the file about the version numbers without a release, by path."""
    browsers = json.loads(packages.read(PACKAGE, "data.json"))["browsers"]
    found = {name: [*gaps(browsers[name]["releases"])] for name in BROWSERS}
    content = {
        "source": [packages.pin(PACKAGE).source()],
        "gaps": {name: each for name, each in found.items() if each},
    }
    return {FILE: to_text(content)}


def gaps(releases: Iterable[str]) -> Iterator[list[str]]:
    """Yields the first number of each gap between major versions, and the release after it."""
    numbers = sorted({int(each.partition(".")[0]) for each in releases})
    for before, after in pairwise(numbers):
        if after > before + 1:
            yield [str(before + 1), str(after)]
