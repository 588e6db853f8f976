"""SVG images that a service worker passes to calls: `invalid-image`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ["invalid-image"]
NOTIFY = "chrome.notifications.create({ type: 'basic', title: 'a', message: 'b', iconUrl: %s });"
CASES: dict[str, tuple[str, list[str]]] = {
    "an icon": ("chrome.action.setIcon({ path: 'i.svg' });", ["'i.svg'"]),
    "an icon for each size": ("chrome.action.setIcon({ path: { 16: 'i.svg' } });", ["'i.svg'"]),
    "of a notification": (NOTIFY % "'i.svg'", ["'i.svg'"]),
    "in a listener": (
        "chrome.action.onClicked.addListener(() => { chrome.action.setIcon({ path: 'i.svg' }); });",
        ["'i.svg'"],
    ),
    "by a name": ("const path = 'i.svg';\nchrome.action.setIcon({ path });", ["path"]),
    "an icon of pixels": ("chrome.action.setIcon({ path: 'i.png' });", []),
    "a notification with one": (NOTIFY % "'i.png'", []),
    "an unknown icon": ("chrome.action.setIcon({ path: icon });", []),
    "handled": (
        "(async () => { try { await chrome.action.setIcon({ path: 'i.svg' }); } catch { f(); } })();",
        [],
    ),
    "a branch that never runs": ("if (false) chrome.action.setIcon({ path: 'i.svg' });", []),
    "a page that is opened": ("chrome.tabs.create({ url: 'i.svg' });", []),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_vector_image_of_a_worker_is_reported(source: str, expected: list[str]) -> None:
    keys = {
        "action": {},
        "permissions": ["notifications"],
        "background": {"service_worker": "b.js", "scripts": ["b.js"]},
    }
    files = {
        "manifest.json": manifest(**keys),
        "b.js": source,
        "i.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    }
    assert reported(files, RULES, "chrome") == [("invalid-image", text) for text in expected]
    assert reported(files, RULES, "firefox") == []


def test_message_names_the_worker() -> None:
    keys = {"action": {}, "background": {"service_worker": "b.js"}}
    files = {"manifest.json": manifest(**keys), "b.js": CASES["an icon"][0]}
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == "Chrome does not show `i.svg`: a service worker cannot decode SVG images"
