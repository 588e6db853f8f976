"""Members that do not exist in the web pages into which a script injects a function: `wrong-context`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ["wrong-context"]
INJECT = "chrome.scripting.executeScript({{ target: {{ tabId: 1 }}, {} }});"


def files(options: str, more: str = "") -> dict[str, str]:
    permissions = ["cookies", "scripting", "storage", "tabs"]
    keys = {"permissions": permissions, "background": {"service_worker": "b.js"}}
    return {"manifest.json": manifest(**keys), "b.js": INJECT.format(options) + more}


REPORTED = {
    "a function": ("func: () => chrome.tabs.query({})", ""),
    "a listener in it": ("func: () => { onclick = () => { chrome.tabs.query({}); } }", ""),
    "a named function": ("func: go", "function go() { chrome.tabs.query({}); }"),
    "the old key": ("function: () => { chrome.tabs.query({}); }", ""),
    "the main world": ("world: 'MAIN', func: () => { chrome.tabs.query({}); }", ""),
    "a failure that is logged": (
        "func: () => { try { chrome.tabs.query({}); } catch (e) { console.log(e); } }",
        "",
    ),
}


@pytest.mark.parametrize(("options", "more"), REPORTED.values(), ids=REPORTED.keys())
def test_reported(options: str, more: str) -> None:
    assert reported(files(options, more), RULES, "chrome") == [("wrong-context", "chrome.tabs.query")]


SILENT = {
    "members of content scripts": ("func: () => { chrome.storage.local.get('a'); chrome.runtime.id; }", ""),
    "a function that also runs in the background": (
        "func: go",
        "go(); function go() { chrome.tabs.query({}); }",
    ),
    "a test": ("func: () => { if (chrome.tabs) chrome.tabs.query({}); }", ""),
    "a failure that is handled": ("func: () => { try { chrome.tabs.query({}); } catch { f(); } }", ""),
    "a file": ("files: ['b.js']", "chrome.tabs.query({});"),
    "a function with the name of a parameter": ("func: (chrome) => { chrome.tabs.query({}); }", ""),
}


@pytest.mark.parametrize(("options", "more"), SILENT.values(), ids=SILENT.keys())
def test_silent(options: str, more: str) -> None:
    assert reported(files(options, more), RULES, "chrome") == []


def test_message_names_the_context() -> None:
    [found] = lint(files("world: 'MAIN', func: () => { chrome.storage.local.get('a'); }"), RULES, "chrome")
    assert found.message == "`storage.local` is not available in a page's main world"
