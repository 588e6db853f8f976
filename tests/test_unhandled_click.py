"""Buttons of an extension that do nothing when they are clicked: `unhandled-click`."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest, reported

TITLE = {"default_title": "A"}
RULES = ["unhandled-click"]
CONTENT: dict[str, object] = {"content_scripts": [{"matches": ["https://example.com/*"], "js": ["c.js"]}]}
WORKER: dict[str, object] = {"background": {"service_worker": "c.js"}}


def files_of(source: str | None, **keys: object) -> Files:
    given = {key: value for key, value in keys.items() if value is not None}
    files = {"manifest.json": manifest(**given)}
    return files if source is None else {**files, "c.js": source}


CASES: dict[str, tuple[str | None, dict[str, object], bool]] = {
    "a content script": ("f();", {"action": TITLE, **CONTENT}, True),
    "an empty button": ("f();", {"action": {}, **CONTENT}, False),
    "only an icon": ("f();", {"action": {"default_icon": "i.png"}, **CONTENT}, False),
    "a worker": ("chrome.runtime.onInstalled.addListener(f);", {"action": TITLE, **WORKER}, True),
    "a listener of something else": (
        "chrome.tabs.onUpdated.addListener(f);",
        {"action": TITLE, **WORKER},
        True,
    ),
    "menus": (
        "chrome.contextMenus.onClicked.addListener(f);",
        {"action": TITLE, "permissions": ["contextMenus"], **WORKER},
        True,
    ),
    "a comment": ("// chrome.action.onClicked\nf();", {"action": TITLE, **CONTENT}, True),
    "no scripts": (None, {"action": TITLE}, True),
    "a page for options": (None, {"action": TITLE, "options_page": "o.html"}, True),
    "a popup": (None, {"action": {"default_popup": "p.html", **TITLE}}, False),
    "no button": ("f();", CONTENT, False),
    "a listener": ("chrome.action.onClicked.addListener(f);", {"action": TITLE, **WORKER}, False),
    "a listener by another name": (
        "const { onClicked } = (chrome.action ?? chrome.browserAction);\nonClicked.addListener(f);",
        {"action": TITLE, **WORKER},
        False,
    ),
    "a listener of something unknown": (
        "api().onClicked.addListener(f);",
        {"action": TITLE, **WORKER},
        False,
    ),
    "a popup that a script sets": (
        "chrome.action.setPopup({ popup: 'p.html' });",
        {"action": TITLE, **WORKER},
        False,
    ),
    "a badge": ("chrome.action.setBadgeText({ text: '1' });", {"action": TITLE, **WORKER}, False),
    "a side panel": (
        "chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });",
        {"action": TITLE, "permissions": ["sidePanel"], **WORKER},
        False,
    ),
    "access to the tab": ("f();", {"action": TITLE, "permissions": ["activeTab"], **CONTENT}, False),
    "rules for the button": (
        "chrome.declarativeContent.onPageChanged.addRules([]);",
        {"action": TITLE, "permissions": ["declarativeContent"], **WORKER},
        False,
    ),
    "computed members": ("chrome[name].addListener(f);", {"action": TITLE, **WORKER}, False),
    "a script that is missing": (None, {"action": TITLE, **WORKER}, False),
    "a script of the same name that is missing": (
        "importScripts('./common/c.js');",
        {"action": TITLE, "background": {"service_worker": "c.js"}},
        False,
    ),
    "a template": ("f();", {"action": {"{{popup}}": "p.html", **TITLE}, **CONTENT}, False),
    "the key of the other manifest version": ("f();", {"browser_action": TITLE, **CONTENT}, False),
}


@pytest.mark.parametrize(("source", "keys", "is_idle"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_button_without_effect_is_reported(
    source: str | None, keys: dict[str, object], is_idle: bool, target: str
) -> None:
    files = {**files_of(source, **keys), "o.html": "<p>a</p>", "p.html": "<p>a</p>"}
    expected = [("unhandled-click", '"action"')] if is_idle else []
    assert reported(files, RULES, target) == expected


@pytest.mark.parametrize(("version", "is_idle"), [(1, False), (None, False), ("{{v}}", True), (2, True)])
def test_button_of_unknown_manifest_version_is_not_reported(version: object, is_idle: bool) -> None:
    keys = {"manifest_version": version, "browser_action": {"popup": "p.html", **TITLE}}
    text = json.dumps({"name": "A", "version": "1", **{k: each for k, each in keys.items() if each}})
    assert bool(lint({"manifest.json": text, "p.html": "<p>a</p>"}, RULES, "chrome")) is is_idle


@pytest.mark.parametrize("key", ["browser_action", "page_action"])
def test_buttons_of_manifest_v2_count(key: str) -> None:
    keys = {"manifest_version": 2, key: {"default_title": "A"}}
    scripts = {"background": {"scripts": ["c.js"]}}
    assert reported(files_of("f();", **keys, **scripts), RULES, "firefox") == [
        ("unhandled-click", f'"{key}"')
    ]
    name = key.replace("_a", "A")
    assert (
        reported(files_of(f"browser.{name}.onClicked.addListener(f);", **keys, **scripts), RULES, "firefox")
        == []
    )


def test_message_says_what_to_add() -> None:
    (finding,) = lint(files_of("f();", action=TITLE, **CONTENT), RULES, "chrome")
    assert (
        finding.message
        == "a click on the button `action` does nothing: it has no popup, and no script uses it"
    )
    assert finding.help == "add `default_popup`, or listen to `action.onClicked`"
