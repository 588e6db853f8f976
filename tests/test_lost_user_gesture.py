"""Calls that come too late after a user action, in tables of background scripts for Firefox."""

from __future__ import annotations

import pytest
from harness import SENDER, lint, manifest, reported

RULE = "lost-user-gesture"
REQUEST = "browser.permissions.request({permissions: ['history']})"


def files(source: str, version: int = 3) -> dict[str, str]:
    keys = {"manifest_version": version, "optional_permissions": ["history"], "sidebar_action": {}}
    return {**SENDER, "manifest.json": manifest(background={"scripts": ["b.js"]}, **keys), "b.js": source}


REPORTED = {
    "after another call": (f"async () => {{ await browser.tabs.query({{}}); await {REQUEST} }}", 3),
    "in what another call decides": (
        f"async () => {{ if (!(await browser.permissions.contains({{}}))) {REQUEST} }}",
        3,
    ),
    "in the other manifest version": (f"async () => {{ await browser.tabs.query({{}}); {REQUEST} }}", 2),
    "after a call of chrome, which gives a promise": (
        f"async () => {{ await chrome.tabs.query({{}}); {REQUEST} }}",
        3,
    ),
}


@pytest.mark.parametrize(("source", "version"), REPORTED.values(), ids=REPORTED.keys())
def test_reported(source: str, version: int) -> None:
    expected = [(RULE, "browser.permissions.request")]
    assert reported(files(source, version), [RULE], "firefox") == expected


NOT_REPORTED = {
    "at once": (f"async () => {{ await {REQUEST}; await browser.tabs.query({{}}) }}", 3),
    "after what may be there already": (f"async () => {{ await ready; {REQUEST} }}", 3),
    "after a function of its own": (f"async () => {{ await f(); {REQUEST} }}", 3),
    "after another wait, in which the user may act": (
        f"async () => {{ await browser.tabs.query({{}}); await clicked(button); {REQUEST} }}",
        3,
    ),
    "after a call that is answered at once": (
        f"async () => {{ await browser.runtime.getBackgroundPage(); {REQUEST} }}",
        2,
    ),
    "after a call of chrome, which gives no promise": (
        f"async () => {{ await chrome.tabs.query({{}}); {REQUEST} }}",
        2,
    ),
    "after a function that gives no promise": (
        f"async () => {{ await browser.runtime.getManifest(); {REQUEST} }}",
        3,
    ),
    "a caught failure": (
        f"async () => {{ await browser.tabs.query({{}}); try {{ {REQUEST} }} catch {{}} }}",
        3,
    ),
    "a function without a required gesture after an await": (
        "async () => { await browser.tabs.query({}); await browser.permissions.getAll() }",
        3,
    ),
    "in a function that is called later": (
        f"async () => {{ await browser.tabs.query({{}}); button.onclick = () => {REQUEST} }}",
        3,
    ),
}


@pytest.mark.parametrize(("source", "version"), NOT_REPORTED.values(), ids=NOT_REPORTED.keys())
def test_timely_or_uncertain_call_is_not_reported(source: str, version: int) -> None:
    assert reported(files(source, version), [RULE], "firefox") == []


@pytest.mark.parametrize("target", ["chrome", "reference"])
def test_late_call_is_reported_only_for_firefox(target: str) -> None:
    assert lint(files(REPORTED["after another call"][0]), [RULE], target) == []


def test_message_names_both_calls() -> None:
    (finding,) = lint(files(REPORTED["after another call"][0]), [RULE], "firefox")
    assert finding.message == (
        "`permissions.request` requires a user action, which is over once `tabs.query` is awaited"
    )


ON = "browser.%s.addListener(() => { %s; });"
WITHOUT_ACTION = {
    "at the start": (f"{REQUEST};", "the start of the background"),
    "in a function that is called at the start": (
        f"function ask() {{ {REQUEST}; }} ask();",
        "the start of the background",
    ),
    "when installed": (ON % ("runtime.onInstalled", REQUEST), "`runtime.onInstalled`"),
    "on an alarm": ("browser.alarms.create({});" + ON % ("alarms.onAlarm", REQUEST), "`alarms.onAlarm`"),
    "on a message": (ON % ("runtime.onMessage", REQUEST), "`runtime.onMessage`"),
    "on some messages": (
        f"browser.runtime.onMessage.addListener((m) => {{ if (m === 'x') return {REQUEST}; }});",
        "`runtime.onMessage`",
    ),
    "in a function for a message": (
        f"function ask() {{ {REQUEST}; }} {ON % ('runtime.onMessage', 'ask()')}",
        "`runtime.onMessage`",
    ),
    "after an await as well": (
        "browser.runtime.onMessage.addListener("
        f"async () => {{ await browser.tabs.query({{}}); {REQUEST}; }});",
        "`runtime.onMessage`",
    ),
    "another function": (ON % ("runtime.onMessage", "browser.sidebarAction.open()"), "`runtime.onMessage`"),
}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("source", "cause"), WITHOUT_ACTION.values(), ids=WITHOUT_ACTION)
def test_call_without_user_action_is_reported(source: str, cause: str, version: int) -> None:
    (finding,) = lint(files(source, version), [RULE], "firefox")
    assert finding.message == f"`{finding.api}` requires a user action, and {cause} is none"


WITH_ACTION = {
    "a click on the button": ON % ("action.onClicked", REQUEST),
    "a command": ON % ("commands.onCommand", REQUEST),
    "an event with unknown user gestures": ON % ("tabs.onActivated", REQUEST),
    "on a message and on a click": (
        f"const f = () => {REQUEST}; {ON % ('runtime.onMessage', 'f()')} {ON % ('action.onClicked', 'f()')}"
    ),
    "a function that others may call": f"function ask() {{ {REQUEST}; }} register(ask);",
    "a function without a required gesture on a message": ON
    % ("runtime.onMessage", "browser.permissions.getAll()"),
    "recovery after a failure": ON % ("runtime.onMessage", f"try {{ {REQUEST} }} catch {{ openPage() }}"),
}


@pytest.mark.parametrize("source", WITH_ACTION.values(), ids=WITH_ACTION)
def test_call_in_user_action_is_not_reported(source: str) -> None:
    assert reported(files(source), [RULE], "firefox") == []


def page(script: str) -> dict[str, str]:
    return {
        "manifest.json": manifest(action={"default_popup": "p.html"}, optional_permissions=["history"]),
        "p.html": "<button>Ask</button><script src=p.js></script>",
        "p.js": script,
    }


AT_LOAD = {
    "at once": f"{REQUEST};",
    "in a function": f"async function ask() {{ if (await {REQUEST}) show(); }} ask();",
    "after a call": f"(async () => {{ if (!(await browser.permissions.contains({{}}))) {REQUEST}; }})();",
    "after a timer": f"setTimeout(() => {REQUEST}, 100);",
}


@pytest.mark.parametrize("script", AT_LOAD.values(), ids=AT_LOAD)
def test_call_at_load_of_page_is_reported(script: str) -> None:
    (finding,) = lint(page(script), [RULE], "firefox")
    assert "requires a user action" in finding.message


IN_PAGE = {
    "a click": f"document.querySelector('button').onclick = () => {REQUEST};",
    "a handler that also runs at the load": f"const ask = () => {REQUEST}; button.onclick = ask; ask();",
    "a handler of a library": f"function ask() {{ {REQUEST}; }} show('button', {{onClick: ask}}); ask();",
    "an event of the API": ON % ("runtime.onMessage", REQUEST),
    "recovery after a failure": f"try {{ {REQUEST} }} catch {{ show() }}",
}


@pytest.mark.parametrize("script", IN_PAGE.values(), ids=IN_PAGE)
def test_other_call_in_page_is_not_reported(script: str) -> None:
    assert reported(page(script), [RULE], "firefox") == []
