"""Files that calls inject: what they result in, and what happens when they are injected again."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ["invalid-argument"]
CLICK = "chrome.action.onClicked.addListener(async (tab) => { %s });"
INJECT = "chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ['a.js'] })"
POPUP = "const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });"


def messages(script: str, injected: str, target: str = "firefox", *, in_popup: bool = False) -> list[str]:
    """Returns the messages about a script of a background or popup, which injects a file."""
    background = {"scripts": ["b.js"]} if target == "firefox" else {"service_worker": "b.js"}
    action = {"default_popup": "p.html"} if in_popup else {}
    files = {
        "manifest.json": manifest(
            permissions=["activeTab", "scripting", "tabs"], background=background, action=action
        ),
        "b.js": "" if in_popup else script,
        "p.html": "<button></button><script type=module src=p.js></script>",
        "p.js": script if in_popup else "",
        "a.js": injected,
    }
    return [each.message for each in lint(files, RULES, target)]


RESULTS = {
    "a function": ("document.onclick = () => 1;", "a function"),
    "a function of the window": ("window.run = function () {};", "a function"),
    "an element": ("document.body;", "an element"),
    "elements": ("document.querySelectorAll('p');", "a list of elements"),
    "a proxy": ("new Proxy({}, {});", "a Proxy"),
    "a function before a declaration": (
        "document.onclick = () => 1;\nvar a = 1;\nfunction b() {}",
        "a function",
    ),
    "a declaration": ("var run = () => 1;", ""),
    "a function declaration": ("function run() {}", ""),
    "a text": ("document.title;", ""),
    "undefined": ("document.onclick = () => 1;\nundefined;", ""),
    "an object with a function": ("({ run() {} });", ""),
    "a listener": ("document.addEventListener('click', () => 1);", ""),
    "a call that returns nothing": ("(() => { document.onclick = () => 1; })();", ""),
    "a call that is not known": ("run();", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("injected", "what"), RESULTS.values(), ids=RESULTS.keys())
def test_result_of_a_file(injected: str, what: str) -> None:
    script = CLICK % f"await {INJECT}; done();"
    found = messages(script, injected)
    assert len(found) == bool(what)
    assert all(each.endswith("it is the value of the last statement of `a.js`") for each in found)
    assert messages(script, injected, "chrome") == []


USES = {
    "awaited": (f"const found = await {INJECT}; done(found);", True),
    "awaited before other statements": (f"await {INJECT}; done();", True),
    "chained": (f"{INJECT}.then(done);", True),
    "with a callback": (f"{INJECT[:-1]}, (found) => done(found));", True),
    "not used": (f"{INJECT};", False),
    "a failure that is handled": (f"{INJECT}.catch(() => {{}});", False),
    "a callback without parameters": (f"{INJECT[:-1]}, () => done());", False),
    "another file after it": (
        f"await {INJECT}; done();".replace("'a.js'", "'a.js', 'b.js'"),
        False,
    ),
}


@pytest.mark.parametrize(("body", "is_reported"), USES.values(), ids=USES.keys())
def test_use_of_the_result(body: str, is_reported: bool) -> None:
    assert bool(messages(CLICK % body, "document.onclick = () => 1;")) == is_reported


DECLARED = "`a.js` fails when it is injected into the same page again: `a` is declared already"
ADDED = "`a.js` adds another listener each time it is injected into the same page"
LISTENER = "chrome.runtime.onMessage.addListener((message) => show(message));"
FILES = {
    "a constant": ("const a = 1; show(a);", DECLARED),
    "a variable of a block": ("let a = 1; show(a);", DECLARED),
    "a class": ("class a {} new a();", DECLARED),
    "after a statement": ("'use strict'; show(); const a = 1;", DECLARED),
    "a constant and a listener": (f"const a = 1; {LISTENER}", DECLARED),
    "a variable": ("var a = 1; show(a);", ""),
    "a function": ("function a() {} a();", ""),
    "in a block": ("{ const a = 1; show(a); }", ""),
    "in a function": ("(() => { const a = 1; show(a); })();", ""),
    "in a loop": ("for (const a of document.images) a.remove();", ""),
    "a listener": (LISTENER, ADDED),
    "a listener of the storage": (LISTENER.replace("runtime.onMessage", "storage.onChanged"), ADDED),
    "a listener with a name": (
        "function heard(m) { show(m); } chrome.runtime.onMessage.addListener(heard);",
        ADDED,
    ),
    "a listener behind a test": (f"if (!window.heard) {{ window.heard = true; {LISTENER} }}", ""),
    "a listener after an exit": (
        f"(() => {{ if (window.heard) return; window.heard = true; {LISTENER} }})();",
        "",
    ),
    "a listener that is removed": (
        f"{LISTENER} chrome.runtime.onMessage.removeListener(heard);",
        "",
    ),
    "a listener of the page": ("document.addEventListener('click', () => show());", ""),
}


@pytest.mark.parametrize(("injected", "expected"), FILES.values(), ids=FILES.keys())
def test_file_that_is_injected_again(injected: str, expected: str) -> None:
    for target in ("chrome", "firefox"):
        assert messages(CLICK % f"{INJECT};", injected, target) == ([expected] if expected else []), target


OPEN_TAB = "const tab = await chrome.tabs.create({ url: 'https://a.example/' });"
CALLS = {
    "a click": (CLICK % f"{INJECT};", True),
    "a command": (f"chrome.commands.onCommand.addListener((command, tab) => {{ {INJECT}; }});", True),
    "each change of a tab": (
        f"chrome.tabs.onUpdated.addListener((id, change, tab) => {{ {INJECT}.catch(() => {{}}); }});",
        True,
    ),
    "a tab that is found": (CLICK.replace("tab)", ")") % f"{POPUP} {INJECT};", True),
    "a new tab": (CLICK.replace("tab)", ")") % f"{OPEN_TAB} {INJECT};", False),
    "a page that loads again": (CLICK % f"await chrome.tabs.reload(tab.id); await {INJECT};", False),
    "another page in the tab": (CLICK % f"await chrome.tabs.update(tab.id, {{ url }}); {INJECT};", False),
    "a click that comes only once": (CLICK % f"await {INJECT}; chrome.action.disable(tab.id);", False),
    "a click, and a reload elsewhere": (
        CLICK % f"{INJECT};" + "chrome.alarms.onAlarm.addListener(() => { chrome.tabs.reload(1); });",
        True,
    ),
    "a click, with a ping that may stop it": (
        CLICK % f"const timer = setTimeout(() => {INJECT}, 9); ask(tab, () => clearTimeout(timer));",
        False,
    ),
    "a page that has loaded": (
        "chrome.tabs.onUpdated.addListener((id, change, tab) => {"
        f" if (change.status === 'complete') {INJECT}; }});",
        False,
    ),
    "tabs that are remembered": (
        CLICK % f"if (known.has(tab.id)) return; known.add(tab.id); {INJECT};",
        False,
    ),
    "a file that is not there": (
        CLICK % f"try {{ await chrome.tabs.sendMessage(tab.id, 1); }} catch {{ await {INJECT}; }}",
        False,
    ),
    "a response that is missing": (
        CLICK % f"chrome.tabs.sendMessage(tab.id, 1, (found) => {{ if (!found) {INJECT}; }});",
        False,
    ),
    "an installation": (
        "chrome.runtime.onInstalled.addListener(async () => {"
        f" for (const tab of await chrome.tabs.query({{}})) {INJECT}; }});",
        False,
    ),
    "an unknown tab": (f"export const run = (tab) => {{ {INJECT}; }};", False),
}


@pytest.mark.parametrize(("script", "is_reported"), CALLS.values(), ids=CALLS.keys())
def test_call_that_injects_again(script: str, is_reported: bool) -> None:
    assert messages(script, "const a = 1; show(a);", "chrome") == ([DECLARED] if is_reported else [])


OPENINGS = {
    "when it opens": (f"{POPUP} {INJECT};", True),
    "once": (f"{POPUP} if (await isNew(tab)) {INJECT};", False),
}


@pytest.mark.parametrize(("script", "is_reported"), OPENINGS.values(), ids=OPENINGS.keys())
def test_popup_that_injects_a_file(script: str, is_reported: bool) -> None:
    found = messages(script, "const a = 1; show(a);", "chrome", in_popup=True)
    assert found == ([DECLARED] if is_reported else [])
