"""Reads of the tab that `tabs.getCurrent` does not give: `missing-value`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "missing-value"
PAGE = "<!doctype html><script src=s.js></script>"
READ = "chrome.tabs.getCurrent((tab) => use(tab.id));"


def files(source: str, other: str = "", **keys: object) -> dict[str, str]:
    own = keys or {"action": {"default_popup": "p.html"}}
    described = manifest(**own, background={"service_worker": "b.js"})
    return {"manifest.json": described, "p.html": PAGE, "s.js": source, "b.js": other}


REPORTED = {
    "a callback": READ,
    "a promise": "chrome.tabs.getCurrent().then((tab) => use(tab.id));",
    "a wait": "const tab = await chrome.tabs.getCurrent(); use(tab.id);",
    "a pattern": "chrome.tabs.getCurrent(({ id }) => use(id));",
}


@pytest.mark.parametrize("source", REPORTED.values(), ids=REPORTED.keys())
def test_reported(source: str) -> None:
    found = files(source)
    found["p.html"] = PAGE.replace("src", "type=module src")
    assert [rule for rule, _ in reported(found, [RULE], "chrome")] == [RULE]


def test_reported_in_background() -> None:
    assert [rule for rule, _ in reported(files("", READ), [RULE], "chrome")] == [RULE]


SILENT = {
    "a test": files("chrome.tabs.getCurrent((tab) => { if (tab) use(tab.id); });"),
    "an optional field": files("chrome.tabs.getCurrent((tab) => use(tab?.id));"),
    "a handled failure": files("chrome.tabs.getCurrent((tab) => { try { use(tab.id); } catch { log(); } });"),
    "the page of options": files(READ, options_ui={"page": "p.html"}),
    "a popup that opens in a tab": files(READ, "chrome.tabs.create({ url: 'p.html' });"),
    "a popup that is also a page": files(
        READ, action={"default_popup": "p.html"}, options_ui={"page": "p.html"}
    ),
    "another function": files("chrome.windows.getCurrent((it) => use(it.id));"),
}


@pytest.mark.parametrize("package", SILENT.values(), ids=SILENT.keys())
def test_silent(package: dict[str, str]) -> None:
    assert reported(package, [RULE], "chrome") == []


def test_message() -> None:
    [found] = lint(files(READ), [RULE], "chrome")
    assert found.message == "`tabs.getCurrent` gives no tab here: a background or popup is in none"
    assert found.help == "use `tabs.query({active: true, currentWindow: true})`"
