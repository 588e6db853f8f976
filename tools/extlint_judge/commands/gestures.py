"""Queries when a service worker in Chromium may make calls that require a user action.

The results are compared with extlint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import CHROME, Target
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.extensions import write_files
from extlint_judge.options import query_browser, report_and_exit

WAIT = 10.0
"""The timeout in seconds for a call to succeed or fail."""

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
_ALLOWED = "allowed"
_READY = "ready"
_REFUSAL = "user gesture"
_MANIFEST: dict[str, Any] = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "action": {},
    "permissions": ["alarms", "cookies", "history", "sidePanel", "storage", "webNavigation"],
    "optional_permissions": ["topSites"],
    "host_permissions": ["http://127.0.0.1/*"],
    "background": {"service_worker": "background.js"},
}
_CLICK_LISTENER = "chrome.action.onClicked.addListener(() => { %s });"
_EVENT_LISTENER = "chrome.%s.addListener(() => { CALL; });"
_HELPERS = """
const tell = (name, text) => fetch('%s', {method: 'POST', body: JSON.stringify([name, text])});
const told = (name, call) => {
  const unanswered = new Promise((resolve) => setTimeout(resolve, 500, '%s'));
  const answered = call.then(() => '%s', (error) => error.message);
  Promise.race([answered, unanswered]).then((text) => tell(name, text));
};
"""


def script_of(case: str) -> str:
    """Returns the script of a case, with `CALL` for the call."""
    if case == START:
        return "CALL;"
    return _CLICK_LISTENER % WAITS[case] if case in WAITS else _EVENT_LISTENER % case


def observe(_browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each call in each case: `allowed`, or an error. Raises BrowserError."""
    found: dict[str, str] = {}
    with serving() as server, chromium(command, folder) as connection:
        for number, (name, call) in enumerate(CALLS.items()):
            for case in (START, *EVENTS, *WAITS) if number == 0 else WAITS:
                where = folder / f"extension{len(found)}"
                found[f"{name}, {case}"] = _observe_call(connection, server, where, case, call)
    return found


def _observe_call(connection: Connection, server: Server, where: Path, case: str, call: str) -> str:
    """Returns the result of a call in a case, in a separate extension."""
    helpers = _HELPERS % (server.address("/"), _ALLOWED, _ALLOWED)
    reported_call = f"told({json.dumps(case)}, {call})"
    write_files(
        {
            "manifest.json": json.dumps(_MANIFEST),
            "background.js": f"{helpers}{script_of(case).replace('CALL', reported_call)}\n"
            f"tell('{_READY}', '');",
            "page.html": "<!doctype html>",
        },
        where,
    )
    extension = load_extension(connection, where)
    page = load_page(connection, f"chrome-extension://{extension}/page.html")
    if case in WAITS:
        _received(server, _READY)
        listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        tab = next(each["targetId"] for each in listed if each["type"] == "tab")
        connection.send("Extensions.triggerAction", id=extension, targetId=tab)
    elif EVENTS.get(case):
        connection.evaluate(page, EVENTS[case].replace("PAGE", server.page))
    found = _received(server, case)
    connection.send("Extensions.uninstall", id=extension)
    return found


def _received(server: Server, expected_name: str) -> str:
    """Returns the worker's report with a given name. Raises BrowserError if it does not arrive."""
    while True:
        name, text = server.receive(f"the worker says nothing of {expected_name!r}", timeout=WAIT)
        if name == expected_name:
            answer: str = text
            return answer


def disagreements(observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each case where extlint reports a working call, or does not report a failing one."""
    for name, answer in observed.items():
        call, _, case = name.partition(", ")
        script = script_of(case).replace("CALL", CALLS[call])
        files = {"manifest.json": json.dumps(_MANIFEST).encode, "background.js": script.encode}
        report = check_package(Package("judge", files), [Target(CHROME)], ("lost-user-gesture",))
        if bool(report.findings) is not (_REFUSAL in answer):
            yield f"{name}: extlint says that it {'fails' if report.findings else 'works'}"


@click.command()
def gestures() -> None:
    """Query when workers may do what requires a click.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser("chromium", observe)
    for name, answer in observed.items():
        click.echo(f"  {name}: {answer}")
    report_and_exit(disagreements(observed))
