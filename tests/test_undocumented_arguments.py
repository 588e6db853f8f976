"""Undocumented arguments that Chrome accepts, mistakes close to them, and types not verified."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULE = "invalid-argument"


def invalid_arguments(source: str, target: str) -> list[str]:
    """Returns the source text of each invalid argument in a background script."""
    permissions = ["scripting", "tabs", "contextMenus", "notifications", "printing", "desktopCapture"]
    files = {
        "manifest.json": manifest(
            background={"service_worker": "b.js"},
            omnibox={"keyword": "k"},
            permissions=[*permissions, "webNavigation"],
            host_permissions=["<all_urls>"],
        ),
        "b.js": source,
    }
    return [text for _, text in reported(files, [RULE, "wrong-argument-count"], target)]


SUGGEST = "chrome.omnibox.setDefaultSuggestion({description: 'd', descriptionStyles: %s})"
INJECT = "chrome.scripting.executeScript({target: {tabId: 1}, %s})"
ACCEPTED = {
    "a function by its old name": INJECT % "function: () => 1",
    "a scale": "chrome.tabs.captureVisibleTab({format: 'png', scale: 0.5})",
    "a rectangle": "chrome.tabs.captureVisibleTab({rect: {x: 0, y: 0, width: 1, height: 1}})",
    "styles of a suggestion": SUGGEST % "[{offset: 0, type: 'url'}]",
    "menus of tabs": "chrome.contextMenus.create({id: 'a', title: 'A', contexts: ['tab']})",
    "a line below the message": (
        "chrome.notifications.create("
        "{type: 'basic', title: 't', message: 'm', iconUrl: 'i', expandedMessage: 'e'})"
    ),
    "options behind the tab": "chrome.desktopCapture.chooseDesktopMedia(['tab'], tab, {}, id => id)",
    "nothing but the documented": INJECT % "func: () => 1, args: [1]",
}


@pytest.mark.parametrize("source", ACCEPTED.values(), ids=ACCEPTED.keys())
@pytest.mark.parametrize("target", ["chrome", "edge"])
def test_undocumented_argument_is_accepted(source: str, target: str) -> None:
    assert invalid_arguments(source, target) == []


REJECTED = {
    "near the old name": (INJECT % "functions: () => 1", "functions"),
    "no function by the old name": (INJECT % "function: 'f()'", "'f()'"),
    "an unknown key": (INJECT % "func: () => 1, extlint: 1", "extlint"),
    "an unknown key further in": (
        "chrome.scripting.executeScript({target: {tabId: 1, tab: 1}, files: ['a.js']})",
        "tab",
    ),
    "a scale that is a string": ("chrome.tabs.captureVisibleTab({scale: '50%'})", "'50%'"),
    "a scale in another object": ("chrome.tabs.create({url: 'a', scale: 2})", "scale"),
    "a rectangle without its height": (
        "chrome.tabs.captureVisibleTab({rect: {x: 0, y: 0, width: 1}})",
        "{x: 0, y: 0, width: 1}",
    ),
    "styles of no known type": (SUGGEST % "[{offset: 0, type: 'bold'}]", "'bold'"),
    "menus of nothing": ("chrome.contextMenus.create({id: 'a', title: 'A', contexts: ['tabs']})", "'tabs'"),
    "a quality beyond all": ("chrome.tabs.captureVisibleTab({quality: 101})", "101"),
    "no whole number": ("chrome.tabs.captureVisibleTab({quality: 0.9})", "0.9"),
    "no tab": ("chrome.tabs.reload(-1)", "-1"),
    "an unknown key in a filter of addresses": (
        "chrome.webNavigation.onCommitted.addListener(() => {}, {url: [{hostEqual: 'a.b'}]})",
        "hostEqual",
    ),
}


@pytest.mark.parametrize(("source", "expected"), REJECTED.values(), ids=REJECTED.keys())
@pytest.mark.parametrize("target", ["chrome", "edge"])
def test_invalid_argument_is_reported(source: str, expected: str, target: str) -> None:
    assert invalid_arguments(source, target) == [expected]


REJECTED_BY_FIREFOX = {
    "a function by its old name": (INJECT % "function: () => 1", "function"),
    "styles of a suggestion": (SUGGEST % "[]", "descriptionStyles"),
}


@pytest.mark.parametrize(("source", "expected"), REJECTED_BY_FIREFOX.values(), ids=REJECTED_BY_FIREFOX.keys())
def test_chrome_only_argument_is_reported_for_firefox(source: str, expected: str) -> None:
    assert invalid_arguments(source, "firefox") == [expected]


UNVERIFIED = {
    "another key": ("chrome.printing.submitJob({job, anything: 1})", []),
    "a misspelled key": ("chrome.printing.submitJob({job, jobs: 1})", ["jobs"]),
    "a key of the wrong type": ("chrome.printing.submitJob({job: 1})", ["1"]),
}


@pytest.mark.parametrize(("source", "expected"), UNVERIFIED.values(), ids=UNVERIFIED.keys())
def test_unverified_chromeos_type_accepts_unknown_keys(source: str, expected: list[str]) -> None:
    assert invalid_arguments(source, "chrome") == expected
