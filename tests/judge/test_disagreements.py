"""The lines about answers of browsers with which extlint disagrees."""

from __future__ import annotations

from typing import Any

import pytest

from extlint.schema.matching.scalars import ARGUMENTS
from extlint_judge.queries import (
    background_runs,
    formats,
    policies,
    refused_calls,
    request_patterns,
    storage_access,
    user_actions,
    user_input,
)
from extlint_judge.queries.own_extension import manifest_differences
from extlint_judge.queries.table import QUERIES
from extlint_judge.queries.user_actions import CLICKED, POPUP
from extlint_rules.lost_user_gesture import (
    EVENTS_WITHOUT_GESTURE,
    EVENTS_WITHOUT_GESTURE_IN_FIREFOX,
    GESTURE_CALLS_IN_FIREFOX,
)

BY_NAME = {query.name: query for query in QUERIES}
REFUSED = "fails: temporary addon ID"
LOST = "fails: Could not establish connection. Receiving end does not exist."
MENU = "the item of its menu"
FIRST_LISTENER, *OTHER_LISTENERS = background_runs.LISTENERS
SESSION_WORKS, SESSION_FAILS = (dict.fromkeys(storage_access.CALLS, each) for each in ("works", "fails: no"))
ALL_WORK, ALL_FAIL = (dict.fromkeys(refused_calls.CALLS, each) for each in ("works", "fails: it must not"))
USER_INPUT = f"downloads.open, {user_input.START}"

CASES: dict[str, tuple[str, str, dict[str, Any], list[str]]] = {
    "calls that require an id": (
        "add-on-id",
        "firefox",
        {
            "2": {"storage.local.get": REFUSED},
            "3": {"storage.sync.get": "gives", "storage.sync.set": REFUSED},
        },
        [
            f"2: extlint says something else: storage.local.get {REFUSED}",
            "3: extlint says something else: storage.sync.get gives",
        ],
    ),
    "a method without its object": (
        "detached-methods",
        "chromium",
        {"": {"storage.local.get": "works", "tabs.query": "fails: Illegal invocation"}},
        [
            "storage.local.get: extlint says that it fails",
            "tabs.query: extlint says that it works",
        ],
    ),
    "a function of a page": (
        "worlds",
        "chromium",
        {"isolated": {"fetch": True}, "main": {"fetch": False}},
        [
            "isolated: fetch: extlint says that it fails",
            "main: fetch: extlint says that it works",
        ],
    ),
    "an event of a page": (
        "page-events",
        "firefox",
        {"": {"document_end": "comes", "document_idle": "comes"}},
        ["extlint says that DOMContentLoaded never comes to scripts at document_idle"],
    ),
    "a background page": (
        "background-pages",
        "chromium",
        {"3, a service worker": {"runtime.getBackgroundPage": "gives a page"}},
        [
            "3, a service worker: extlint says that there is no background page",
            "3, a service worker: extlint says that runtime.getBackgroundPage fails",
        ],
    ),
    "a listener that is added at once": (
        "background-runs",
        "chromium",
        {
            "": {
                **dict.fromkeys(background_runs.CREATIONS, "fails: no"),
                MENU: "works",
                "an alarm": "works",
                FIRST_LISTENER: "missing",
                **dict.fromkeys(OTHER_LISTENERS, "there"),
            }
        },
        [
            f"{MENU}: extlint says that creating it again fails",
            "a dynamic rule that the call removes: extlint says that creating it again works",
            "an alarm: extlint says that creating it again fails",
            "an alarm at a time: extlint says that creating it again works",
            f"{FIRST_LISTENER}: extlint says that it is there in time",
        ],
    ),
    "the result of a call with a callback": (
        "callbacks",
        "firefox",
        {"": {"chrome.tabs.query": "object", "browser.tabs.query": "undefined"}},
        ["extlint says that chrome.tabs.query returns nothing"],
    ),
    "a folder that Firefox uses": (
        "called-files",
        "firefox",
        {"a page of version 3": {"tabs.create": {"root": "/folder/root.html", "near": "/folder/near.html"}}},
        [],
    ),
    "a folder that Chromium does not use": (
        "called-files",
        "chromium",
        {"a page of version 3": {"tabs.create": {"root": "/folder/root.html", "near": "/folder/near.html"}}},
        ["a page of version 3: extlint says that names in tabs.create are relative to the root"],
    ),
    "clicks": (
        "clicks",
        "chromium",
        {"no popup": POPUP, "a popup": CLICKED},
        [
            "no popup: extlint says that the listener runs",
            "a popup: extlint says that the listener never runs",
        ],
    ),
    "right and wrong hosts": (
        "formats",
        "firefox",
        {"hostname": {"a.example": "refuses", "a b": "takes", "localhost": "takes"}},
        [
            "hostname: 'a.example': extlint says otherwise than a browser that refuses it",
            "hostname: 'a b': extlint says otherwise than a browser that takes it",
        ],
    ),
    "addresses, which extlint does not know": (
        "formats",
        "firefox",
        {"url": {"https://a.example/": "refuses"}},
        [],
    ),
    "addresses, whose format Chromium ignores": (
        "formats",
        "chromium",
        {"url": {"page.html": "takes", "a": "refuses"}},
        ["url: 'a': extlint says otherwise than a browser that refuses it"],
    ),
    "gestures": (
        "gestures",
        "chromium",
        {"sidePanel.open, at once": "… a user gesture.", "sidePanel.open, alarms.onAlarm": "allowed"},
        [
            "sidePanel.open, at once: extlint says that it works",
            "sidePanel.open, alarms.onAlarm: extlint says that it fails",
        ],
    ),
    "access without a request": (
        "host-access",
        "chromium",
        {"3, nothing": {"fields of its tab": "url", "executeScript": "works", "query by its url": "0 tabs"}},
        [
            "3, nothing: extlint says that there are no fields of its tab",
            "3, nothing: extlint says that executeScript fails",
        ],
    ),
    "imports": (
        "imports",
        "chromium",
        {
            "": {
                "classic-import.js": "runs",
                "module-import.js": "Failed",
                "worker import()": "import() is disallowed",
            }
        },
        ["classic-import.js: extlint says that it fails", "module-import.js: extlint says that it runs"],
    ),
    "injected functions": (
        "injected-functions",
        "chromium",
        {"": {"a variable around it": "red", "an argument": "red"}},
        ["a variable around it: red"],
    ),
    "answers that are not lost": (
        "messages",
        "firefox",
        {"": {"answers later": "gets 1", "is async, answers at once": "gets undefined"}},
        ["answers later: extlint says that the answer is lost"],
    ),
    "answers that are lost": (
        "messages",
        "firefox",
        {"": {"answers later, returns true": "gets undefined"}},
        ["answers later, returns true: extlint does not say that the answer is lost"],
    ),
    "places of the manifest": (
        "misplaced-manifests",
        "firefox",
        {"at the top": "no", "in a folder": "loaded"},
        ["at the top: extlint says that it is read", "in a folder: extlint says that it is not found"],
    ),
    "names of content scripts": (
        "content-script-names",
        "firefox",
        {"a.js": "no script of the list runs", "a.txt": "run"},
        ["a.js: extlint says that the scripts run", "a.txt: extlint says that no script runs"],
    ),
    "schemas": (
        "managed-schemas",
        "chromium",
        {"type any": "loaded", "type string": "no"},
        ["type any: extlint says that it is refused", "type string: extlint says that it is accepted"],
    ),
    "names of files": (
        "package-names",
        "chromium",
        {"_": "loaded", "con": "no"},
        ["_: extlint says that it is refused", "con: extlint says that it is loaded"],
    ),
    "a refused policy": ("policies", "chromium", {"default": {"refused": "no"}}, []),
    "promises": (
        "promises",
        "firefox",
        {"2": {"chrome.tabs.query": "promise", "browser.tabs.query": "promise"}},
        ["2: chrome.tabs.query returns promise, and not undefined"],
    ),
    "a message that arrives": (
        "receivers",
        "chromium",
        {"content listens": {"runtime.sendMessage in background": "gets heard"}},
        ["content listens: runtime.sendMessage in background gets to content: extlint says that it is lost"],
    ),
    "a message that does not arrive": (
        "receivers",
        "chromium",
        {"page listens": {"runtime.sendMessage in background": LOST}},
        ["page listens: runtime.sendMessage in background does not get to page: extlint does not say so"],
    ),
    "resources": (
        "resources",
        "chromium",
        {"version 3": {"image": dict.fromkeys(("listed", "elsewhere", "unlisted"), True)}},
        [
            "version 3: extlint says that nothing loads what is listed for other pages, but image does",
            "version 3: extlint says that nothing loads what is listed nowhere, but image does",
        ],
    ),
    "access to an area": (
        "session-access",
        "chromium",
        {"closed": SESSION_FAILS, "open": SESSION_WORKS},
        [],
    ),
    "access to an area, the other way round": (
        "session-access",
        "chromium",
        {"closed": SESSION_WORKS, "open": SESSION_FAILS},
        [
            *(f"closed: {call}: extlint says that it fails" for call in storage_access.CALLS),
            *(f"open: {call}: extlint says that it works" for call in storage_access.CALLS),
        ],
    ),
    "copies": (
        "serialization",
        "chromium",
        {
            "": {
                "Map": {"sendMessage": "Map 1", "local": "{}"},
                "a string": {"sendMessage": "{}", "sync": "a"},
            }
        },
        [
            "Map, sendMessage: extlint says that it fails",
            "a string, sendMessage: extlint says that it arrives",
        ],
    ),
    "patterns of requests": (
        "request-patterns",
        "firefox",
        {"": {"a.example": "is heard", "<all_urls>": "is lost", request_patterns.WITH_PORT: "is heard"}},
        [
            "a.example: extlint says that it fails",
            "<all_urls>: extlint says that it works",
            f"{request_patterns.WITH_PORT}: extlint says that it fails",
        ],
    ),
    "commands that listeners get": (
        "reserved-commands",
        "firefox",
        {"3": ["_execute_action", *("_execute_browser_action", "_execute_menus", "_execute_tools", "last")]},
        ["3: extlint says that listeners never get _execute_action"],
    ),
    "strings that run": (
        "blocked-calls",
        "firefox",
        {
            "version 3": {
                "page.js": {"eval": "runs", "WebAssembly.compile": "runs"},
                "main.js": {"Function": "EvalError"},
            }
        },
        [
            "version 3: page.js: eval: extlint says that it fails",
            "version 3: page.js: WebAssembly.compile: extlint says that it fails",
            "version 3: main.js: Function: extlint says that it runs",
        ],
    ),
    "handlers that call functions": (
        "blocked-calls",
        "firefox",
        {"version 3": {"content.js": {"handler": "runs"}, "main.js": {"handler": "runs"}}},
        ["version 3: content.js: an event handler calls its function"],
    ),
    "listeners of a worker": (
        "worker-events",
        "chromium",
        {"at once": {"push": "is late"}, "in a timer of no delay": {"push": "is in time"}},
        [
            "at once: push: extlint says that it is in time",
            "in a timer of no delay: push: extlint says that it fails",
        ],
    ),
    "a script that does not parse": (
        "syntax",
        "chromium",
        {"": {"classic enum E {}": "parses", "module const a": "Uncaught SyntaxError"}},
        ["classic enum E {}: extlint says that it does not parse: "],
    ),
    "a user agent of Firefox": (
        "user-agent",
        "firefox",
        {"": "Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0 Chrome"},
        ["there is 'Chrome' in it"],
    ),
    "an error that is not printed": (
        "unhandled-failures",
        "chromium",
        {"3, chrome, nothing": "nothing", "3, chrome, catch": "Uncaught (in promise) Error: no"},
        [
            "3, chrome, nothing: the call: extlint says that it fails",
            "3, chrome, catch: the call: extlint says that it works",
        ],
    ),
    "a call at the start of a background": (
        "user-input",
        "firefox",
        {"": {USER_INPUT: "allowed"}},
        [f"{USER_INPUT}: extlint says that it fails"],
    ),
}
"""A question, a browser, its answers, and the lines, or their starts."""


@pytest.mark.parametrize(("name", "browser", "observed", "lines"), CASES.values(), ids=CASES.keys())
def test_disagreements_are_listed(
    name: str, browser: str, observed: dict[str, Any], lines: list[str]
) -> None:
    found = [*BY_NAME[name].disagreements(browser, observed)]
    assert [line[: len(expected)] for line, expected in zip(found, lines, strict=True)] == lines


def test_code_that_extlint_reports_and_that_runs_is_listed() -> None:
    runs = {"default": {"found": dict.fromkeys(policies.PROBES, True), "blocked": []}}
    found = {*BY_NAME["policies"].disagreements("chromium", runs)}
    assert "default: extlint says that handler does not run" in found


def test_calls_that_extlint_reports_or_not_are_listed() -> None:
    query = BY_NAME["refused-calls"]
    (background,) = query.cases("chromium")
    works = {*query.disagreements("chromium", {background: ALL_WORK})}
    fails = {*query.disagreements("chromium", {background: ALL_FAIL})}
    assert f"{background}: a menu without an id: extlint says that it fails" in works
    assert f"{background}: a menu with an id: extlint says that it works" in fails


def test_differences_between_manifests_are_listed() -> None:
    written, found = {"a": 1, "b": {"c": 2}, "d": 3}, {"a": 1, "b": {"c": None, "e": 4}, "f": None}
    assert list(manifest_differences(written, found)) == [
        "/b/c: 2 is not seen",
        "/b/e: 4 is seen, and not written",
        "/d: 3 is not seen",
    ]


def test_every_call_and_event_of_the_rules_is_asked() -> None:
    assert {".".join(path) for path in GESTURE_CALLS_IN_FIREFOX} == {*user_input.CALLS}
    assert {".".join(path) for path in EVENTS_WITHOUT_GESTURE_IN_FIREFOX} == {*user_input.EVENTS}
    asked = user_actions.EVENTS.keys()
    assert {".".join(path) for path in EVENTS_WITHOUT_GESTURE} - asked == {"runtime.onStartup"}
    assert formats.CALLS.keys() == formats.TEXTS.keys()
    assert formats.CALLS.keys() <= ARGUMENTS.keys()
