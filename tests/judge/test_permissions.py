"""The treatment of permissions missing from a manifest in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.permissions import observe

CONTAINS_RESULTS = {
    "contains, required": "true",
    "contains, optional": "false",
    "contains, lacking": "false",
    "contains, lacking beside one that is there": "false",
}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_permissions_missing_from_the_manifest_are_never_granted(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    found = observe(browser, command, tmp_path)
    assert {name: each for name, each in found.items() if name in CONTAINS_RESULTS} == CONTAINS_RESULTS
    refusal = "manifest" if browser == "chromium" else "not declared"
    requests = {name: each for name, each in found.items() if name.startswith("request")}
    refused = {name for name, each in requests.items() if each.startswith("fails: ") and refusal in each}
    assert {name for name in requests if "lacking" in name} <= refused
    among = [each for name, each in found.items() if "among permissions" in name]
    assert [each.startswith("fails: ") for each in among] == [True] * 3
    assert requests["request, the site of a content script"] == "true"
    assert ("request, required" in refused) is (browser == "firefox")
