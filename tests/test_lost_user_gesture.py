"""Calls that come too late for a user's action: tables of a background script for Firefox."""

from __future__ import annotations

import pytest
from harness import lint, manifest, told

RULE = "lost-user-gesture"
ASK = "browser.permissions.request({permissions: ['history']})"


def files(source: str, version: int = 3) -> dict[str, str]:
    keys = {"manifest_version": version, "optional_permissions": ["history"], "sidebar_action": {}}
    return {"manifest.json": manifest(background={"scripts": ["b.js"]}, **keys), "b.js": source}


TOLD = {
    "after another call": (f"async () => {{ await browser.tabs.query({{}}); await {ASK} }}", 3),
    "in what another call decides": (
        f"async () => {{ if (!(await browser.permissions.contains({{}}))) {ASK} }}",
        3,
    ),
    "in the other manifest version": (f"async () => {{ await browser.tabs.query({{}}); {ASK} }}", 2),
    "after a call of chrome, which gives a promise": (
        f"async () => {{ await chrome.tabs.query({{}}); {ASK} }}",
        3,
    ),
}


@pytest.mark.parametrize(("source", "version"), TOLD.values(), ids=TOLD.keys())
def test_told(source: str, version: int) -> None:
    expected = [(RULE, "browser.permissions.request")]
    assert told(files(source, version), [RULE], "firefox") == expected


SILENT = {
    "at once": (f"async () => {{ await {ASK}; await browser.tabs.query({{}}) }}", 3),
    "after what may be there already": (f"async () => {{ await ready; {ASK} }}", 3),
    "after a function of its own": (f"async () => {{ await f(); {ASK} }}", 3),
    "after another wait, in which the user may act": (
        f"async () => {{ await browser.tabs.query({{}}); await clicked(button); {ASK} }}",
        3,
    ),
    "after a call that is answered at once": (
        f"async () => {{ await browser.runtime.getBackgroundPage(); {ASK} }}",
        2,
    ),
    "after a call of chrome, which gives no promise": (
        f"async () => {{ await chrome.tabs.query({{}}); {ASK} }}",
        2,
    ),
    "after a function that gives no promise": (
        f"async () => {{ await browser.runtime.getManifest(); {ASK} }}",
        3,
    ),
    "what fails is caught": (
        f"async () => {{ await browser.tabs.query({{}}); try {{ {ASK} }} catch {{}} }}",
        3,
    ),
    "a function that needs no action": (
        "async () => { await browser.tabs.query({}); await browser.permissions.getAll() }",
        3,
    ),
    "in a function that is called later": (
        f"async () => {{ await browser.tabs.query({{}}); button.onclick = () => {ASK} }}",
        3,
    ),
}


@pytest.mark.parametrize(("source", "version"), SILENT.values(), ids=SILENT.keys())
def test_silent(source: str, version: int) -> None:
    assert told(files(source, version), [RULE], "firefox") == []


@pytest.mark.parametrize("target", ["chrome", "reference"])
def test_only_firefox_says_it(target: str) -> None:
    assert lint(files(TOLD["after another call"][0]), [RULE], target) == []


def test_the_message_names_both() -> None:
    (finding,) = lint(files(TOLD["after another call"][0]), [RULE], "firefox")
    assert finding.message == (
        "`permissions.request` requires a user action, which is over once `tabs.query` is awaited"
    )
