"""Fallbacks in the `else` of a test are for browsers and manifest versions without the tested member."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

RULES = ["unknown-api", "unsupported-api", "wrong-manifest-version"]
ACTION = "browser.browserAction.setBadgeText({ text: '' })"
SCRIPT = "browser.tabs.executeScript({ file: 'a.js' })"
POLYFILL = "import browser from 'webextension-polyfill'; "
CHOSEN = "export function getBrowser() { return typeof browser !== 'undefined' ? browser : chrome } "


def reported(source: str, target: str, more: Files | None = None, **keys: object) -> list[tuple[str, str]]:
    """Returns the findings in a background module `a.js` and in other files, which nothing may run."""
    text = source.replace("ACTION", ACTION).replace("SCRIPT", SCRIPT)
    keys = {"action": {}, "permissions": ["scripting", "tabs"], **keys}
    background = {"service_worker": "a.js", "type": "module"}
    files = {"manifest.json": manifest(background=background, **keys), "a.js": text, **(more or {})}
    return [(each.rule, each.path) for each in lint(files, RULES, target)]


DEAD_FALLBACKS = {
    "of the root": "if (chrome.action) {} else ACTION",
    "of a permission": "if (chrome.scripting) {} else SCRIPT",
    "of a function": "if (chrome.scripting.executeScript) {} else SCRIPT",
    "kept in a constant": "const has = chrome.action; if (has) {} else ACTION",
    "of what a function gives": CHOSEN
    + "function f() { const browser = getBrowser(); if (!browser.action) ACTION }",
    "of what an exported function of another module gives": (
        "import { getBrowser } from './b.js'; export function f() {"
        " const browser = getBrowser(); if (browser.action) {} else { ACTION } }"
    ),
    "of an import": POLYFILL + "if (browser.scripting) {} else SCRIPT",
    "of what another module exports": (
        "import { api as browser } from './b.js'; if (browser.action) {} else ACTION"
    ),
    "of a parameter": "function f(browser) { if (browser.action) {} else ACTION } f(chrome)",
    "in another condition": POLYFILL
    + "export const f = (x) => { if (x) { if (browser.action) {} else ACTION } }",
    "before an await": POLYFILL
    + "export async function f() { if (browser.scripting) return; await x(); await SCRIPT }",
    "after an await": POLYFILL
    + "export async function f() { await x(); if (browser.scripting) {} else await SCRIPT }",
    "of a callee": POLYFILL + "function f() { ACTION } if (!browser.action) f()",
}


@pytest.mark.parametrize("source", DEAD_FALLBACKS.values(), ids=DEAD_FALLBACKS.keys())
def test_dead_fallback_is_not_reported(source: str) -> None:
    other = CHOSEN + "export const api = getBrowser()"
    assert reported(source, "chrome", {"b.js": other}) == []
    assert reported(source, "firefox", {"b.js": other}) == []


REACHED = {
    "then": "if (chrome.action) ACTION",
    "then of what a function gives": CHOSEN + "const browser = getBrowser(); if (browser.action) { ACTION }",
    "then of an import": POLYFILL + "if (browser.scripting) SCRIPT",
    "an unrelated test": "if (chrome.offscreen) {} else SCRIPT",
    "a test of an own object": "const own = {}; if (own.scripting) {} else SCRIPT",
    "a test of an own object that a function gets": (
        "function f(api) { if (api.scripting) {} else SCRIPT } f({ scripting: x })"
    ),
    "after the test": POLYFILL + "if (browser.scripting) {} SCRIPT",
    "a callee that others call too": POLYFILL + "function f() { ACTION } if (!browser.action) f(); f()",
}


@pytest.mark.parametrize("source", REACHED.values(), ids=REACHED.keys())
def test_reached_missing_member_is_reported(source: str) -> None:
    assert reported(source, "chrome") == [("wrong-manifest-version", "a.js")]


REQUIREMENTS = {
    "the key of the manifest": ("if (chrome.action) {} else ACTION", {"action": None}),
    "the permission": ("if (chrome.scripting) {} else SCRIPT", {"permissions": ["tabs"]}),
}


def extension_without(keys: dict[str, object]) -> Files:
    background = {"service_worker": "a.js"}
    whole: dict[str, object] = {
        "background": background,
        "action": {},
        "permissions": ["scripting", "tabs"],
        **keys,
    }
    return {"manifest.json": manifest(**{name: each for name, each in whole.items() if each is not None})}


@pytest.mark.parametrize(("source", "keys"), REQUIREMENTS.values(), ids=REQUIREMENTS.keys())
def test_fallback_runs_if_requirement_is_missing(source: str, keys: dict[str, object]) -> None:
    text = source.replace("ACTION", ACTION).replace("SCRIPT", SCRIPT)
    found = lint({**extension_without(keys), "a.js": text}, RULES, "chrome")
    assert [each.rule for each in found] == ["wrong-manifest-version"]


UNDECIDED = {
    "an action": "if (browser.action) {} else ACTION",
    "a permission": "if (browser.scripting) {} else SCRIPT",
    "an action of pages": "if (!browser.action) browser.pageAction.show(1)",
    "the right side": "browser.scripting || SCRIPT",
    "a caller": "function f() { SCRIPT } if (!browser.scripting) f()",
    "early return": "function f() { if (browser.scripting) return; SCRIPT } f()",
    "another test besides": "if (!browser.scripting && x) SCRIPT",
    "a test of another browser's API": "if (browser.sidePanel) {} else browser.sidebarAction.open()",
}


@pytest.mark.parametrize("source", UNDECIDED.values(), ids=UNDECIDED.keys())
def test_fallback_of_undecided_test_is_not_reported(source: str) -> None:
    files = {"b.ts": POLYFILL + source.replace("ACTION", ACTION).replace("SCRIPT", SCRIPT)}
    assert reported("", "chrome", files, permissions=["scripting", "sidePanel"]) == []


def test_optional_permission_does_not_decide_the_test() -> None:
    source = "if (chrome.scripting) {} else SCRIPT"
    assert reported(source, "chrome", permissions=[], optional_permissions=["scripting"]) == []


NO_FALLBACKS = {
    "then": "if (browser.scripting) SCRIPT",
    "a test of what both manifest versions have": "if (browser.storage) {} else SCRIPT",
    "no test of the API": "if (x.scripting) {} else SCRIPT",
    "a test of something else that fails too": "(browser.scripting && x) || SCRIPT",
    "a caller without a test": "function f() { SCRIPT } if (!browser.scripting) f(); f()",
    "before the test": "function f() { SCRIPT; if (browser.scripting) return; } f()",
}


@pytest.mark.parametrize("source", NO_FALLBACKS.values(), ids=NO_FALLBACKS.keys())
def test_code_that_is_not_a_fallback_is_reported(source: str) -> None:
    files = {"b.ts": POLYFILL + source.replace("SCRIPT", SCRIPT)}
    assert reported("import './b.ts'", "chrome", files) == [("wrong-manifest-version", "b.ts")]
