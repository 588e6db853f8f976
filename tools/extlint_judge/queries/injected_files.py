"""The results of injected files, and what happens when they are injected into the same page again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import FAILS, ONE, Query, contradictions, findings

AGAIN: Mapping[str, str] = {
    "a constant": "const a = 1;",
    "a variable of a block": "let b = 1;",
    "a class": "class c {}",
    "a variable": "var d = 1;",
    "a function": "function e() {}",
    "a constant in a block": "{ const f = 1; }",
}
"""Declarations of files that are injected twice."""

RESULTS: Mapping[str, str] = {
    "the result is a function": "document.onclick = () => 1;",
    "the result is an element": "document.body;",
    "the result is a proxy": "new Proxy({}, {});",
    "the result is a text": "document.title;",
    "the result is before a declaration": "document.onclick = () => 1; var g = 1;",
    "the result is undefined": "document.onclick = () => 1; undefined;",
}
WORKS = "works"

_OPENING = """(async () => {
  const api = globalThis.browser ?? chrome;
  const { id } = await api.tabs.create({ url: "%s" });
  await new Promise((done) => setTimeout(done, 1000));
  const found = {};
  for (const name of %s) {
    const injection = { target: { tabId: id }, files: [name] };
    const inject = async () => (await api.scripting.executeScript(injection))[0];
    const first = await inject().catch((error) => `%s${error.message}`);
    const second = await inject().catch(() => ({}));
    const fails = %s.includes(name) && (second.error || second.result !== 1);
    found[name] = typeof first === "string" ? first : fails ? "%s" : "%s";
  }
  return found;
})()"""
_CLICK = """
chrome.action.onClicked.addListener(async (tab) => {
  const found = await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["a.js"] });
  console.log(found);
});
"""


def _files(script: str, files: Mapping[str, str]) -> Files:
    keys = manifest(
        permissions=["scripting", "tabs"],
        host_permissions=["http://127.0.0.1/*"],
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
        action={},
    )
    return extension(keys, {BACKGROUND: script, **files})


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns whether each file can be injected, twice if it declares something."""
    texts = [*(f"{each} 1;" for each in AGAIN.values()), *RESULTS.values()]
    files = {f"{number}.js": text for number, text in enumerate(texts)}
    names = [*files]
    again = json.dumps(names[: len(AGAIN)])
    script = _OPENING % (session.server.page, json.dumps(names), FAILS, again, FAILS, WORKS)
    found = session.evaluate(_files("", files), script, BACKGROUND)
    return dict(zip((*AGAIN, *RESULTS), (found[name] for name in files), strict=True))


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    scripts = {**AGAIN, **RESULTS}
    reported = [
        name
        for name in answers
        if findings(browser, _files(_CLICK, {"a.js": scripts[name]}), "invalid-argument")
    ]
    known = {name: each for name, each in answers.items() if name in AGAIN or browser == "firefox"}
    fails = {name: each != WORKS for name, each in known.items()}
    yield from contradictions([each for each in reported if each in known], fails)


injected_files = Query(
    "injected-files",
    """Query which files cannot be injected, or not again.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
