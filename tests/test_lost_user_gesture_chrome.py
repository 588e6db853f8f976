"""Calls without a user action in service workers of Chrome: `lost-user-gesture`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("lost-user-gesture",)
OPEN = "chrome.sidePanel.open({windowId: 1});"
CLICK = "chrome.action.onClicked.addListener"
MESSAGE = "chrome.runtime.onMessage.addListener"
KEYS = {
    "action": {},
    "permissions": ["sidePanel", "storage", "tabs", "alarms"],
    "optional_permissions": ["history"],
    "background": {"service_worker": "b.js"},
}


def messages(script: str, target: str = "chrome", **files: str) -> list[str]:
    package = {"manifest.json": manifest(**KEYS), "b.js": script, **files}
    return [each.message.partition(", ")[2] for each in lint(package, RULES, target)]


ALARM = "chrome.alarms.create({when: 1});"
REPORTED = {
    f"{CLICK}(async () => {{ await chrome.tabs.query({{}}); {OPEN} }});": (
        "which is over once `tabs.query` is awaited"
    ),
    f"{CLICK}(async () => {{ await null; {OPEN} }});": "which is over after an `await`",
    f"{MESSAGE}((message) => {{ (async () => {{ await f(); {OPEN} }})(); return true; }});": (
        "which is over after an `await`"
    ),
    f"{MESSAGE}(async () => {{ await chrome.storage.local.get(); show(); }}); function show() {{ {OPEN} }}": (
        "which is over once `storage.local.get` is awaited"
    ),
    f"{CLICK}(() => {{ chrome.storage.local.get().then(() => {{ {OPEN} }}); }});": (
        "which is over when a promise is fulfilled"
    ),
    f"{CLICK}(() => {{ setTimeout(() => {{ {OPEN} }}, 0); }});": "which is over when a timer ends",
    f"{CLICK}(async () => {{ await null; try {{ await {OPEN} }} catch (e) {{ console.error(e); }} }});": (
        "which is over after an `await`"
    ),
    f"{CLICK}(async () => {{ await null; chrome.permissions.request({{permissions: ['history']}}); }});": (
        "which is over after an `await`"
    ),
    f"{CLICK}((tab) => {{ chrome.tabs.sendMessage(tab.id, 1, () => {{ {OPEN} }}); }});": (
        "which is over when `tabs.sendMessage` is answered"
    ),
    f"chrome.runtime.onInstalled.addListener(() => {{ {OPEN} }});": "and `runtime.onInstalled` is none",
    f"{ALARM} chrome.alarms.onAlarm.addListener(() => {{ chrome.tabs.query({{}}, () => {{ {OPEN} }}); }});": (
        "and `alarms.onAlarm` is none"
    ),
    f"chrome.runtime.onInstalled.addListener(async () => {{ await chrome.tabs.query({{}}); {OPEN} }});": (
        "and `runtime.onInstalled` is none"
    ),
    f"{CLICK}(f); chrome.runtime.onInstalled.addListener(f); async function f() {{ await null; {OPEN} }}": (
        "which is over after an `await`"
    ),
    OPEN: "and the start of the service worker is none",
}


@pytest.mark.parametrize(("script", "message"), REPORTED.items(), ids=range(len(REPORTED)))
def test_reported(script: str, message: str) -> None:
    assert messages(script) == [message]


@pytest.mark.parametrize(
    ("event", "help"),
    [
        ("action.onClicked", "call it before the first `await`"),
        ("runtime.onMessage", "call it before the first `await`"),
        (
            "runtime.onInstalled",
            "call it in a listener of `action.onClicked`, or in a page when the user clicks",
        ),
        ("alarms.onAlarm", "call it in a listener of `action.onClicked`, or in a page when the user clicks"),
    ],
)
def test_advice_after_an_await_depends_on_the_event(event: str, help: str) -> None:
    script = f"{ALARM} chrome.{event}.addListener(async () => {{ await chrome.tabs.query({{}}); {OPEN} }});"
    package = {"manifest.json": manifest(**KEYS), "b.js": script}
    assert [each.help for each in lint(package, RULES, "chrome")] == [help]


NOT_REPORTED = {
    "at once": f"{CLICK}(() => {{ {OPEN} }});",
    "before an await": f"{CLICK}(async () => {{ {OPEN} await f(); }});",
    "in a callback of the API, in which the gesture still holds": (
        f"{CLICK}(() => {{ chrome.tabs.query({{}}, () => {{ {OPEN} }}); }});"
    ),
    "on a message, which may come from a click": f"{MESSAGE}(() => {{ {OPEN} }});",
    "on a tab that a person may have clicked": f"chrome.tabs.onActivated.addListener(() => {{ {OPEN} }});",
    "on two events, including one gesture": (
        f"{CLICK}(f); chrome.runtime.onInstalled.addListener(f); function f() {{ {OPEN} }}"
    ),
    "after an await on some paths": f"{CLICK}(async () => {{ if (x) await f(); {OPEN} }});",
    "in what something unknown calls": f"register(() => {{ {OPEN} }});",
    "in what nothing calls": f"function f() {{ {OPEN} }}",
    "with a fallback": f"{CLICK}(async () => {{ await f(); try {{ await {OPEN} }} catch {{ g() }} }});",
    "an API without a required gesture": f"{CLICK}(async () => {{ await f(); chrome.tabs.create({{}}); }});",
}


@pytest.mark.parametrize("script", NOT_REPORTED.values(), ids=NOT_REPORTED.keys())
def test_call_in_user_action_is_not_reported(script: str) -> None:
    assert messages(script) == []


LATE = f"export async function show() {{ await f(); {OPEN} }}"


def test_module_shared_with_a_page_is_not_reported() -> None:
    page = {
        "a.html": "<script type=module src=a.js></script>",
        "a.js": "import {show} from './c.js'; show();",
    }
    worker = "import {show} from './c.js'; chrome.action.onClicked.addListener(show);"
    assert messages(worker, **{"c.js": LATE})
    assert not messages(worker + "chrome.tabs.create({url: 'a.html'});", **{"c.js": LATE, **page})


def test_timely_call_from_another_script_suffices() -> None:
    both = "import {show} from './c.js'; chrome.action.onClicked.addListener(show);"
    exported = f"export function show() {{ {OPEN} }} chrome.runtime.onInstalled.addListener(show);"
    assert messages(both, **{"c.js": exported}) == []
    assert messages("import './c.js';", **{"c.js": exported}) == ["and `runtime.onInstalled` is none"]


@pytest.mark.parametrize("target", ["chrome", "edge"])
def test_reported_for_chromium_targets(target: str) -> None:
    assert messages(OPEN, target)


def page(script: str) -> list[str]:
    named = {"a.html": "<button>Open</button><script src=a.js></script>", "a.js": script}
    package = {"manifest.json": manifest(**KEYS, options_page="a.html"), "b.js": "", **named}
    return [each.message.partition(", ")[2] for each in lint(package, RULES, "chrome")]


@pytest.mark.parametrize(
    "script",
    [
        OPEN,
        f"if (confirm('Open?')) {{ {OPEN} }}",
        f"(async () => {{ await chrome.storage.local.get(); {OPEN} }})();",
        f"chrome.tabs.query({{}}, () => {{ {OPEN} }});",
    ],
)
def test_call_at_load_of_page_is_reported(script: str) -> None:
    assert page(script) == ["and the load of the page is none"]


@pytest.mark.parametrize(
    "script",
    [
        f"onclick = () => {{ {OPEN} }};",
        f"onclick = async () => {{ await f(); {OPEN} }};",
        f"setTimeout(() => {{ {OPEN} }}, 9000);",
        f"(async () => {{ await clicked(); {OPEN} }})();",
        f"addEventListener('load', () => {{ onclick = () => {{ {OPEN} }}; }});",
    ],
)
def test_call_in_page_that_may_be_in_user_action_is_not_reported(script: str) -> None:
    assert page(script) == []


PANEL = "chrome.sidePanel.setPanelBehavior({openPanelOnActionClick: true})"
INSTALLED = "chrome.runtime.onInstalled.addListener"


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        (f"{INSTALLED}(async () => {{ if (chrome.sidePanel?.setPanelBehavior) await {PANEL}; }});", False),
        (f"{INSTALLED}(async () => {{ try {{ await {PANEL}; }} catch (e) {{ f(e); }} }});", False),
        (f"chrome.runtime.onStartup.addListener(() => {{ {PANEL}; }});", False),
        (f"if (chrome.sidePanel) {PANEL};", False),
        (f"{PANEL};", False),
        (f"if (chrome.sidePanel) {PANEL.replace('true', 'x')};", True),
        (f"{INSTALLED}(() => {{ if (x) {PANEL}; else {PANEL.replace('true', 'false')}; }});", True),
        (f"{MESSAGE}(() => {{ {PANEL}; }});", True),
        ("", True),
    ],
)
def test_click_listener_that_never_runs(script: str, is_reported: bool) -> None:
    use = f"{CLICK}(async () => {{ await null; {OPEN} }});"
    files = {"manifest.json": manifest(**KEYS, side_panel={"default_path": "p.html"}), "p.html": ""}
    found = lint({**files, "b.js": script + use}, RULES, "chrome")
    assert [each.rule for each in found] == list(RULES) * is_reported
