"""The manifest as seen by scripts in a real browser; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.seen_manifest import WRITTEN, differences, evaluate_in_extension

EXPECTED_DIFFERENCES = {
    "chromium": [],
    "firefox": [
        '/permissions: ["tabs", "menus", "sidePanel", "judge_nowhere"] is seen as ["tabs", "menus"]',
        '/optional_permissions: ["bookmarks", "readingList"] is seen as ["bookmarks"]',
        '/incognito: "spanning" is seen, and not written',
        "/host_permissions: [] is seen, and not written",
    ],
}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_manifest_seen_by_scripts(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    found = list(differences(WRITTEN, evaluate_in_extension(browser, command, tmp_path)))
    assert [each for each in EXPECTED_DIFFERENCES[browser] if each not in found] == []
    assert browser == "firefox" or found == []


def test_differences_are_listed() -> None:
    written, found = {"a": 1, "b": {"c": 2}, "d": 3}, {"a": 1, "b": {"c": None, "e": 4}, "f": None}
    assert list(differences(written, found)) == [
        "/b/c: 2 is not seen",
        "/b/e: 4 is seen, and not written",
        "/d: 3 is not seen",
    ]
