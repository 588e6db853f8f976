"""Comparisons of an object or array of the API with a text, number or boolean: `if (items === true)`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "impossible-comparison"
GET = "chrome.storage.local.get"


def files(source: str) -> dict[str, str]:
    keys = {"permissions": ["storage"], "background": {"service_worker": "b.js", "type": "module"}}
    return {"manifest.json": manifest(**keys), "b.js": source}


REPORTED = {
    "stored values": (f"{GET}('on', (on) => {{ if (on === true) f(); }})", "true"),
    "stored values of a promise": (f"const mode = await {GET}('mode'); f(mode !== 'dark')", "'dark'"),
    "a case": (f"{GET}('mode').then((mode) => {{ switch (mode) {{ case 'dark': f(); }} }})", "'dark'"),
    "an array": ("chrome.tabs.query({}, (tabs) => f(tabs === 1))", "1"),
    "what an event passes": ("chrome.tabs.onActivated.addListener((it) => f(it === 5))", "5"),
    "the number of items": ("chrome.tabs.query({}, (tabs) => f(tabs.length === '0'))", "'0'"),
    "a sender": ("chrome.runtime.onMessage.addListener((it, from) => f(from === 'popup'))", "'popup'"),
}


@pytest.mark.parametrize(("source", "value"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
def test_reported(source: str, value: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, value)]


SILENT = {
    "a stored value": f"{GET}('on', ({{ on }}) => f(on === true))",
    "a number of items": "chrome.tabs.query({}, (tabs) => f(tabs.length === 0, tabs.length == '0'))",
    "a conversion": f"{GET}('on', (on) => f(on == 'x'))",
    "a test for a value": f"{GET}('on', (on) => f(on === undefined, on !== null, on === ''))",
    "another object": f"{GET}('on', (on) => f(on === other))",
    "a response of any type": "chrome.runtime.sendMessage({}, (it) => f(it === true))",
    "a message": "chrome.runtime.onMessage.addListener((it) => f(it === 'go'))",
    "a variable that is assigned again": f"{GET}('on', (on) => {{ on = on.on; f(on === true); }})",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
def test_silent(source: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == []


def test_message_says_that_it_is_an_object_without_its_fields() -> None:
    [found] = lint(files("chrome.tabs.onActivated.addListener((it) => f(it === 5))"), [RULE], "chrome")
    assert found.message == "what `tabs.onActivated` passes is an object, never the number 5"
