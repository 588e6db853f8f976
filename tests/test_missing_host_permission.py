"""Calls without access to any host, in tables of background scripts and manifest requests."""

from __future__ import annotations

import pytest
from harness import lint, manifest, told

RULE = "missing-host-permission"
INJECT = "chrome.scripting.executeScript({target: {tabId: 1}, files: ['c.js']})"
LISTEN = "chrome.webRequest.onCompleted.addListener(f, {urls: ['*://*/*']})"
ALL = ["scripting", "cookies", "webRequest", "tabs"]


def files(source: str, **keys: object) -> dict[str, str]:
    requested: dict[str, object] = {"permissions": ALL, **keys}
    return {
        "manifest.json": manifest(background={"scripts": ["b.js"]}, **requested),
        "b.js": source,
        "c.js": "",
    }


TOLD = {
    "a script that is injected": (INJECT, 3, "chrome.scripting.executeScript"),
    "in the other manifest version": ("chrome.tabs.insertCSS({code: ''})", 2, "chrome.tabs.insertCSS"),
    "a cookie": ("chrome.cookies.get({url: u, name: 'a'}, f)", 3, "chrome.cookies.get"),
    "a listener to requests": (LISTEN, 3, "chrome.webRequest.onCompleted.addListener"),
}


@pytest.mark.parametrize(("source", "version", "expected"), TOLD.values(), ids=TOLD.keys())
@pytest.mark.parametrize("target", ["firefox", "chrome", "edge", "reference"])
def test_told(source: str, version: int, expected: str, target: str) -> None:
    assert told(files(source, manifest_version=version), [RULE], target) == [(RULE, expected)]


REQUESTED: dict[str, dict[str, object]] = {
    "hosts": {"host_permissions": ["https://example.com/*"]},
    "optional hosts": {"optional_host_permissions": ["*://*/*"]},
    "hosts among the permissions": {"permissions": [*ALL, "<all_urls>"]},
    "hosts among the optional permissions": {"optional_permissions": ["*://*.example.com/*"]},
    "the tab in front": {"permissions": [*ALL, "activeTab"], "action": {}},
    "the tab in front, when it is asked for": {"optional_permissions": ["activeTab"], "action": {}},
    "what a build tool fills in": {"permissions": [*ALL, "__HOSTS__"]},
    "what a build tool takes": {"{{chrome}}.host_permissions": ["*://*/*"]},
}


@pytest.mark.parametrize("keys", REQUESTED.values(), ids=REQUESTED.keys())
def test_any_request_for_hosts_is_enough(keys: dict[str, object]) -> None:
    assert lint(files(INJECT, **keys), [RULE], "chrome") == []


SILENT = {
    "a call that needs no host": "chrome.cookies.getAllCookieStores(f); chrome.tabs.query({})",
    "a member that is only handed on": "f(chrome.scripting.executeScript)",
    "a guarded call": f"if (chrome.scripting.executeScript) {INJECT}",
    "a call whose failure is caught": f"try {{ {INJECT} }} catch {{}}",
    "a listener that is removed": "chrome.webRequest.onCompleted.removeListener(f)",
    "a listener to requests that are not known": "chrome.webRequest.onCompleted.addListener(f, filter)",
    "a listener to requests of the extension's own": (
        "chrome.webRequest.onCompleted.addListener(f, {urls: ['chrome-extension://*/*']})"
    ),
    "a listener to rules": "chrome.webRequest.handlerBehaviorChanged()",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_silent(source: str) -> None:
    assert lint(files(source), [RULE], "chrome") == []


INCOMPLETE: dict[str, dict[str, str]] = {
    "a script that is not there": {"b.js": f"import './other.js'; {INJECT}"},
    "a library that is not there": {"b.js": f"import name from 'library'; {INJECT}"},
    "a manifest for another browser": {"manifest.firefox.json": "{}"},
    "a script that makes the manifest": {"make-manifest.mjs": ""},
    "a script that nothing is known to load": {"b.js": "", "d.js": INJECT},
}


@pytest.mark.parametrize("others", INCOMPLETE.values(), ids=INCOMPLETE.keys())
def test_what_a_build_may_complete_is_left_alone(others: dict[str, str]) -> None:
    assert lint({**files(INJECT), **others}, [RULE], "chrome") == []


def test_a_missing_permission_is_told_of_alone() -> None:
    found = lint(files(INJECT, permissions=[]), [RULE, "missing-permission"], "chrome")
    assert [each.rule for each in found] == ["missing-permission"]


def test_in_firefox_the_hosts_of_content_scripts_may_count() -> None:
    scripts = [{"matches": ["https://example.com/*"], "js": ["c.js"]}]
    source = files(INJECT, content_scripts=scripts)
    assert [len(lint(source, [RULE], target)) for target in ("firefox", "chrome")] == [0, 1]


ACTIVE_TAB: dict[str, object] = {"permissions": ["scripting", "activeTab", "alarms", "webNavigation"]}
BUTTON = {**ACTIVE_TAB, "action": {}}
POPUP = {**ACTIVE_TAB, "action": {"default_popup": "p.html"}}
SHORTCUTS = {**ACTIVE_TAB, "commands": {}}
IN_MESSAGE = f"chrome.runtime.onMessage.addListener(() => {{ {INJECT} }})"
LOADED = "chrome.webNavigation.onCompleted.addListener"
AT_UPDATE = f"chrome.tabs.onUpdated.addListener((id, change) => {{ if (change.status) {INJECT} }})"
AT_INSTALL = f"chrome.runtime.onInstalled.addListener(() => {{ {INJECT} }})"
CLICKED = "chrome.action.onClicked.addListener(f)"
NEVER_GRANTED: dict[str, tuple[str, dict[str, object], bool]] = {
    "nothing to click": (IN_MESSAGE, ACTIVE_TAB, True),
    "nothing to click, and a picture": ("chrome.tabs.captureVisibleTab()", ACTIVE_TAB, True),
    "shortcuts": (
        f"chrome.runtime.onMessage.addListener(() => {INJECT})",
        {**ACTIVE_TAB, "commands": {}},
        False,
    ),
    "menus": (INJECT, {"permissions": ["scripting", "activeTab", "contextMenus"]}, False),
    "a click that lacks its key": (f"{CLICKED}; {INJECT}", ACTIVE_TAB, False),
    "each tab, and nobody listens to the button": (AT_UPDATE, BUTTON, True),
    "each tab, and somebody listens": (f"{AT_UPDATE}; {CLICKED}", BUTTON, False),
    "each tab, and there is a popup": (
        AT_UPDATE,
        {**ACTIVE_TAB, "action": {"default_popup": "p.html"}},
        False,
    ),
    "an alarm": (f"chrome.alarms.onAlarm.addListener(() => {{ {INJECT} }})", BUTTON, True),
    "a page that loads": (
        f"chrome.webNavigation.onCompleted.addListener(() => {{ {INJECT} }})",
        BUTTON,
        True,
    ),
    "at once": (f"{AT_INSTALL}; {CLICKED}", BUTTON, True),
    "by a function": (
        f"function inject() {{ {INJECT} }} chrome.runtime.onInstalled.addListener(inject); {CLICKED}",
        BUTTON,
        True,
    ),
    "by a function that is also for clicks": (
        f"function inject() {{ {INJECT} }} chrome.runtime.onInstalled.addListener(inject);"
        " chrome.action.onClicked.addListener(inject)",
        BUTTON,
        False,
    ),
    "an attempt": (f"chrome.tabs.onUpdated.addListener(() => {{ {INJECT}.catch(f) }})", BUTTON, False),
    "in a message": (IN_MESSAGE, BUTTON, False),
    "with hosts": (AT_INSTALL, {**BUTTON, "host_permissions": ["https://example.com/*"]}, False),
}


@pytest.mark.parametrize(("source", "keys", "is_told"), NEVER_GRANTED.values(), ids=NEVER_GRANTED.keys())
def test_the_tab_in_front_that_no_user_chose(source: str, keys: dict[str, object], is_told: bool) -> None:
    package = {**files(source, **keys), "p.html": ""}
    assert bool(lint(package, [RULE], "chrome")) is is_told


def test_what_is_said_of_the_tab_in_front() -> None:
    found = [lint(files(source, **BUTTON), [RULE], "chrome")[0].message for source in (AT_UPDATE, AT_INSTALL)]
    assert [each.rpartition(": ")[2] for each in found] == [
        "no user starts the extension by `tabs.onUpdated`",
        "no user starts the extension by `runtime.onInstalled`",
    ]
