"""Reads of the tabs of windows that no call asks for."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "unknown-result-field"
GET = "chrome.windows.getCurrent"


def files(source: str, **others: str) -> dict[str, str]:
    keys = {"background": {"service_worker": "b.js", "type": "module"}}
    texts = {f"{name}.js": text for name, text in others.items()}
    return {"manifest.json": manifest(**keys), "b.js": source, **texts}


REPORTED = {
    "a callback": f"{GET}((it) => f(it.tabs.length))",
    "a promise": f"const it = await {GET}(); f(it.tabs[0])",
    "a pattern": f"{GET}().then(({{ tabs }}) => f(tabs.length))",
    "one of all windows": "const all = await chrome.windows.getAll(); for (const it of all) f(it.tabs[0])",
    "a window by its id": "chrome.windows.get(3, (it) => f(it.tabs[0]))",
    "other options": "chrome.windows.getAll({ windowTypes: ['normal'] }, ([it]) => f(it.tabs[0]))",
    "populate is false": f"{GET}({{ populate: false }}, (it) => f(it.tabs[0]))",
    "another function asks": f"{GET}((it) => f(it.tabs[0])); chrome.windows.getAll({{ populate: true }}, f)",
}


@pytest.mark.parametrize("source", REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(source: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, "tabs")]


SILENT = {
    "the call asks for them": f"{GET}({{ populate: true }}, (it) => f(it.tabs[0]))",
    "it may ask for them": f"{GET}({{ populate: x }}, (it) => f(it.tabs[0]))",
    "unknown options": f"{GET}(options, (it) => f(it.tabs[0]))",
    "options with unknown keys": f"{GET}({{ ...options }}, (it) => f(it.tabs[0]))",
    "another call asks for them": f"{GET}((it) => f(it.tabs[0])); {GET}({{ populate: true }}, f)",
    "the function is passed on": f"{GET}((it) => f(it.tabs[0])); f({GET})",
    "a test": f"{GET}((it) => {{ if (it.tabs) f(it.tabs[0]) }})",
    "a fallback": f"{GET}((it) => f(it.tabs ?? []))",
    "the code adds them": f"{GET}((it) => {{ it.tabs = []; f(it.tabs[0]) }})",
    "a new window": "chrome.windows.create({}, (it) => f(it.tabs[0].id))",
    "a field of another object": f"{GET}((it) => f(it.id, g().tabs))",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_silent(source: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == []


def test_another_script_asks_for_them() -> None:
    asking = f"export const get = () => {GET}({{ populate: true }});"
    assert reported(files(f"import './g.js'; {GET}((it) => f(it.tabs[0]))", g=asking), [RULE], "chrome") == []


def test_message() -> None:
    [found] = lint(files(f"{GET}((it) => f(it.tabs[0]))"), [RULE], "chrome")
    assert (
        found.message
        == "`tabs` is undefined, as no call of `windows.getCurrent` asks for the tabs of windows"
    )
    assert found.help == "ask for them in the call: `{populate: true}`"
