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
    "in": ('if ("qurey" in chrome.tabs) f();', ['"qurey"']),
    "in for a namespace": ('const api = chrome; if ("storge" in api) f();', ['"storge"']),
    "the negation of in": ("if (!('qurey' in chrome.tabs)) f();", ["'qurey'"]),
    "Object.hasOwn": ('if (Object.hasOwn(chrome.tabs, "qurey")) f();', ['"qurey"']),
    "hasOwnProperty": ('if (chrome.tabs.hasOwnProperty("qurey")) f();', ['"qurey"']),
    "hasOwnProperty by call": (
        'if (Object.prototype.hasOwnProperty.call(chrome.tabs, "qurey")) f();',
        ['"qurey"'],
    ),
    "Reflect.has": ('if (Reflect.has(chrome, "storge")) f();', ['"storge"']),
    "a use after a test with in": (
        'if ("qurey" in chrome.tabs) chrome.tabs.qurey({});',
        ['"qurey"', "chrome.tabs.qurey"],
    ),
}
EXCUSED = {
    "a namespace of another browser": "if (chrome.menus) f();",
    "a member of another browser": "if (chrome.tabs.hide) f();",
    "a name that is close to none": "if (chrome.tabs.somethingElse) f();",
    "a former namespace": "if (chrome.experimental) f();",
    "a member that the package defines": "if (!chrome.tabs.qurey) chrome.tabs.qurey = chrome.tabs.query;",
    "a namespace of another browser by in": 'if ("menus" in chrome && "sidebarAction" in chrome) f();',
    "a member of another browser by a function": 'if (Object.hasOwn(chrome.tabs, "hide")) f();',
    "another object": 'if ("qurey" in tabs || Object.hasOwn(tabs, "qurey")) f();',
    "a name that is not known": "for (const name of names) if (name in chrome.tabs) f();",
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
