"""Promises of `fetch`, and of the bodies of responses: `missing-await`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "missing-await"
GOT = "const r = await fetch(u);"


def files(source: str) -> dict[str, str]:
    keys = {"background": {"service_worker": "b.js", "type": "module", "scripts": ["b.js"]}}
    script = f"chrome.runtime.onInstalled.addListener(async () => {{ {source} }});"
    return {"manifest.json": manifest(**keys), "b.js": script}


REPORTED = {
    "a response": ("const r = fetch(u); f(r.ok);", "ok"),
    "a response at once": ("f(fetch(u).status);", "status"),
    "a method of a response": ("const r = fetch(u); f(await r.json());", "json"),
    "a body": (f"{GOT} const d = r.json(); f(d.items);", "items"),
    "a body at once": (f"{GOT} f(r.text().length);", "length"),
    "a pattern": (f"{GOT} const {{ items }} = r.json(); f(items);", "items"),
    "a loop": (f"{GOT} for (const each of r.json()) f(each);", "r.json()"),
}


@pytest.mark.parametrize(("source", "text"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(source: str, text: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, text)]


SILENT = {
    "a wait": f"{GOT} const d = await r.json(); f(d.items);",
    "a wait in parentheses": "f((await (await fetch(u)).json()).items);",
    "then": "fetch(u).then((r) => r.json()).then((d) => f(d.items));",
    "a later wait": f"{GOT} const d = r.json(); f((await d).items);",
    "a promise passed on": f"{GOT} const d = r.json(); f(d);",
    "a test of the promise": "const p = fetch(u); if (p) f(await p);",
    "an own function": "const fetch = () => ({ ok: true }); const r = fetch(u); f(r.ok);",
    "another object": "const r = g(u); const d = r.json(); f(d.items);",
    "a method of the promise": "const p = fetch(u); p.catch(f); f(await p);",
    "another write": "let r = await fetch(u); r = g(r); const d = r.json(); f(d.items);",
    "an object that has a method of this name": "const r = await x.fetch(u); const d = r.json(); f(d.items);",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_silent(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


def test_message() -> None:
    [found] = lint(files(f"{GOT} const d = r.json(); f(d.items);"), [RULE], "chrome")
    assert found.message == "`r.json` returns a promise, which has no `items`"
