"""The results of calls, with and without their object, and the variables of injected functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Manifest, extension, manifest
from extlint_judge.query import FAILS, ONE, Query, answers_of, contradictions, findings

ROOTS = ("browser", "chrome")

CALLBACKS: Mapping[str, str] = {
    "runtime.getPlatformInfo": "",
    "runtime.sendMessage": "'x', ",
    "storage.local.get": "'a', ",
    "storage.local.set": "{a: 1}, ",
    "tabs.query": "{}, ",
    "windows.getAll": "{}, ",
}
"""Functions, each with the arguments before the callback."""


def _ask_callbacks(session: Session, _: None) -> Any:
    calls = {
        f"{root}.{name}": f"typeof {root}.{name}({before}() => chrome.runtime.lastError)"
        for root in ROOTS
        for name, before in CALLBACKS.items()
    }
    files = extension(manifest(permissions=["storage", "tabs"]))
    return session.evaluate(files, answers_of(calls, "value"))


def _compare_callbacks(_browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    for name, kind in answers.items():
        if kind != "undefined":
            yield f"extlint says that {name} returns nothing"


callbacks = Query(
    "callbacks",
    """Query the results of calls with a callback.

    The exit code is 1 if one returns anything, because extlint treats them as returning nothing.
    """,
    lambda _: ONE,
    _ask_callbacks,
    _compare_callbacks,
)

PROMISES: Mapping[str, str] = {
    "alarms.getAll": "",
    "bookmarks.getTree": "",
    "contextualIdentities.query": "{}",
    "cookies.getAllCookieStores": "",
    "extension.isAllowedIncognitoAccess": "",
    "history.search": "{text: ''}",
    "i18n.getAcceptLanguages": "",
    "management.getSelf": "",
    "menus.removeAll": "",
    "permissions.getAll": "",
    "runtime.getPlatformInfo": "",
    "runtime.sendMessage": "'x'",
    "storage.local.get": "'a'",
    "storage.local.set": "{a: 1}",
    "storage.sync.get": "'a'",
    "tabs.query": "{}",
    "theme.getCurrent": "",
    "windows.getAll": "{}",
}
"""Functions, each with arguments and without a callback."""

THEN = "chrome.tabs.query({}).then"
"""A call of `then` on a function's result, whose error is recorded."""

_KIND = """const kind = (it) => {
  if (!(it instanceof Promise)) return typeof it;
  it.catch(() => {});
  return "promise";
};"""


def _ask_promises(session: Session, version: int) -> Any:
    calls = {
        f"{root}.{name}": f"kind({root}.{name}({arguments}))"
        for root in ROOTS
        for name, arguments in PROMISES.items()
    }
    names = ("alarms", "bookmarks", "contextualIdentities", "cookies", "history", "menus", "storage", "tabs")
    expression = answers_of({**calls, THEN: f"{THEN}(() => {{}}), 'nothing'"}, "value", _KIND)
    return session.evaluate(extension(manifest(version, permissions=names)), expression)


def _compare_promises(_browser: str, version: int, answers: Mapping[str, str]) -> Iterator[str]:
    for name, kind in answers.items():
        expected = "undefined" if version == 2 and name.startswith("chrome.") else "promise"
        if name != THEN and kind != expected:
            yield f"{name} returns {kind}, and not {expected}"


promises = Query(
    "promises",
    """Query which functions return promises in Firefox.

    The exit code is 1 if one of `chrome` does in Manifest V2, or any other one does not.
    """,
    lambda _: {"2": 2, "3": 3},
    _ask_promises,
    _compare_promises,
    ("firefox",),
)

COLOR = "red"
INJECTED = {
    "a variable around it": "func: () => { try { return color; } catch (error) { return String(error); } }",
    "an argument": "args: [color], func: (color) => color",
}
INJECTED_ANSWERS = {
    "a variable around it": "ReferenceError: color is not defined",
    "an argument": COLOR,
}
_TARGET = """const color = %r;
  const tab = await api.tabs.create({ url: %r });
  const isLoaded = ({ status, url }) => status === "complete" && url === %r;
  while (!isLoaded(await api.tabs.get(tab.id))) await new Promise((done) => setTimeout(done, 50));
  const target = { tabId: tab.id };"""


def _ask_injected_functions(session: Session, _: None) -> Any:
    hosts = ["http://127.0.0.1/*"]
    if session.browser == "chromium":
        keys = manifest(permissions=["scripting", "tabs"], host_permissions=hosts)
    else:  # in Manifest V3 a user may withdraw hosts from an add-on
        keys = manifest(2, permissions=["scripting", "tabs", *hosts])
    calls = {
        name: f"(await api.scripting.executeScript({{ target, {call} }}))[0].result"
        for name, call in INJECTED.items()
    }
    page = session.server.page
    return session.evaluate(extension(keys), answers_of(calls, "value", _TARGET % (COLOR, page, page)))


def _compare_injected_functions(_browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    return (f"{name}: {each}" for name, each in answers.items() if each != INJECTED_ANSWERS[name])


injected_functions = Query(
    "injected-functions",
    """Query which variables injected functions can access.

    The exit code is 1 if one can access a variable around it, because extlint assumes that it cannot.
    """,
    lambda _: ONE,
    _ask_injected_functions,
    _compare_injected_functions,
)

METHODS: Mapping[str, str] = {
    "runtime.getURL": "'a'",
    "runtime.onMessage.addListener": "() => {}",
    "storage.local.get": "'a'",
    "storage.local.set": "{a: 1}",
    "storage.sync.remove": "'a'",
    "tabs.onCreated.addListener": "() => {}",
    "tabs.query": "{}",
}
"""Members of the API that are called without their object, each with arguments."""


def _detached(name: str) -> str:
    return f"(() => {{ const member = chrome.{name}; return member({METHODS[name]}); }})()"


def _ask_detached_methods(session: Session, keys: Manifest) -> Any:
    calls = {name: _detached(name) for name in METHODS}
    return session.evaluate(extension(keys), answers_of(calls, "'works'"))


def _compare_detached_methods(browser: str, keys: Manifest, answers: Mapping[str, str]) -> Iterator[str]:
    key = "service_worker" if browser == "chromium" else "scripts"
    background = {key: BACKGROUND if key == "service_worker" else [BACKGROUND]}
    script = "\n".join(f"{_detached(name)};" for name in answers)
    files = extension({**keys, "background": background}, {BACKGROUND: script})
    lines = {each.span.start.line for each in findings(browser, files, "detached-method")}
    reported = (name for line, name in enumerate(answers, 1) if line in lines)
    yield from contradictions(reported, {name: each.startswith(FAILS) for name, each in answers.items()})


detached_methods = Query(
    "detached-methods",
    """Query which members can be called without their object.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: {"": manifest(permissions=["storage", "tabs"])},
    _ask_detached_methods,
    _compare_detached_methods,
)
