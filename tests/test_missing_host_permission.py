"""Calls without access to any host, in tables of background scripts and manifest requests."""

from __future__ import annotations

import json

import pytest
from harness import lint, manifest, reported

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


REPORTED = {
    "a script that is injected": (INJECT, 3, "chrome.scripting.executeScript"),
    "in the other manifest version": ("chrome.tabs.insertCSS({code: ''})", 2, "chrome.tabs.insertCSS"),
    "after a test for the function": (
        f"if (chrome.scripting.executeScript) {INJECT}",
        3,
        "chrome.scripting.executeScript",
    ),
    "a cookie": ("chrome.cookies.get({url: u, name: 'a'}, f)", 3, "chrome.cookies.get"),
    "a listener to requests": (LISTEN, 3, "chrome.webRequest.onCompleted.addListener"),
}


@pytest.mark.parametrize(("source", "version", "expected"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["firefox", "chrome", "edge", "reference"])
def test_reported(source: str, version: int, expected: str, target: str) -> None:
    assert reported(files(source, manifest_version=version), [RULE], target) == [(RULE, expected)]


REQUESTED: dict[str, dict[str, object]] = {
    "hosts": {"host_permissions": ["https://example.com/*"]},
    "optional hosts": {"optional_host_permissions": ["*://*/*"]},
    "hosts among the permissions": {"permissions": [*ALL, "<all_urls>"]},
    "hosts among the optional permissions": {"optional_permissions": ["*://*.example.com/*"]},
    "the tab in front": {"permissions": [*ALL, "activeTab"], "action": {}},
    "the tab in front, when it is asked for": {"optional_permissions": ["activeTab"], "action": {}},
    "hosts that a build tool fills in": {"permissions": [*ALL, "__HOSTS__"]},
    "a key for a build tool": {"{{chrome}}.host_permissions": ["*://*/*"]},
}


@pytest.mark.parametrize("keys", REQUESTED.values(), ids=REQUESTED.keys())
def test_any_host_request_suffices(keys: dict[str, object]) -> None:
    assert lint(files(INJECT, **keys), [RULE], "chrome") == []


@pytest.mark.parametrize("handler", ["", "console.log(e)", "throw e"])
def test_hidden_failure_is_reported(handler: str) -> None:
    found = lint(files(f"try {{ {INJECT} }} catch (e) {{ {handler} }}"), [RULE], "chrome")
    assert [each.rule for each in found] == [RULE]


NOT_REPORTED = {
    "a call without a required host": "chrome.cookies.getAllCookieStores(f); chrome.tabs.query({})",
    "a member passed to a function": "f(chrome.scripting.executeScript)",
    "a call whose failure has an alternative": f"try {{ {INJECT} }} catch {{ f() }}",
    "a listener that is removed": "chrome.webRequest.onCompleted.removeListener(f)",
    "a listener to requests that are not known": "chrome.webRequest.onCompleted.addListener(f, filter)",
    "a listener to requests of the extension's own": (
        "chrome.webRequest.onCompleted.addListener(f, {urls: ['chrome-extension://*/*']})"
    ),
    "a listener to rules": "chrome.webRequest.handlerBehaviorChanged()",
}


@pytest.mark.parametrize("source", NOT_REPORTED.values(), ids=NOT_REPORTED.keys())
def test_unaffected_or_guarded_call_is_not_reported(source: str) -> None:
    assert lint(files(source), [RULE], "chrome") == []


INCOMPLETE: dict[str, dict[str, str]] = {
    "a script that is not there": {"b.js": f"import './other.js'; {INJECT}"},
    "a library that is not there": {"b.js": f"import name from 'library'; {INJECT}"},
    "a manifest for another browser": {
        "manifest.firefox.json": manifest(host_permissions=["*://*/*"], version="2")
    },
    "a program that may generate a manifest": {"manifest.config.ts": ""},
    "a script that makes the manifest": {"make-manifest.mjs": ""},
    "a script that nothing is known to load": {"b.js": "", "d.js": INJECT},
}


@pytest.mark.parametrize("others", INCOMPLETE.values(), ids=INCOMPLETE.keys())
def test_incomplete_package_is_not_checked(others: dict[str, str]) -> None:
    assert lint({**files(INJECT), **others}, [RULE], "chrome") == []


def test_missing_permission_takes_precedence() -> None:
    found = lint(files(INJECT, permissions=[]), [RULE, "missing-permission"], "chrome")
    assert [each.rule for each in found] == ["missing-permission"]


def test_content_script_hosts_count_in_firefox() -> None:
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
    "a click without its manifest key": (f"{CLICKED}; {INJECT}", ACTIVE_TAB, False),
    "each tab, without a listener on the button": (AT_UPDATE, BUTTON, True),
    "each tab, with a listener on the button": (f"{AT_UPDATE}; {CLICKED}", BUTTON, False),
    "each tab, and there is a popup": (
        AT_UPDATE,
        {**ACTIVE_TAB, "action": {"default_popup": "p.html"}},
        False,
    ),
    "an alarm": (
        f"chrome.alarms.create({{}}); chrome.alarms.onAlarm.addListener(() => {{ {INJECT} }})",
        BUTTON,
        True,
    ),
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


@pytest.mark.parametrize(("source", "keys", "is_reported"), NEVER_GRANTED.values(), ids=NEVER_GRANTED.keys())
def test_active_tab_without_user_action(source: str, keys: dict[str, object], is_reported: bool) -> None:
    package = {**files(source, **keys), "p.html": ""}
    assert bool(lint(package, [RULE], "chrome")) is is_reported


def test_active_tab_message_names_the_event() -> None:
    found = [lint(files(source, **BUTTON), [RULE], "chrome")[0].message for source in (AT_UPDATE, AT_INSTALL)]
    assert [each.rpartition(": ")[2] for each in found] == [
        "no user starts the extension by `tabs.onUpdated`",
        "no user starts the extension by `runtime.onInstalled`",
    ]


def test_other_manifest_without_requests_excuses_nothing() -> None:
    package = {**files(INJECT), "manifest.firefox.json": '{"browser_specific_settings": {}}'}
    assert [each.rule for each in lint(package, [RULE], "chrome")] == [RULE]


ACTIONS: dict[str, dict[str, object]] = {
    "modifyHeaders": {"requestHeaders": [{"header": "cookie", "operation": "remove"}]},
    "redirect": {"redirect": {"url": "https://example.com/"}},
    "block": {},
    "allow": {},
    "upgradeScheme": {},
}
ON_HOSTS = ["modifyHeaders", "redirect"]


def rule_of(kind: str) -> dict[str, object]:
    return {"id": 1, "action": {"type": kind, **ACTIONS[kind]}, "condition": {"urlFilter": "||example.com"}}


def messages_of_rules(kinds: list[str], target: str, **keys: object) -> list[str]:
    """Returns the messages for a file of rules, which are the same for these rules in a call."""
    listed = [{"id": "main", "enabled": True, "path": "r.json"}]
    rules = json.dumps([rule_of(kind) for kind in kinds])
    called = f"chrome.declarativeNetRequest.updateDynamicRules({{addRules: {rules}}})"
    requested = {"permissions": ["declarativeNetRequest"], **keys}
    package = {
        "manifest.json": manifest(declarative_net_request={"rule_resources": listed}, **requested),
        "r.json": rules,
    }
    of_file = [each.message for each in lint(package, [RULE], target)]
    of_call = [each.message for each in lint(files(called, **requested), [RULE], target)]
    assert of_file == of_call
    return of_file


@pytest.mark.parametrize("target", ["firefox", "chrome"])
@pytest.mark.parametrize("kind", ACTIONS)
def test_rules_that_require_hosts(kind: str, target: str) -> None:
    expected = f"a rule of the type `{kind}` requires a host permission, and the manifest requests none"
    assert messages_of_rules([kind], target) == ([expected] if kind in ON_HOSTS else [])
    assert messages_of_rules([kind], target, host_permissions=["*://*.example.com/*"]) == []
    assert messages_of_rules([kind], target, permissions=["declarativeNetRequest", "activeTab"]) == []


def test_first_rule_of_a_file_is_reported() -> None:
    assert len(messages_of_rules(["block", "redirect", "modifyHeaders"], "chrome")) == 1
