"""The responses of message listeners that reach the sender."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import FAILS, ONE, Query, findings

LISTENERS: Mapping[str, tuple[str, ...]] = {
    "answers at once": ("(m, s, answer) => { answer(1); }",),
    "answers later": ("(m, s, answer) => { later(answer); }",),
    "answers later, returns true": ("(m, s, answer) => { later(answer); return true; }",),
    "answers later, returns 1": ("(m, s, answer) => { later(answer); return 1; }",),
    "answers later, returns 'true'": ("(m, s, answer) => { later(answer); return 'true'; }",),
    "answers later, returns an object": ("(m, s, answer) => { later(answer); return {}; }",),
    "answers later, returns false": ("(m, s, answer) => { later(answer); return false; }",),
    "answers later, returns a thenable": (
        "(m, s, answer) => { later(answer); return {then(f) { f(2); }}; }",
    ),
    "answers in a microtask": ("(m, s, answer) => { Promise.resolve().then(() => answer(1)); }",),
    "answers in a callback of the API": (
        "(m, s, answer) => { api.runtime.getPlatformInfo(() => answer(1)); }",
    ),
    "answers in a promise of the API": (
        "(m, s, answer) => { api.storage.local.get().then(() => answer(1)); }",
    ),
    "answers in a called async function": ("(m, s, answer) => { (async () => { await 0; answer(1); })(); }",),
    "returns a value": ("() => 2",),
    "returns true": ("() => true",),
    "returns a promise": ("() => Promise.resolve(2)",),
    "is async, returns a value": ("async () => 2",),
    "is async, returns nothing": ("async () => {}",),
    "is async, answers at once": ("async (m, s, answer) => { answer(1); }",),
    "is async, answers after await": ("async (m, s, answer) => { await 0; answer(1); }",),
    "is async, answers after await of time": ("async (m, s, answer) => { await time(); answer(1); }",),
    "is async, answers after await, returns true": (
        "async (m, s, answer) => { await 0; answer(1); return true; }",
    ),
    "is async, answers later": ("async (m, s, answer) => { later(answer); }",),
    "is async, answers later, returns true": ("async (m, s, answer) => { later(answer); return true; }",),
    "answers later; another one returns true": ("(m, s, answer) => { later(answer); }", "() => true"),
    "answers later; another one returns nothing": ("(m, s, answer) => { later(answer); }", "() => {}"),
    "answers later; another one is async": ("(m, s, answer) => { later(answer); }", "async () => {}"),
    "answers later, returns true; another one is async": (
        "(m, s, answer) => { later(answer); return true; }",
        "async () => {}",
    ),
    "answers at once; another one is async": ("(m, s, answer) => { answer(1); }", "async () => {}"),
    "answers in a promise; another one is async": ("() => time().then(() => 1)", "async () => {}"),
    "answers in a promise; another one is async and waits": (
        "() => time().then(() => 1)",
        "async () => { await time(); await time(); }",
    ),
    "answers later; another one returns a promise that lasts": (
        "(m, s, answer) => { later(answer); }",
        "() => time().then(time)",
    ),
}
"""The listeners of one document, as JavaScript."""

_HELPERS = """
  const api = globalThis.browser ?? chrome;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const time = () => wait(50);
  const later = (answer) => { setTimeout(() => answer(1), 50); };
"""
_PROBE = """(async () => {
  %s
  const frame = document.querySelector("iframe").contentWindow;
  const found = {};
  for (const [name, listeners] of Object.entries({ %s })) {
    for (const each of listeners) api.runtime.onMessage.addListener(each);
    const sent = (frame.browser ?? frame.chrome).runtime.sendMessage("asks");
    const told = sent.then((it) => `gets ${JSON.stringify(it)}`, (error) => `%s${error.message}`);
    found[name] = await Promise.race([told, wait(500).then(() => "waits")]);
    for (const each of listeners) api.runtime.onMessage.removeListener(each);
  }
  return found;
})()"""


def _files(script: str, **keys: Any) -> Files:
    page = "<!doctype html><iframe src='frame.html'></iframe><script src='page.js'></script>"
    files = {"page.html": page, "page.js": script, "frame.html": "<!doctype html>"}
    return extension(manifest(permissions=["storage"], **keys), files)


def _ask(session: Session, _: None) -> Any:
    listed = ", ".join(f"{json.dumps(name)}: [{', '.join(each)}]" for name, each in LISTENERS.items())
    return session.evaluate(_files(""), _PROBE % (_HELPERS, listed, FAILS))


def _is_reported(browser: str, listeners: tuple[str, ...]) -> bool:
    """Whether extlint reports that the response of some listeners of one script is lost."""
    calls = "".join(f"api.runtime.onMessage.addListener({each});\n" for each in listeners)
    files = _files(f"{_HELPERS}{calls}", background={"service_worker": "page.js", "scripts": ["page.js"]})
    sender = {"sender.js": "chrome.runtime.sendMessage('asks');"}
    return bool(findings(browser, {**files, **sender}, "lost-response"))


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each listener where extlint disagrees.

    extlint does not report responses for which another listener may wait.
    """
    for name, result in answers.items():
        if "answers" in name:
            is_lost, own = result != "gets 1", _is_reported(browser, LISTENERS[name])
            if own and not is_lost:
                yield f"{name}: extlint says that the answer is lost"
            if is_lost and not own and ";" not in name:
                yield f"{name}: extlint does not say that the answer is lost"


messages = Query(
    "messages",
    """Query which responses of message listeners reach the sender.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
