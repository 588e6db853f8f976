"""Listeners that each event of another kind adds again: `repeated-listener`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ("repeated-listener",)
WORKER = {"background": {"service_worker": "b.js"}, "action": {}}
MESSAGE = "chrome.runtime.onMessage.addListener"
TAB = "chrome.tabs.onActivated.addListener"
ADD = "chrome.windows.onRemoved.addListener((id) => { console.log(id); });"


def count_findings(script: str, target: str = "chrome", **keys: object) -> int:
    """Returns the number of findings in a background script."""
    described = manifest(permissions=["storage", "tabs"], **{**WORKER, **keys})
    return len(reported({"manifest.json": described, "b.js": script}, RULES, target))


AGAIN = {
    "at each change of tabs": f"{TAB}(() => {{ {ADD} }});",
    "in a function": f"{TAB}(watch); function watch() {{ {ADD} }}",
    "after a wait": f"{TAB}(async () => {{ await chrome.storage.local.get('a'); {ADD} }});",
    "in a callback": f"{TAB}(() => chrome.storage.local.get('a', () => {{ {ADD} }}));",
    "in a timer": f"{TAB}(() => {{ setTimeout(() => {{ {ADD} }}, 9); }});",
    "in a timer that is kept": f"{TAB}(() => {{ self.timer = setTimeout(() => {{ {ADD} }}, 9); }});",
    "for the same data": f"chrome.storage.onChanged.addListener((all) => {{ if (all.on) {{ {ADD} }} }});",
    "unless the data differ": f"{TAB}(({{tabId}}) => {{ if (tabId === 1) return; {ADD} }});",
    "at each message": f"{MESSAGE}(() => {{ {ADD} }});",
    "at each event of one of two names": (
        f"(chrome.menus || chrome.contextMenus).onClicked.addListener(() => {{ {ADD} }});"
    ),
    "a function without a name": f"{TAB}(() => {{ {ADD.replace('(id) =>', 'function (id)')} }});",
    "an asynchronous function": f"{TAB}(() => {{ {ADD.replace('(id) =>', 'async id =>')} }});",
    "in a try": f"{TAB}(() => {{ try {{ console.log(1); {ADD} }} catch {{ }} }});",
    "at load and at each event": f"watch(); {TAB}(watch); function watch() {{ {ADD} }}",
}


@pytest.mark.parametrize("script", AGAIN.values(), ids=AGAIN.keys())
def test_listener_added_again_is_reported(script: str) -> None:
    assert count_findings(script) == 1
    assert count_findings(script, "reference") == 1


ONCE = {
    "at load": ADD,
    "when installed": f"chrome.runtime.onInstalled.addListener(() => {{ {ADD} }});",
    "once, by a variable": f"let on; {TAB}(() => {{ if (!on) {{ {ADD} }} on = true; }});",
    "once, by a field": f"{TAB}(() => {{ if (self.on) return; self.on = true; {ADD} }});",
    "unless there is one": f"{TAB}(() => {{ if (!chrome.windows.onRemoved.hasListeners()) {{ {ADD} }} }});",
    "a shared function": f"{TAB}(() => chrome.windows.onRemoved.addListener(f)); let f = () => {{}};",
    "a function that may remove itself": f"{TAB}(() => {{ {ADD.replace('(id) =>', 'function f(id)')} }});",
    "a function that may remove itself without a name": (
        f"{TAB}(() => {{ {ADD.replace('(id) => {', 'function (id) { end(arguments.callee);')} }});"
    ),
    "before the script ends": f"{TAB}(() => {{ {ADD} chrome.runtime.reload(); }});",
    "before the page is closed": f"{MESSAGE}(() => {{ {ADD} setTimeout(() => window.close(), 9); }});",
    "before another page": f"{MESSAGE}(() => {{ {ADD} location.href = 'p.html'; }});",
    "a function that is kept": f"let f; {TAB}(() => {{ {ADD.replace('((id)', '(f = (id)')} }});",
    "at one kind of message": f"{MESSAGE}((message) => {{ if (message === 'start') {{ {ADD} }} }});",
    "of a port": "chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener((m) => f(m)));",
    "of the page": f"{TAB}(() => {{ self.addEventListener('fetch', () => {{}}); }});",
    "in a timer that may be cleared": (
        f"let timer; {TAB}(() => {{ clearTimeout(timer); timer = setTimeout(() => {{ {ADD} }}, 9); }});"
    ),
    "in a timer that an answer clears": (
        f"{TAB}(() => {{ const timer = setTimeout(() => {{ {ADD} }}, 9); ask(() => clearTimeout(timer)); }});"
    ),
    "in a try after a call that may fail": f"{TAB}(() => {{ try {{ once(); {ADD} }} catch {{ }} }});",
    "in a catch": f"{TAB}(() => {{ try {{ once(); }} catch {{ {ADD} }} }});",
    "by a stand-in": f"const chrome = stub(); {TAB}(() => {{ {ADD} }});",
}


@pytest.mark.parametrize("script", ONCE.values(), ids=ONCE.keys())
def test_listener_that_may_be_added_once_is_not_reported(script: str) -> None:
    assert count_findings(script) == 0


@pytest.mark.parametrize(
    ("keys", "target"),
    [
        ({"background": {"scripts": ["b.js"]}, "manifest_version": 2}, "firefox"),
        (
            {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["b.js"]}], "background": {}},
            "chrome",
        ),
    ],
)
def test_listener_in_other_contexts(keys: dict[str, object], target: str) -> None:
    script = f"{MESSAGE}(() => chrome.storage.onChanged.addListener(() => {{ console.log(1); }}));"
    assert count_findings(script, target, **keys) == 1


CONNECTED = {
    "at each connection": f"chrome.runtime.onConnect.addListener(() => {{ {ADD} }});",
    "at one kind of connection": (
        f"chrome.runtime.onConnect.addListener((port) => {{ if (port.name === 'list') {{ {ADD} }} }});"
    ),
    "at each message of a port": (
        f"chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(() => {{ {ADD} }}));"
    ),
    "when a port is closed": (
        f"chrome.runtime.onConnect.addListener((port) => port.onDisconnect.addListener(() => {{ {ADD} }}));"
    ),
}
KEPT = {
    "until the port is closed": (
        "chrome.runtime.onConnect.addListener((port) => { const show = (id) => port.postMessage(id);"
        "chrome.windows.onRemoved.addListener(show);"
        "port.onDisconnect.addListener(() => chrome.windows.onRemoved.removeListener(show)); });"
    ),
    "at the first connection": (
        f"let on; chrome.runtime.onConnect.addListener(() => {{ if (on) return; on = true; {ADD} }});"
    ),
    "at a message of the own port": f"chrome.runtime.connect().onMessage.addListener(() => {{ {ADD} }});",
}


def count_with_page(script: str) -> int:
    """Returns the number of findings in a background to which a page connects."""
    page = {
        "p.html": "<!doctype html><script src=p.js></script>",
        "p.js": "chrome.runtime.connect({name: 'list'});",
    }
    described = manifest(permissions=["tabs"], options_ui={"page": "p.html"}, **WORKER)
    return len(reported({"manifest.json": described, "b.js": script, **page}, RULES, "chrome"))


@pytest.mark.parametrize("script", CONNECTED.values(), ids=CONNECTED.keys())
def test_listener_added_at_each_connection_is_reported(script: str) -> None:
    assert count_with_page(script) == 1
    assert count_findings(script) == 0


@pytest.mark.parametrize("script", KEPT.values(), ids=KEPT.keys())
def test_listener_of_one_connection_is_not_reported(script: str) -> None:
    assert count_with_page(script) == 0


def test_listener_in_a_page() -> None:
    pages = {"p.html": "<!doctype html><script src=p.js></script>", "p.js": f"{MESSAGE}(() => {{ {ADD} }});"}
    described = manifest(permissions=["tabs"], options_ui={"page": "p.html"})
    assert len(reported({"manifest.json": described, **pages}, RULES, "firefox")) == 1


def test_message_names_both_events() -> None:
    described = manifest(permissions=["tabs"], **WORKER)
    (found,) = lint({"manifest.json": described, "b.js": AGAIN["in a function"]}, RULES, "chrome")
    added = "each `tabs.onActivated` adds another listener of `windows.onRemoved`"
    assert found.message == f"{added}, and all of them run from then on"
    assert found.help == "add the listener once, outside of the listener of `tabs.onActivated`"


def test_late_listener_is_the_cause() -> None:
    script = f"{TAB}(() => chrome.alarms.onAlarm.addListener(() => {{ console.log(1); }}));"
    described = manifest(permissions=["alarms"], **WORKER)
    found = lint({"manifest.json": described, "b.js": script}, ("late-listener", *RULES), "chrome")
    assert [each.rule for each in found] == ["late-listener"]
