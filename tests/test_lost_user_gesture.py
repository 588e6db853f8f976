"""Calls that come too late after a user action, in tables of background scripts for Firefox."""

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


ON = "browser.%s.addListener(() => { %s; });"
WITHOUT_ACTION = {
    "at the start": (f"{ASK};", "the start of the background"),
    "in a function that is called at the start": (
        f"function ask() {{ {ASK}; }} ask();",
        "the start of the background",
    ),
    "when installed": (ON % ("runtime.onInstalled", ASK), "`runtime.onInstalled`"),
    "on an alarm": (ON % ("alarms.onAlarm", ASK), "`alarms.onAlarm`"),
    "on a message": (ON % ("runtime.onMessage", ASK), "`runtime.onMessage`"),
    "on some messages": (
        f"browser.runtime.onMessage.addListener((m) => {{ if (m === 'ask') return {ASK}; }});",
        "`runtime.onMessage`",
    ),
    "in a function for a message": (
        f"function ask() {{ {ASK}; }} {ON % ('runtime.onMessage', 'ask()')}",
        "`runtime.onMessage`",
    ),
    "after an await as well": (
        f"browser.runtime.onMessage.addListener(async () => {{ await browser.tabs.query({{}}); {ASK}; }});",
        "`runtime.onMessage`",
    ),
    "another function": (ON % ("runtime.onMessage", "browser.sidebarAction.open()"), "`runtime.onMessage`"),
}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("source", "cause"), WITHOUT_ACTION.values(), ids=WITHOUT_ACTION)
def test_without_an_action(source: str, cause: str, version: int) -> None:
    (finding,) = lint(files(source, version), [RULE], "firefox")
    assert finding.message == f"`{finding.api}` requires a user action, and {cause} is none"


WITH_ACTION = {
    "a click on the button": ON % ("action.onClicked", ASK),
    "a command": ON % ("commands.onCommand", ASK),
    "an event of which it is not known": ON % ("tabs.onActivated", ASK),
    "on a message and on a click": (
        f"const f = () => {ASK}; {ON % ('runtime.onMessage', 'f()')} {ON % ('action.onClicked', 'f()')}"
    ),
    "a function that others may call": f"function ask() {{ {ASK}; }} register(ask);",
    "a function that needs no action": ON % ("runtime.onMessage", "browser.permissions.getAll()"),
    "what fails is recovered from": ON % ("runtime.onMessage", f"try {{ {ASK} }} catch {{ openPage() }}"),
}


@pytest.mark.parametrize("source", WITH_ACTION.values(), ids=WITH_ACTION)
def test_with_an_action(source: str) -> None:
    assert told(files(source), [RULE], "firefox") == []


def test_pages_have_actions_of_their_own() -> None:
    package = {
        "manifest.json": manifest(action={"default_popup": "p.html"}, optional_permissions=["history"]),
        "p.html": "<script src=p.js></script>",
        "p.js": f"{ASK};",
    }
    assert told(package, [RULE], "firefox") == []
