"""Conditions on the own address, which the context decides: code that cannot run there is not reported."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest

from extlint.finding import Finding

RULES = ["lost-message"]
SEND = "chrome.runtime.sendMessage({ kind: 'get' });"
LISTEN = "chrome.runtime.onMessage.addListener((message) => { console.log(message); });"


def is_reported(script: str, *, popup: bool = False, target: str = "chrome", **files: str) -> bool:
    """Whether a message is reported that only a script of the sender's own context receives."""
    return bool(findings(script, popup=popup, target=target, **files))


def findings(script: str, *, popup: bool = False, target: str = "chrome", **files: str) -> list[Finding]:
    keys = {
        "manifest_version": 3,
        "name": "Test",
        "version": "1",
        "action": {"default_popup": "ui/popup.html"},
        "background": {"scripts": ["js/b.js"]} if target == "firefox" else {"service_worker": "js/b.js"},
        "content_scripts": [{"matches": ["https://example.com/*"], "js": ["c.js"]}],
    }
    package = {
        "manifest.json": json.dumps(keys),
        "ui/popup.html": "<script src=p.js></script>",
        "ui/panel.html": "",
        "ui/p.js": "",
        "js/b.js": LISTEN,
        "c.js": "",
    }
    if popup:
        package |= {"js/b.js": "", "c.js": LISTEN, "ui/p.js": script, **files}
    else:
        package["js/b.js"] = LISTEN + script
    return lint(package, RULES, target)


IN_POPUP = {
    "the path": 'location.pathname === "/ui/popup.html"',
    "the path of the window": 'window.location.pathname == "/ui/popup.html"',
    "the other way round": '"/ui/popup.html" === self.location.pathname',
    "not another path": '!(location.pathname !== "/ui/popup.html")',
    "the end of the path": 'location.pathname.endsWith("popup.html")',
    "a part of the path": 'location.pathname.includes("popup")',
    "the beginning of the path": 'location.pathname.startsWith("/ui/")',
    "the file": 'location.pathname.split("/").pop() === "popup.html"',
    "a position": 'location.href.indexOf("popup.html") !== -1',
    "a position after the number": '-1 < location.href.indexOf("popup.html")',
    "a tilde": '~location.href.indexOf("popup.html")',
    "a search": r"location.href.search(/popup\.html/) >= 0",
    "a match": r"location.href.match(/popup\.html$/)",
    "a match that is not null": r"location.href.match(/popup\.html$/) !== null",
    "a match that is not nullish": r"null != location.href.match(/\/popup\.html/i)",
    "a test": r"/popup\.html/.test(location.href)",
    "a test of the location": r"/popup\.html/.test(document.location)",
    "an execution": r"/\/(popup|options)\.html/.exec(document.URL)",
    "the address of the file": 'location.href === chrome.runtime.getURL("ui/popup.html")',
    "how the address begins": 'location.href.startsWith(chrome.runtime.getURL("/ui/popup.html"))',
    "an address object": 'new URL(location.href).pathname === "/ui/popup.html"',
    "a text of the location": 'location.toString().includes("popup.html")',
    "a variable": "isPopup",
    "a variable for the path": 'path === "/ui/popup.html"',
    "a function": "inPopup()",
    "a function that is compared": "inPopup() === true",
    "a function that first tests for the API": "!inBackground()",
    "a function with an argument": 'isAt("popup.html")',
    "one of two": 'location.pathname === "/ui/popup.html" || location.pathname === "/ui/panel.html"',
    "neither of two": '!(location.pathname !== "/ui/popup.html" && path !== "/ui/panel.html")',
}
NAMES = (
    'const path = location.pathname; const isPopup = path.endsWith("popup.html");'
    r"function inPopup() { return location.href.match(/popup\.html$/) !== null; }"
    "function inBackground() { try { chrome; } catch { return false; }"
    r"if (location.href.match(/popup\.html$/) === null) { return true; } return false; }"
    "function isAt(name) { return location.href.includes(name); }"
)
UNKNOWN = {
    "another address": 'sender.url.includes("popup.html")',
    "another pathname": 'link.pathname === "/ui/popup.html"',
    "a local variable": '((location) => location.pathname === "/ui/popup.html")(sender)',
    "a path of the worker": 'location.pathname === "/js/b.js"',
    "part of both": 'location.href.includes("extension")',
    "the identifier": 'location.href.includes("a")',
    "a query": "location.search === '?popup'",
    "a pattern with other flags": r"/popup\.html/y.test(location.href)",
    "a condition in addition": 'location.pathname === "/ui/popup.html" || navigator.onLine',
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_code_for_a_page_does_not_run_in_the_background(target: str) -> None:
    bodies = []
    for condition in IN_POPUP.values():
        bodies.append(f"if ({condition}) {{ {SEND} }} if (!({condition})) return; {SEND}")
        bodies.append(f"if (!({condition})) {{ {SEND} }}")
        bodies.append(f"if ({condition}) return; {SEND}")
    runs = (f"function run{at}() {{ {each} }} run{at}();" for at, each in enumerate(bodies))
    found = findings("\n".join([NAMES, *runs]), target=target)
    assert [each.span.start.line - 2 for each in found] == [at for at in range(len(bodies)) if at % 3]


@pytest.mark.parametrize("condition", UNKNOWN.values(), ids=UNKNOWN)
def test_other_conditions_exclude_nothing(condition: str) -> None:
    assert is_reported(f"if ({condition}) {{ {SEND} }}")


def test_switch_on_the_path() -> None:
    switch = "switch (location.pathname) {{ case '{}': {} break; default: {} }}".format
    assert not is_reported(switch("/ui/popup.html", SEND, ""))
    assert is_reported(switch("/ui/popup.html", SEND, SEND))
    assert is_reported(switch("/js/b.js", SEND, ""))
    assert not is_reported(switch("/js/b.js", "", SEND))


CONDITIONS_IN_POPUP = {
    "the own path": ('location.pathname === "/ui/popup.html"', True),
    "another path": ('location.pathname === "/ui/panel.html"', False),
    "another file": ('location.href.includes("panel.html")', False),
    "another file at the end": ('location.href.endsWith("panel.html")', False),
    "a text that a query may have": ('location.href.includes("panel")', True),
    "not the own file": ('!location.href.includes("popup.html")', False),
    "not the own file at the end, after which a query may come": (
        '!location.href.endsWith("popup.html")',
        True,
    ),
}


@pytest.mark.parametrize(("condition", "runs"), CONDITIONS_IN_POPUP.values(), ids=CONDITIONS_IN_POPUP)
def test_page_decides_conditions(condition: str, runs: bool) -> None:
    assert is_reported(f"if ({condition}) {{ {SEND} }}", popup=True) is runs


def test_page_that_may_have_another_address_decides_nothing() -> None:
    script = f'if (location.pathname === "/ui/panel.html") {{ {SEND} }}'
    assert not is_reported(script, popup=True)
    assert is_reported(f"history.pushState(1, '', '/ui/panel.html'); {script}", popup=True)
    two = {"ui/panel.html": "<script src=p.js></script>", "ui/popup.html": "<iframe src=panel.html></iframe>"}
    assert is_reported(script, popup=True, **two)


OTHER_SCHEME = (
    'chrome.runtime.getURL("").startsWith("moz-extension://")',
    'chrome.runtime.getURL("").startsWith("safari-web-extension://")',
    'new URL(chrome.runtime.getURL("")).protocol === "moz-extension:"',
    'location.protocol === "moz-extension:"',
    'location.origin.startsWith("moz-extension://")',
    '/^moz-extension:/.test(chrome.runtime.getURL("/"))',
    '!chrome.runtime.getURL("a.html").startsWith("chrome-extension://")',
    '!(location.protocol === "chrome-extension:")',
)
OPEN = (
    'chrome.runtime.getURL("").includes("safari")',
    'location.protocol === "https:"',
    'other.protocol === "moz-extension:"',
)


@pytest.mark.parametrize(
    ("condition", "count"), [*((each, 0) for each in OTHER_SCHEME), *((each, 1) for each in OPEN)]
)
def test_scheme_of_another_browser(condition: str, count: int) -> None:
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "b.js"}, permissions=["nativeMessaging"]),
        "b.js": f"const is = {condition}; if (is) chrome.runtime.sendNativeMessage({{ a: 1 }});",
    }
    assert len(lint(files, ["wrong-argument-count"], "chrome")) == count
    opposite = {**files, "b.js": str(files["b.js"]).replace("if (is)", "if (!is)")}
    assert len(lint(opposite, ["wrong-argument-count"], "chrome")) == 1
