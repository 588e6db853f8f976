"""Calls that open the side panel before it has a page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

OPEN = "chrome.sidePanel.open({ tabId: tab.id });"
SET = "chrome.sidePanel.setOptions({ tabId: tab.id, path: 'p.html', enabled: true });"
ENABLE = "chrome.sidePanel.setOptions({ tabId: tab.id, enabled: true });"
CLICK = "chrome.action.onClicked.addListener((tab) => { %s });"
PANEL = {"side_panel": {"default_path": "p.html"}}
NO_KEY = "the manifest has no `side_panel.default_path`"
NONE = f"the side panel has no page: {NO_KEY}, and no script sets one"
LATE = f"the side panel has no page yet: {NO_KEY}, and `sidePanel.setOptions` is called only afterwards"
UPDATED = "chrome.tabs.onUpdated.addListener((id, change, tab) => { %s });"
CALLS: dict[str, tuple[str, Mapping[str, object], str]] = {
    "no page": (CLICK % OPEN, {}, NONE),
    "options without a page": (CLICK % (ENABLE + OPEN), {}, NONE),
    "after the call": (CLICK % (OPEN + SET), {}, LATE),
    "after an awaited call": (
        (CLICK % f"await {OPEN} await {SET}").replace("(tab)", "async (tab)"),
        {},
        LATE,
    ),
    "before the call": (CLICK % (SET + OPEN), {}, ""),
    "in another listener": (CLICK % OPEN + UPDATED % SET, {}, ""),
    "in both listeners": (CLICK % (OPEN + SET) + UPDATED % SET, {}, ""),
    "in another function": (f"const set = (tab) => {SET} {CLICK % f'set(tab); {OPEN}'}", {}, ""),
    "under a condition": (CLICK % f"{OPEN} if (x) {SET}", {}, ""),
    "in the manifest": (CLICK % (OPEN + SET), PANEL, ""),
    "options that are not known": (CLICK % f"chrome.sidePanel.setOptions(x); {OPEN}", {}, ""),
    "a function that is passed on": (CLICK % f"run(chrome.sidePanel.setOptions); {OPEN}", {}, ""),
    "tested, and not requested": (CLICK % f"if (chrome.sidePanel) {OPEN}", {"permissions": []}, ""),
    "a script that is not there": (f"import './lost.js'; {CLICK % OPEN}", {}, ""),
}


@pytest.mark.parametrize(("script", "keys", "expected"), CALLS.values(), ids=CALLS.keys())
def test_page_of_an_opened_panel(script: str, keys: Mapping[str, object], expected: str) -> None:
    files = {
        "manifest.json": manifest(
            **{"permissions": ["sidePanel"], **keys},
            background={"service_worker": "b.js", "type": "module"},
            action={},
        ),
        "b.js": script,
        "p.html": "<p>",
    }
    found = lint(files, ["invalid-argument"], "chrome")
    assert [each.message for each in found] == ([expected] if expected else [])
