"""The state of an extension after the restart of its background.

The first run of a background creates what outlives it, and adds listeners, some of them late. Then it is
ended, and an event starts it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, PAGE, InChromium, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, findings

_RULE = "{id: 7, action: {type: 'block'}, condition: {urlFilter: 'judge.invalid'}}"
_SCRIPT = "{id: 'judge', matches: ['http://127.0.0.1/*'], js: ['page.js']}"
_CALLS = {
    "duplicate-menu": {"the item of its menu": "chrome.contextMenus.create({id: 'judge', title: 'judge'})"},
    "duplicate-registration": {
        "a content script": f"chrome.scripting.registerContentScripts([{_SCRIPT}])",
        "a dynamic rule": f"chrome.declarativeNetRequest.updateDynamicRules({{addRules: [{_RULE}]}})",
        "a dynamic rule that the call removes": (
            f"chrome.declarativeNetRequest.updateDynamicRules({{removeRuleIds: [7], addRules: [{_RULE}]}})"
        ),
        "a session rule": f"chrome.declarativeNetRequest.updateSessionRules({{addRules: [{_RULE}]}})",
        "an offscreen document": (
            "chrome.offscreen.createDocument({url: 'parse.html', reasons: ['BLOBS'], justification: 'a'})"
        ),
    },
    "restarted-alarm": {
        "an alarm": "chrome.alarms.create('judge', {periodInMinutes: 60})",
        "an alarm at a time": "chrome.alarms.create('timed', {when: 4e12, periodInMinutes: 60})",
    },
}
CREATIONS = {name: (rule, call) for rule, calls in _CALLS.items() for name, call in calls.items()}
"""Calls that create something in each run, each with the rule that reports it."""

_ONLY_IN_CHROMIUM = frozenset({"an offscreen document"})
WORKS = "works"
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
_HELPERS = """
const failure = async (call) => {
  try { await call(); } catch (error) { return `fails: ${error.message}`; }
  return "works";
};
const menuFailure = (item) => new Promise((settle) => {
  chrome.contextMenus.create(item, () => {
    const error = chrome.runtime.lastError?.message;
    settle(error ? `fails: ${error}` : "works");
  });
});
const restart = async (call) => {
  const times = async () => (await chrome.alarms.getAll()).map((each) => each.name + each.scheduledTime);
  const before = await times();
  await call();
  const after = await times();
  return before.every((each) => after.includes(each)) ? "works" : "restarts";
};
"""
_ASKED = {
    "duplicate-menu": "menuFailure({id: 'judge', title: 'judge'})",
    "restarted-alarm": "restart(() => %s)",
}
_EVENT = "chrome.bookmarks.create({title: 'judge', url: 'http://127.0.0.1/'})"


def _files(browser: str, script: str) -> Files:
    key, scripts = ("service_worker", BACKGROUND) if browser == "chromium" else ("scripts", [BACKGROUND])
    keys = manifest(
        permissions=[
            *("alarms", "bookmarks", "contextMenus", "declarativeNetRequest", "offscreen", "scripting"),
            "storage",
        ],
        host_permissions=["http://127.0.0.1/*"],
        background={key: scripts},
    )
    page = "<!doctype html><script src='page.js'></script>"
    event = _EVENT if browser == "firefox" else ""
    return extension(keys, {BACKGROUND: script, PAGE: page, "page.js": event, "parse.html": ""})


def _creations(browser: str) -> Mapping[str, tuple[str, str]]:
    return {
        name: each
        for name, each in CREATIONS.items()
        if browser == "chromium" or name not in _ONLY_IN_CHROMIUM
    }


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns what happens at the second start: to each creation, and whether each listener is there."""
    made = []
    for name, (rule, call) in _creations(session.browser).items():
        asked = _ASKED.get(rule, "failure(() => %s)")
        made.append(f"found[{json.dumps(name)}] = await {asked % call if '%s' in asked else asked};")
    script = f"{_HELPERS}(async () => {{ const found = {{}};\n" + "\n".join(made)
    script += f"\n{session.report('judge', 'found')}; }})();\n"
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
    (answers,) = (each for each in reports if isinstance(each, dict))
    return answers | {name: "there" if name in reports else "missing" for name in LISTENERS}


_SETTLED = "settled"


def _reports_until_settled(session: Session) -> list[Any]:
    """Returns the reports of a background in the second after its start."""
    reports: list[Any] = []
    while _SETTLED not in reports:
        reports.append(session.receive("judge")["judge"])
    return reports


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each item where extlint disagrees.

    A late listener that survives anyway is ignored: it depends on timing.
    """
    listening = "\nchrome.runtime.onMessage.addListener(() => {});"
    for name, (rule, call) in _creations(browser).items():
        works = answers[name] == WORKS
        if works is bool(findings(browser, _files(browser, f"{call};{listening}"), rule)):
            yield f"{name}: extlint says that creating it again {'fails' if works else 'works'}"
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
