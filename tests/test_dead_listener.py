"""Listeners of events that are never dispatched: `dead-listener`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

RULES = ("dead-listener",)
Keys = Mapping[str, object]
POPUP: Keys = {"action": {"default_popup": "popup.html"}}
REQUESTS = ["alarms", "contextMenus", "menus", "notifications", "sidePanel", "storage"]
CLICK = "chrome.action.onClicked.addListener(f);"
PANEL = "chrome.sidePanel.setPanelBehavior({openPanelOnActionClick: true});"


def package(script: str, keys: Keys, **files: str) -> dict[str, str]:
    """Returns an extension with a worker, and a page for a side panel."""
    worker: Keys = {"background": {"service_worker": "b.js"}, "side_panel": {"default_path": "popup.html"}}
    described = {"permissions": REQUESTS, **worker, **keys}
    return {
        "manifest.json": manifest(**described),
        "b.js": script,
        "c.js": "chrome[x].f();",
        "popup.html": "<p>",
        **files,
    }


def reasons(script: str, keys: Keys = POPUP, target: str = "chrome", **files: str) -> list[str]:
    """Returns the reasons why the listeners never run, from the messages."""
    found = lint(package(script, keys, **files), RULES, target)
    return [each.message.partition(": ")[2] for each in found]


OPENS_POPUP = "a click opens the popup of `action.default_popup` instead"
OPENS_PANEL = "a click opens the side panel instead, as `sidePanel.setPanelBehavior` says"


@pytest.mark.parametrize(
    ("script", "keys", "expected"),
    [
        pytest.param(CLICK, POPUP, [OPENS_POPUP], id="a popup"),
        pytest.param(CLICK, {"action": {}}, [], id="no popup"),
        pytest.param(CLICK, {"action": {"default_popup": ""}}, [], id="an empty popup"),
        pytest.param(
            f"{CLICK} chrome.action.setPopup({{popup: ''}});", POPUP, [], id="a popup that is taken away"
        ),
        pytest.param(
            f"{CLICK} const name = 'set' + 'Popup'; chrome.action[name]({{popup: ''}});",
            POPUP,
            [],
            id="a popup that is taken away by a computed name",
        ),
        pytest.param(f"{CLICK} api.action['setPopup']();", POPUP, [], id="a popup that may be unset"),
        pytest.param(f"import './lost.js'; {CLICK}", POPUP, [], id="a script that is missing"),
        pytest.param(
            f"chrome.scripting.executeScript({{target, files: ['lost.js']}}); {CLICK}",
            POPUP,
            [OPENS_POPUP],
            id="a script for web pages that is missing",
        ),
        pytest.param(
            CLICK,
            {**POPUP, "content_scripts": [{"matches": ["https://*/*"], "js": ["c.js"]}]},
            [OPENS_POPUP],
            id="a script for web pages that is not understood",
        ),
        pytest.param(f"chrome[x].f(); {CLICK}", POPUP, [], id="a script that is not understood"),
        pytest.param(f"{PANEL} {CLICK}", {"action": {}}, [OPENS_PANEL], id="a side panel"),
        pytest.param(
            f"chrome.runtime.onInstalled.addListener(() => {{ {PANEL} }}); {CLICK}",
            {"action": {}},
            [OPENS_PANEL],
            id="a side panel from the installation on",
        ),
        pytest.param(
            f"chrome.runtime.onStartup.addListener(() => {{ {PANEL} }}); {CLICK}",
            {"action": {}},
            [],
            id="a side panel from the next start of the browser on",
        ),
        pytest.param(
            f"chrome.runtime.onInstalled.addListener(() => {{ if (x) {PANEL} }}); {CLICK}",
            {"action": {}},
            [],
            id="a side panel at times, when it is installed",
        ),
        pytest.param(f"{PANEL} {CLICK}", {"action": {}, "side_panel": {}}, [], id="no panel to open"),
        pytest.param(f"if (x) {PANEL} {CLICK}", {"action": {}}, [], id="a side panel at times"),
        pytest.param(
            f"{PANEL} {CLICK} function g() {{ {PANEL.replace('true', 'x')} }}",
            {"action": {}},
            [],
            id="a side panel that may be taken away",
        ),
    ],
)
def test_button_click_listeners(script: str, keys: Keys, expected: list[str]) -> None:
    assert reasons(script, keys) == expected


AT_CLICK = f"chrome.action.onClicked.addListener(() => {{ {PANEL} }});"
TWICE = "only runs for the first click, which opens nothing: from then on, " + OPENS_PANEL
OPEN = "chrome.sidePanel.open({windowId: tab.windowId})"
AT_CLICKS = {
    "a listener": (AT_CLICK, True),
    "an async listener": (AT_CLICK.replace("()", "async (tab)").replace("chrome.s", "await chrome.s"), True),
    "a function": (f"chrome.action.onClicked.addListener(show); function show() {{ {PANEL} }}", True),
    "other code, too": (AT_CLICK.replace("{ ", "{ chrome.storage.local.set({a: 1}); "), True),
    "the panel is opened": (AT_CLICK.replace("() => {", f"(tab) => {{ {OPEN};"), False),
    "the panel may be opened": (
        f"{AT_CLICK} chrome.runtime.onMessage.addListener((m, {{tab}}) => {OPEN});",
        False,
    ),
    "a condition": (AT_CLICK.replace("{ ", "{ if (x) "), False),
    "clicks that open nothing": (AT_CLICK.replace("true", "false"), False),
}


@pytest.mark.parametrize(("script", "is_reported"), AT_CLICKS.values(), ids=AT_CLICKS.keys())
def test_click_that_makes_clicks_open_the_panel(script: str, is_reported: bool) -> None:
    found = lint(package(script, {"action": {}}), RULES, "chrome")
    expected = [f"the listener of `action.onClicked` {TWICE}"] if is_reported else []
    assert [each.message for each in found] == expected


@pytest.mark.parametrize(
    ("target", "keys", "namespace", "is_dead"),
    [
        ("firefox", {**POPUP, "background": {"scripts": ["b.js"]}}, "action", False),
        ("edge", POPUP, "action", True),
        ("reference", POPUP, "action", False),
        ("chrome<=138", {"browser_action": {"default_popup": "popup.html"}}, "browserAction", True),
        ("chrome<=138", {"page_action": {"default_popup": "popup.html"}}, "pageAction", True),
        ("chrome<=138", {"page_action": {}}, "pageAction", False),
    ],
)
def test_click_listeners_per_target(target: str, keys: Keys, namespace: str, is_dead: bool) -> None:
    older: Keys = (
        {} if namespace == "action" else {"manifest_version": 2, "background": {"scripts": ["b.js"]}}
    )
    script = CLICK.replace("action", namespace)
    assert bool(reasons(script, {**keys, **older}, target)) is is_dead


@pytest.mark.parametrize(
    ("script", "is_dead"),
    [
        pytest.param(PANEL, True, id="a click opens the side panel"),
        pytest.param(f"{PANEL} chrome.action.openPopup();", False, id="a popup that a script opens"),
        pytest.param(PANEL.replace("true", "false"), False, id="a click opens the popup"),
        pytest.param(f"if (x) {PANEL}", False, id="a side panel at times"),
        pytest.param(f"{PANEL} chrome[x].f();", False, id="a script that is not understood"),
    ],
)
def test_popup_that_never_opens(script: str, is_dead: bool) -> None:
    assert reasons(script) == [OPENS_PANEL] * is_dead
    assert reasons(script, {"action": {}}) == []
    assert reasons(script, {**POPUP, "background": {"scripts": ["b.js"]}}, "firefox") == []


MENU = "chrome.contextMenus.onClicked.addListener(f);"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (MENU, ["no script creates a menu item"]),
        ("chrome.alarms.onAlarm.addListener(f);", ["no script creates an alarm"]),
        ("chrome.notifications.onClicked.addListener(f);", ["no script creates a notification"]),
        ("chrome.notifications.onButtonClicked.addListener(f);", ["no script creates a notification"]),
        (f"{MENU} chrome.contextMenus.create({{id: 'a', title: 'A'}});", []),
        (f"{MENU} const {{create}} = chrome.contextMenus; g(create);", []),
        (f"{MENU} wrapped(chrome).contextMenus.create({{id: 'a'}});", []),
        (f"{MENU} chrome.tabs.create({{}});", ["no script creates a menu item"]),
        ("chrome.alarms.onAlarm.addListener(f); chrome.alarms.create({when: 1});", []),
        (f"if (chrome.contextMenus.onClicked) {PANEL}", []),
        ("chrome.tabs.onCreated.addListener(f);", []),
    ],
)
def test_events_of_items_that_are_never_created(script: str, expected: list[str]) -> None:
    assert reasons(script, {}) == expected


def test_page_may_create_the_item() -> None:
    script = "chrome.contextMenus.create({id: 'a'});"
    page = {"popup.html": "<script src=p.js></script>", "p.js": script}
    assert reasons(MENU, POPUP, "chrome", **page) == []


def test_menus_and_context_menus_are_the_same_in_firefox() -> None:
    keys: Keys = {"background": {"scripts": ["b.js"]}}
    script = "browser.contextMenus.create({id: 'a', title: 'A'}); browser.menus.onClicked.addListener(f);"
    assert reasons(script, keys, "firefox") == []
    assert reasons("browser.menus.onClicked.addListener(f);", keys, "firefox")


@pytest.mark.parametrize(
    ("keys", "is_dead"),
    [
        pytest.param(POPUP, True, id="the same popup"),
        pytest.param({"action": {}}, False, id="no popup"),
        pytest.param({"browser_action": {}}, False, id="another button"),
    ],
)
def test_listener_may_run_with_the_manifest_for_another_browser(keys: Keys, is_dead: bool) -> None:
    settings = {"gecko": {"id": "a@example.com"}}
    other: Keys = {"background": {"scripts": ["b.js"]}, "browser_specific_settings": settings}
    files = {"manifest.firefox.json": manifest(**{**other, **keys})}
    assert bool(reasons(CLICK, POPUP, "chrome", **files)) is is_dead


V2: Keys = {"manifest_version": 2}
PAGE: Keys = {"background": {"scripts": ["b.js"]}}
PERSISTENT = "the background page is persistent"
OF_WORKER = "a service worker ends without this event"
BOTH: Keys = {"background": {"scripts": ["b.js"], "service_worker": "b.js"}}
SUSPENSIONS: dict[str, tuple[Keys, str, list[str]]] = {
    "a persistent page": ({**V2, **PAGE}, "firefox", [PERSISTENT]),
    "a persistent page, as stated": (
        {**V2, "background": {"scripts": ["b.js"], "persistent": True}},
        "firefox",
        [PERSISTENT],
    ),
    "an event page": ({**V2, "background": {"scripts": ["b.js"], "persistent": False}}, "firefox", []),
    "Manifest V3": (PAGE, "firefox", []),
    "Chrome": ({**V2, **PAGE}, "chrome<=138", []),
    "a worker": ({}, "chrome", [OF_WORKER]),
    "a worker and a page": (BOTH, "chrome", []),
    "a worker in Firefox": ({}, "firefox", []),
}


@pytest.mark.parametrize("event", ["onSuspend", "onSuspendCanceled"])
@pytest.mark.parametrize(("keys", "target", "expected"), SUSPENSIONS.values(), ids=SUSPENSIONS.keys())
def test_only_a_page_that_ends_is_suspended(event: str, keys: Keys, target: str, expected: list[str]) -> None:
    assert reasons(f"chrome.runtime.{event}.addListener(f);", keys, target) == expected


def test_program_may_end_the_background() -> None:
    script = "browser.runtime.onSuspend.addListener(f);"
    program = "const manifest = require('./manifest.json'); manifest.background.persistent = false;"
    assert reasons(script, {**V2, **PAGE}, "firefox", **{"build.js": program}) == []
    other = manifest(background={"scripts": ["b.js"]})
    assert reasons(script, {**V2, **PAGE}, "firefox", **{"manifest.v3.json": other}) == []


LISTEN = "document.addEventListener('DOMContentLoaded', () => { f(); });"
IDLE_AND_END = ["document_end", "document_idle"]
PAGE_LOADS = {
    "of the document": (LISTEN, True),
    "of the window": (
        "window.addEventListener('DOMContentLoaded', function () { f(); }, {once: true});",
        True,
    ),
    "in a function that runs at once": (f"(function () {{ {LISTEN} }})();", True),
    "by name": ("document.addEventListener('DOMContentLoaded', start); function start() {}", True),
    "of another event": ("window.addEventListener('load', () => f());", False),
    "of an element": ("document.body.addEventListener('DOMContentLoaded', () => f());", False),
    "of a frame": ("frame.contentWindow.addEventListener('DOMContentLoaded', () => f());", False),
    "after a test of the state": (f"if (document.readyState === 'loading') {LISTEN} else f();", False),
    "next to another call of the function": (
        "function start() {} start(); document.addEventListener('DOMContentLoaded', start);",
        False,
    ),
    "next to the same call": (
        "a.start(); document.addEventListener('DOMContentLoaded', () => {\n a.start();\n});",
        False,
    ),
    "with several statements": (
        "document.addEventListener('DOMContentLoaded', () => { const a = f(); a.start(); });",
        True,
    ),
    "under a condition": (f"if (navigator.onLine) {LISTEN}", False),
    "in a function that another event calls": (
        f"addEventListener('hashchange', () => {{ {LISTEN} }});",
        False,
    ),
}


def missed(script: str, target: str, *times: str | None, **files: str) -> int:
    """Returns the number of findings about a content script that runs at some times."""
    entries = [
        {"matches": ["https://a.example/*"], "js": ["c.js"], **({"run_at": each} if each else {})}
        for each in times
    ]
    package = {"manifest.json": manifest(content_scripts=entries), "c.js": script, **files}
    return len(lint(package, ["dead-listener"], target))


@pytest.mark.parametrize(("script", "is_missed"), PAGE_LOADS.values(), ids=PAGE_LOADS)
@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_listener_for_a_page_that_is_parsed_before(script: str, is_missed: bool, target: str) -> None:
    assert missed(script, target, None) == is_missed
    assert missed(script, target, "document_idle", None) == is_missed


@pytest.mark.parametrize(
    ("target", "times"),
    [("chrome", IDLE_AND_END), ("firefox", ["document_idle"]), ("chrome,firefox", ["document_idle"])],
)
def test_browsers_run_content_scripts_at_different_times(target: str, times: list[str]) -> None:
    everywhere = target != "chrome,firefox"
    for each in ("document_start", *IDLE_AND_END):
        assert missed(LISTEN, target, each) == (each in times if everywhere else each != "document_start")
    assert missed(LISTEN, target, "document_start", "document_idle") == 0


def test_script_that_a_page_loads_too_hears_it() -> None:
    files = {"p.html": "<script src=c.js></script>"}
    described = manifest(
        content_scripts=[{"matches": ["https://a.example/*"], "js": ["c.js"]}], options_ui={"page": "p.html"}
    )
    assert lint({"manifest.json": described, "c.js": LISTEN, **files}, ["dead-listener"], "chrome") == []
