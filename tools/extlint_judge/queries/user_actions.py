"""The calls that require a user action in Chromium, and the effect of a click on the extension's button."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, PAGE, InChromium, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, findings

CLICKED = "onClicked"
POPUP = "the popup"
PANEL = "the side panel"

_PANEL = {"side_panel": {"default_path": "panel.html"}}
_BEHAVIOR = "chrome.sidePanel.setPanelBehavior({openPanelOnActionClick: %s})"

BUTTONS: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "no popup": ({"action": {}}, ""),
    "a popup": ({"action": {"default_popup": "popup.html"}}, ""),
    "an empty popup": ({"action": {"default_popup": ""}}, ""),
    "a popup that is unset": (
        {"action": {"default_popup": "popup.html"}},
        "chrome.action.setPopup({popup: ''})",
    ),
    "a side panel": ({"action": {}, **_PANEL}, ""),
    "a side panel that a click opens": ({"action": {}, **_PANEL}, _BEHAVIOR % "true"),
    "a popup, and a side panel that a click opens": (
        {"action": {"default_popup": "popup.html"}, **_PANEL},
        _BEHAVIOR % "true",
    ),
    "a side panel that no click opens": ({"action": {}, **_PANEL}, _BEHAVIOR % "false"),
}
"""The keys of the manifest for the button, and the first call of the worker."""

Button = tuple[Mapping[str, Any], str]


def _buttons(browser: str) -> Mapping[str, Button]:
    """Returns the buttons to click. Firefox has no side panels."""
    if browser == "chromium":
        return BUTTONS
    return {name: each for name, each in BUTTONS.items() if "panel" not in name}


def _button_files(browser: str, button: Button, session: Session | None = None) -> Files:
    """Returns an extension whose parts report when they run, if there is a session."""
    keys, call = button

    def reporting(name: str) -> str:
        return "" if session is None else session.report("judge", json.dumps(name))

    files = {
        BACKGROUND: f"chrome.action.onClicked.addListener(() => {{ {reporting(CLICKED)} }});\n"
        f"Promise.resolve({call}).then(() => {{ {reporting('ready')} }});",
        PAGE: "<!doctype html>",
        "popup.html": "<!doctype html><script src='popup.js'></script>",
        "popup.js": reporting(POPUP),
        "panel.html": "<!doctype html><script src='panel.js'></script>",
        "panel.js": reporting(PANEL),
    }
    is_worker = browser == "chromium"
    background = {"service_worker": BACKGROUND} if is_worker else {"scripts": [BACKGROUND]}
    permissions = ["sidePanel"] if is_worker else []
    return extension(manifest(permissions=permissions, background=background, **keys), files)


def _ask_clicks(session: Session, button: Button) -> str:
    session.load(_button_files(session.browser, button, session))
    if isinstance(session, InChromium):
        session.value("1", PAGE)
    session.receive("judge")
    session.trigger_action()
    found: str = session.receive("judge")["judge"]
    return found


def _compare_clicks(browser: str, button: Button, answer: str) -> Iterator[str]:
    is_reported = bool(findings(browser, _button_files(browser, button), "dead-listener"))
    if is_reported is (answer == CLICKED):
        yield f"extlint says that the listener {'never runs' if is_reported else 'runs'}"


clicks = Query(
    "clicks",
    """Query the effect of a click on the button.

    The exit code is 1 if extlint disagrees.
    """,
    _buttons,
    _ask_clicks,
    _compare_clicks,
)

CALLS = {
    "sidePanel.open": "chrome.sidePanel.open({windowId: 1})",
    "permissions.request": "chrome.permissions.request({permissions: ['topSites']})",
}
"""Calls that require a user action. The last one opens a dialog that is never closed."""

WAITS = {
    "at once": "CALL;",
    "after `await null`": "(async () => { await null; CALL; })();",
    "after an awaited call": "(async () => { await chrome.storage.local.get(); CALL; })();",
    "in `then` of a call": "chrome.storage.local.get().then(() => CALL);",
    "in the callback of a call": "chrome.storage.local.get(() => CALL);",
    "in the callback of a message": "chrome.runtime.sendMessage(1, () => CALL);",
    "after `fetch`": "(async () => { await fetch('background.js'); CALL; })();",
    "in a timer of no delay": "setTimeout(() => CALL, 0);",
}
EVENTS = {
    "runtime.onInstalled": "",
    "alarms.onAlarm": "chrome.alarms.create('judge', {when: Date.now()})",
    "storage.onChanged": "chrome.storage.local.set({judge: Date.now()})",
    "cookies.onChanged": "chrome.cookies.set({url: 'http://127.0.0.1/', name: 'judge', value: 'judge'})",
    "tabs.onUpdated": "chrome.tabs.create({url: 'PAGE'})",
    "webNavigation.onCompleted": "chrome.tabs.create({url: 'PAGE'})",
    "history.onVisited": "chrome.tabs.create({url: 'PAGE'})",
}
"""Events, each with code that triggers it. The first one fires by itself."""

START = "at the start of the worker"
LOAD = "at the load of a page"
LOADED = "loaded.html"
_ALLOWED = "allowed"
_REFUSAL = "user gesture"
_KEYS: Mapping[str, Any] = {
    "action": {},
    "permissions": ["alarms", "cookies", "history", "sidePanel", "storage", "webNavigation"],
    "optional_permissions": ["topSites"],
    "host_permissions": ["http://127.0.0.1/*"],
    "background": {"service_worker": BACKGROUND},
}

Gesture = tuple[str, str]
"""A call, and an occasion: an event, or what a listener of a click waits for."""


def _gesture_cases(_browser: str) -> Mapping[str, Gesture]:
    first, *others = CALLS
    every = [(first, occasion) for occasion in (START, LOAD, *EVENTS, *WAITS)]
    every += ((name, occasion) for name in others for occasion in (LOAD, *WAITS))
    return {f"{name}, {occasion}": (name, occasion) for name, occasion in every}


def _gesture_files(gesture: Gesture, call: str, ready: str = "") -> Files:
    _, occasion = gesture
    if occasion == LOAD:
        page = {
            BACKGROUND: ready,
            LOADED: f"<p><script src={LOADED}.js></script>",
            f"{LOADED}.js": f"{call};",
        }
        return extension(manifest(**_KEYS, options_page=LOADED), {**page, PAGE: "<p>"})
    if occasion in WAITS:
        script = f"chrome.action.onClicked.addListener(() => {{ {WAITS[occasion]} }});"
    else:
        script = "CALL;" if occasion == START else f"chrome.{occasion}.addListener(() => {{ CALL; }});"
    return extension(manifest(**_KEYS), {BACKGROUND: f"{script.replace('CALL', call)}\n{ready}", PAGE: "<p>"})


def _ask_gestures(session: Session, gesture: Gesture) -> str:
    """Returns `allowed`, or an error. A dialog that is never closed means that the call was allowed."""
    assert isinstance(session, InChromium)
    name, occasion = gesture
    unanswered = f"new Promise((resolve) => setTimeout(resolve, 500, '{_ALLOWED}'))"
    answered = f"{CALLS[name]}.then(() => '{_ALLOWED}', (error) => error.message)"
    told = f"Promise.race([{answered}, {unanswered}]).then((text) => {session.report(occasion, 'text')})"
    session.load(_gesture_files(gesture, told, session.report("ready", "1")))
    trigger = EVENTS.get(occasion, "").replace("PAGE", session.server.page)
    session.value(trigger if trigger else "1", LOADED if occasion == LOAD else PAGE)
    if occasion in WAITS:
        session.receive("ready")
        session.trigger_action()
    found: str = session.receive(occasion)[occasion]
    return found


def _compare_gestures(browser: str, gesture: Gesture, answer: str) -> Iterator[str]:
    name, occasion = gesture
    files = _gesture_files(gesture, CALLS[name], EVENTS.get(occasion, ""))
    is_reported = bool(findings(browser, files, "lost-user-gesture"))
    if is_reported is not (_REFUSAL in answer):
        yield f"extlint says that it {'fails' if is_reported else 'works'}"


gestures = Query(
    "gestures",
    """Query when workers and pages may do what requires a click.

    The exit code is 1 if extlint disagrees.
    """,
    _gesture_cases,
    _ask_gestures,
    _compare_gestures,
    ("chromium",),
)
