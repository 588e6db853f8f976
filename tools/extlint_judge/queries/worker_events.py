"""The listeners of its own events that a service worker adds too late, as Chromium warns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.chromium import attach
from extlint_judge.browsers.session import BACKGROUND, InChromium, Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.query import Query, contradictions, findings
from extlint_rules.helpers.late_listeners import EVENTS

_FORMS: Mapping[str, str] = {
    "at once": "add();",
    "after `await null`": "(async () => { await null; add(); })();",
    "in a microtask": "queueMicrotask(() => add());",
    "in a timer of no delay": "setTimeout(() => add(), 0);",
    "after an awaited call": "(async () => { await chrome.storage.local.get(); add(); })();",
    "in the callback of a call": "chrome.storage.local.get(() => add());",
    "in a listener of `runtime.onInstalled`": "chrome.runtime.onInstalled.addListener(() => add());",
    "in a listener of `install`": "self.addEventListener('install', () => add());",
}
_WARNING = "must be added on the initial evaluation of worker script"
IS_LATE, IN_TIME = "is late", "is in time"


def _script(form: str, then: str = "") -> str:
    """Returns a script that adds a listener of each event in a form."""
    calls = "\n  ".join(f"self.addEventListener('{each}', () => console.log('{each}'));" for each in EVENTS)
    return f"function add() {{\n  {calls}\n  {then}\n}}\n{form}"


def _ask(session: Session, form: str) -> dict[str, str]:
    if not isinstance(session, InChromium):
        raise TypeError(session.browser)
    files = {BACKGROUND: _script(form, session.report(BACKGROUND, "0"))}
    session.load(extension(_KEYS, files))
    session.receive(BACKGROUND)
    connection = session.connection
    worker = attach(connection, session.address(BACKGROUND))
    connection.events.clear()
    connection.send("Log.enable", worker)
    connection.evaluate(worker, "1")
    entries = (each["params"]["entry"] for each in connection.events if each["method"] == "Log.entryAdded")
    warned = [str(each["text"]) for each in entries if _WARNING in each["text"]]
    return {each: IS_LATE if any(f"'{each}'" in text for text in warned) else IN_TIME for each in EVENTS}


def _compare(browser: str, form: str, answers: Mapping[str, str]) -> Iterator[str]:
    reported = (
        each.message.split("`")[1]
        for each in findings(browser, extension(_KEYS, {BACKGROUND: _script(form)}), "late-listener")
    )
    late = {name: answer == IS_LATE for name, answer in answers.items() if f"'{name}'" not in form}
    yield from contradictions(reported, late, "is in time")


_KEYS = manifest(3, background={"service_worker": BACKGROUND}, permissions=["storage"])

worker_events = Query(
    "worker-events",
    """Query which listeners of a worker come too late.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _browser: _FORMS,
    _ask,
    _compare,
    browsers=("chromium",),
)
