"""References to one of several API members, or to the API or a substitute for it."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("invalid-argument", "unknown-api", "wrong-argument-count")

_AREA = "const area = x ? chrome.storage.local : chrome.storage.sync; "
_EITHER = "const api = inPage ? proxy : chrome; "


def found(source: str) -> list[tuple[str, str]]:
    """Returns the findings in a script in Chrome, with the source text of each."""
    files = {
        "manifest.json": manifest(
            permissions=["storage", "tabs"],
            action={},
            background={"service_worker": "b.js"},
        ),
        "b.js": source,
    }
    return reported(files, RULES, "chrome")


WRONG = {
    "an argument": (_AREA + "area.set('key')", "invalid-argument", "'key'"),
    "a name": (_AREA + "area.sett({})", "unknown-api", "area.sett"),
    "on the spot": ("(x ? chrome.storage.local : chrome.storage.sync).get(5)", "invalid-argument", "5"),
    "too many arguments": (_AREA + "area.clear(1, 2, 3)", "wrong-argument-count", "(1, 2, 3)"),
    "the name of an area": (
        "const name = x ? 'local' : 'sync'; chrome.storage[name].get(5)",
        "invalid-argument",
        "5",
    ),
    "a function's return value": (
        "function area(s) { if (s) return chrome.storage.sync; return chrome.storage.local } area(1).get(5)",
        "invalid-argument",
        "5",
    ),
    "a loop": (
        "for (const area of [chrome.storage.local, chrome.storage.sync]) area.get(5)",
        "invalid-argument",
        "5",
    ),
    "a loop over names": (
        "for (const name of ['local', 'sync']) chrome.storage[name].gett('a')",
        "unknown-api",
        "chrome.storage[name].gett",
    ),
    "a callback": (
        "[chrome.storage.local, chrome.storage.sync].forEach((area) => area.get(5))",
        "invalid-argument",
        "5",
    ),
    "events": (
        "for (const event of [chrome.tabs.onCreated, chrome.tabs.onRemoved]) event.addListner(() => {})",
        "unknown-api",
        "event.addListner",
    ),
    "a table": (
        "const areas = { a: chrome.storage.local, b: chrome.storage.sync }; areas[key].get(5)",
        "invalid-argument",
        "5",
    ),
    "a part": (
        "const { get } = x ? chrome.storage.local : chrome.storage.sync; get(5)",
        "invalid-argument",
        "5",
    ),
    "a field of a class": (
        "class Store { constructor(s) { this.area = s ? chrome.storage.sync : chrome.storage.local }"
        " load() { return this.area.get(5) } }",
        "invalid-argument",
        "5",
    ),
    "written in two places": (
        "let area = chrome.storage.local; if (x) area = chrome.storage.sync; area.get(5)",
        "invalid-argument",
        "5",
    ),
    "the one that there is": (
        "(chrome.browserAction ?? chrome.action).setBadgeText('x')",
        "invalid-argument",
        "'x'",
    ),
    "functions": ("const f = x ? chrome.tabs.query : chrome.tabs.create; f(5)", "invalid-argument", "5"),
    "a stand-in": (_EITHER + "api.tabs.query({ activ: true })", "invalid-argument", "activ"),
    "a name, and a stand-in": (_EITHER + "api.tabs.queryy({})", "unknown-api", "api.tabs.queryy"),
    "a stand-in that a function gives": (
        "function api() { if (x) return proxy; return chrome } api().tabs.query({ activ: true })",
        "invalid-argument",
        "activ",
    ),
    "a stand-in where the API is missing": (
        "const area = chrome.storage.local || fallback; area.get(5)",
        "invalid-argument",
        "5",
    ),
    "a default": (
        "class A { constructor({ api = chrome }) { this.api = api }"
        " f() { this.api.tabs.query({ activ: true }) } } new A(options)",
        "invalid-argument",
        "activ",
    ),
}


@pytest.mark.parametrize(("source", "rule", "text"), WRONG.values(), ids=WRONG.keys())
def test_mistake_in_every_alternative_is_reported(source: str, rule: str, text: str) -> None:
    assert found(source) == [(rule, text)]


SILENT = {
    "a member of only one alternative": _AREA + "log(area.QUOTA_BYTES_PER_ITEM)",
    "a member of the other namespace": "const n = x ? chrome.storage.local : chrome.tabs; n.query({})",
    "arguments valid for one alternative": "const f = x ? chrome.tabs.get : chrome.tabs.create; f(1)",
    "one area that is not known": "for (const n of ['local', other]) chrome.storage[n].get(5)",
    "a namespace that is not known": "chrome.storage[name].get(5)",
    "items that are added": "const all = [chrome.storage.local]; all.push(a); for (const a of all) a.get(5)",
    "a table that others change": (
        "const areas = { a: chrome.storage.local }; fill(areas); areas[key].get(5)"
    ),
    "a table of other things": "const table = { a: chrome.storage.local, b: mine }; table[key].get(5)",
    "a variable for this and that": "let a = chrome.storage.local; a = await open(); a.get(5)",
    "a variable for that and this": (
        "var e = chrome.storage; function f() { e = document.body } function g() { e.append(5); e.get() }"
    ),
    "another storage": "const s = x ? window.localStorage : chrome.storage.local; s.getItem('a')",
    "a map": "const s = x ? new Map() : chrome.storage.local; s.has('a'); s.gett",
    "a member of its own": _EITHER + "api.start({ activ: true })",
    "a namespace of its own": _EITHER + "api.tab.query({ activ: true })",
    "a function of one's own": "const send = x ? mine : chrome.runtime.sendMessage; send(1, 2, 3, 4, 5, 6)",
    "a member guarded by a test": _AREA + "if (area.sett) area.sett({})",
    "an optional call": _AREA + "area.sett?.({})",
    "members added by the package": _AREA
    + "chrome.storage.local.sett = f; chrome.storage.sync.sett = f; area.sett(1)",
    "an object that is the API's": "const o = x ? {} : chrome; o.tabs.query({ active: true })",
    "arguments of one kind for each": "for (const q of [{ index: 1 }, { activ: 1 }]) chrome.tabs.query(q)",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_use_valid_in_one_alternative_is_not_reported(source: str) -> None:
    assert found(source) == []
