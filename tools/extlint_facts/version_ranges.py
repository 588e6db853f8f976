"""The versions that support a feature: merges the statements of browser-compat-data for each browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

BROWSERS = ("chrome", "edge", "firefox", "firefox_android", "opera", "safari", "safari_ios")
_BY_POLICY = "was only available to policy installed extensions"
AT_MOST = "<="
"""The prefix of a version that supports a feature, where older ones may support it too."""

Statement: TypeAlias = Mapping[str, Any]
Range: TypeAlias = list[str] | bool
"""`[added]`, `[added, removed]`, or False for a browser that never had it."""


def statements(compat: Mapping[str, Any], browser: str) -> tuple[Statement, ...]:
    """Returns the statements for a browser, the newest first."""
    found = compat["support"].get(browser, ())
    return tuple(found) if isinstance(found, Sequence) else (found,)


def widest(found: Iterable[Statement]) -> Range | None:
    """Returns the range from the first to the last version of any statement, or None if nothing is known.

    Features behind a flag do not count, nor those that only extensions have which a policy installs.
    Partial support counts, and so do features that were absent for some versions: reporting an existing
    feature as missing would be worse. Features that only an unreleased version has count as unknown.
    """
    plain = [each for each in found if "flags" not in each and _BY_POLICY not in str(each.get("notes", ""))]
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
    """Returns a sort key for versions. `<=150` comes before `150`."""
    numbers = version.removeprefix(AT_MOST).split(".")
    return tuple(int(each) for each in numbers), not version.startswith(AT_MOST)
