"""Since when a browser has something: the statements of browser-compat-data, each browser's made one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

BROWSERS = ("chrome", "edge", "firefox", "firefox_android", "opera", "safari", "safari_ios")
AT_MOST = "<="
"""Before the number of a version that has it, where an older one may have it too."""

Statement: TypeAlias = Mapping[str, Any]
Range: TypeAlias = list[str] | bool
"""`[added]`, `[added, removed]`, or False for a browser that never had it."""


def statements(compat: Mapping[str, Any], browser: str) -> tuple[Statement, ...]:
    """What is said of a browser, the newest first."""
    found = compat["support"].get(browser, ())
    return tuple(found) if isinstance(found, Sequence) else (found,)


def widest(found: Iterable[Statement]) -> Range | None:
    """From the first version to the last one of any statement; None if nothing is known.

    What needs a flag does not count. What is there in part does, and so does what was away for some
    versions: to say that something is missing that is there would be worse. What only a version that is
    not yet released has is not known.
    """
    plain = [each for each in found if "flags" not in each]
    if not plain:
        return None
    released = [each for each in plain if each["version_added"] is not False]
    if not released:
        return False
    ranges = [
        (_version(each["version_added"]), each.get("version_removed"))
        for each in released
        if each["version_added"] != "preview"
    ]
    if not ranges:
        return None
    added = min((each for each, _ in ranges), key=version_key)
    ends = [_version(end) for _, end in ranges if end is not None]
    return [added] if len(ends) < len(ranges) else [added, max(ends, key=version_key)]


def _version(text: str) -> str:
    return AT_MOST + text[1:] if text.startswith("≤") else text


def version_key(version: str) -> tuple[tuple[int, ...], bool]:
    """Orders versions; the one that may be older than its number comes before that number."""
    numbers = version.removeprefix(AT_MOST).split(".")
    return tuple(int(each) for each in numbers), not version.startswith(AT_MOST)
