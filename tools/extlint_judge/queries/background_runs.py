"""The state of an extension after the restart of its background.

The first run of a background creates a menu item and adds listeners, some of them late. Then it is ended, and
an event starts it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, PAGE, InChromium, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, findings

MENU = "the item of its menu"
_FORMS = {
    "at once": "add();",
    "after a promise that is fulfilled": "Promise.resolve().then(add);",
    "after `await null`": "(async () => { await null; add(); })();",
    "in a timer of no delay": "setTimeout(add, 0);",
    "in a timer": "setTimeout(add, 100);",
    "after an awaited call": "(async () => { await chrome.storage.local.get(); add(); })();",
    "after a promise of a call": "chrome.storage.local.get().then(add);",
    "in the callback of a call": "chrome.storage.local.get(() => add());",
    "after `fetch`": "(async () => { await fetch('http://127.0.0.1/'); add(); })();",
    "in a listener of `runtime.onInstalled`": "chrome.runtime.onInstalled.addListener(add);",
    "in a listener of `runtime.onStartup`": "chrome.runtime.onStartup.addListener(add);",
}
LISTENERS = {f"a listener that is added {form}": code for form, code in _FORMS.items()}

_ADD_LISTENER = "{ const add = () => chrome.%s.addListener(() => %s); %s }\n"
_CREATE_MENU = "chrome.contextMenus.create({id: 'judge', title: 'judge'}, () => %s);\n"
_EVENT = "chrome.bookmarks.create({title: 'judge', url: 'http://127.0.0.1/'})"


def _files(browser: str, script: str) -> Files:
    key, scripts = ("service_worker", BACKGROUND) if browser == "chromium" else ("scripts", [BACKGROUND])
    keys = manifest(
        permissions=["bookmarks", "contextMenus", "storage"],
        host_permissions=["http://127.0.0.1/*"],
        background={key: scripts},
    )
    page = "<!doctype html><script src='page.js'></script>"
    event = _EVENT if browser == "firefox" else ""
    return extension(keys, {BACKGROUND: script, PAGE: page, "page.js": event})


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns the state of each item after the second start: `there`, `missing` or an error."""
    error = "`error: ${chrome.runtime.lastError?.message ?? ''}`"
    script = _CREATE_MENU % session.report("judge", error)
    for name, code in LISTENERS.items():
        script += _ADD_LISTENER % ("bookmarks.onCreated", session.report("judge", json.dumps(name)), code)
    script = script.replace("http://127.0.0.1/'", f"{session.server.page}'")
    settled = f"setTimeout(() => {session.report('judge', json.dumps(_SETTLED))}, 1000);\n"
    session.load(_files(session.browser, script + settled))
    _reports_until_settled(session)
    session.end_background()
    if isinstance(session, InChromium):
        session.value(_EVENT, PAGE)
    else:
        session.open(PAGE)
    reports = _reports_until_settled(session)
    error = next((each for each in reports if each.startswith("error: ")), "missing")
    return {MENU: error} | {name: "there" if name in reports else "missing" for name in LISTENERS}


_SETTLED = "settled"


def _reports_until_settled(session: Session) -> list[str]:
    """Returns the reports of a background in the second after its start."""
    reports: list[str] = []
    while _SETTLED not in reports:
        reports.append(session.receive("judge")["judge"])
    return reports


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each item where extlint disagrees.

    A late listener that survives anyway is ignored: it depends on timing.
    """
    fails = answers[MENU] not in {"missing", "error: "}
    if fails is not bool(findings(browser, _files(browser, _CREATE_MENU % "'created'"), "duplicate-menu")):
        yield f"{MENU}: extlint says that creating it again {'works' if fails else 'fails'}"
    for name, code in LISTENERS.items():
        files = _files(browser, _ADD_LISTENER % ("runtime.onMessage", "''", code))
        if answers[name] == "missing" and not findings(browser, files, "late-listener"):
            yield f"{name}: extlint says that it is there in time"


background_runs = Query(
    "background-runs",
    """Query what survives the restart of a background.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
