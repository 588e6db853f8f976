"""Tests for members that no browser has: the name in the test is misspelled."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ["unknown-api"]
REPORTED = {
    "a condition": ("if (chrome.tabs.qurey) f();", ["chrome.tabs.qurey"]),
    "its negation": ("const old = !chrome.tabs.qurey;", ["chrome.tabs.qurey"]),
    "typeof": ("f(typeof chrome.storge);", ["chrome.storge"]),
    "typeof in a comparison": ("if (typeof chrome.storge !== 'undefined') f();", ["chrome.storge"]),
    "a comparison": ("if (chrome.tabs.qurey === undefined) f();", ["chrome.tabs.qurey"]),
    "the left side of &&": ("chrome.tabs.qurey && f();", ["chrome.tabs.qurey"]),
    "the right side of &&": ("if (chrome.tabs && chrome.tabs.qurey) f();", ["chrome.tabs.qurey"]),
    "a condition in a try block": ("try { if (chrome.tabs.qurey) f() } catch {}", ["chrome.tabs.qurey"]),
    "the test and the use": (
        "if (chrome.tabs.qurey) chrome.tabs.qurey({});",
        ["chrome.tabs.qurey", "chrome.tabs.qurey"],
    ),
    "a use after a test with in": (
        'if ("qurey" in chrome.tabs) chrome.tabs.qurey({});',
        ["chrome.tabs.qurey"],
    ),
}
EXCUSED = {
    "a namespace of another browser": "if (chrome.menus) f();",
    "a member of another browser": "if (chrome.tabs.hide) f();",
    "a name that is close to none": "if (chrome.tabs.somethingElse) f();",
    "a former namespace": "if (chrome.experimental) f();",
    "a member that the package defines": "if (!chrome.tabs.qurey) chrome.tabs.qurey = chrome.tabs.query;",
    "an existing member": "if (chrome.tabs.query) f();",
    "code that never runs": "if (!chrome.tabs) { if (chrome.tabs.qurey) f(); }",
}


def found(source: str, target: str) -> list[str]:
    background = {"service_worker": "a.js", "scripts": ["a.js"]}
    files = {"manifest.json": manifest(background=background, permissions=["storage"]), "a.js": source}
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(("source", "expected"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox", "firefox,chrome"])
def test_misspelled_name_is_reported_in_a_test(source: str, expected: list[str], target: str) -> None:
    assert found(source, target) == expected


@pytest.mark.parametrize("source", EXCUSED.values(), ids=EXCUSED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox", "firefox,chrome", "reference"])
def test_test_for_what_may_exist_is_not_reported(source: str, target: str) -> None:
    assert found(source, target) == []
