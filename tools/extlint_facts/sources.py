"""The sources of the facts: the packages and browsers, with their versions and hashes, in one file.

A renewal changes this file, and only those files whose facts change.
"""

from __future__ import annotations

from collections.abc import Iterable

from extlint_facts.chrome.embedded_schemas import embedded_schemas
from extlint_facts.packages.pin import Pin
from extlint_facts.recorded import objects
from extlint_facts.serialization import to_text

FILE = "sources.json"

FOLDERS = {
    "chrome": ("chrome-types", "@types/chrome", "chromium"),
    "compat": ("@mdn/browser-compat-data", "chrome-types"),
    "firefox": ("addons-linter", "firefox"),
    "manifests": ("addons-linter", "chrome-types", "@types/chrome", "@mdn/browser-compat-data"),
    "messages": ("addons-linter", "chrome-types"),
    "releases": ("@mdn/browser-compat-data",),
    "request_rules": ("addons-linter", "chrome-types", "chromium"),
    "thunderbird": ("@types/thunderbird-webext-browser", "addons-linter"),
}
"""The names of the packages and browsers that the facts of each folder come from."""


def sources_file(pins: Iterable[Pin]) -> dict[str, str]:
    """Returns the file of the sources, by its path. Its date is the day of the newest pinned package."""
    pinned = list(pins)
    browsers = {each["browser"]: each for each in (embedded_schemas().source(), *_observations())}
    content = {
        "date": max(each.pinned for each in pinned),
        "packages": [each.source() for each in pinned],
        "browsers": [browsers[name] for name in sorted(browsers)],
        "folders": {name: list(each) for name, each in FOLDERS.items()},
    }
    return {FILE: to_text(content)}


def _observations() -> Iterable[dict[str, str]]:
    return (each.source() for each in objects.load())
