"""Members of the API that a script replaces for later ones: their calls are calls of the package's code."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = (
    "invalid-argument",
    "wrong-argument-count",
    "unknown-result-field",
    "impossible-comparison",
    "missing-await",
    "callback-parameters",
    "ignored-callback",
)
MISTAKES = {
    "an argument": ("tabs.query", "chrome.tabs.query({ active: 'OFFSCREEN' })"),
    "a number of arguments": ("tabs.query", "chrome.tabs.query({}, f, 3, 4)"),
    "a field of the result": ("tabs.query", "chrome.tabs.query({}).then((tabs) => f(tabs[0].address))"),
    "a field that a callback gets": ("tabs.query", "chrome.tabs.query({}, (tabs) => f(tabs[0].address))"),
    "a comparison": ("tabs.query", "chrome.tabs.query({}, (tabs) => { if (tabs[0].active === 'yes') f() })"),
    "a result without await": ("tabs.query", "f(chrome.tabs.query({}).length)"),
    "parameters of a callback": ("tabs.query", "chrome.tabs.query({}, (tabs, more) => f(more))"),
    "a listener": ("tabs.onUpdated", "chrome.tabs.onUpdated.addListener('a')"),
    "one of two members": ("tabs.query", "(x ? chrome.tabs.query : chrome.tabs.create)({ active: 'a' })"),
}


def found(*scripts: str) -> list[str]:
    """Returns the indices of the scripts of a page with findings."""
    files = {
        "manifest.json": manifest(action={"default_popup": "a.html"}, permissions=["tabs"]),
        "a.html": "".join(f"<script src={at}.js></script>" for at in range(len(scripts))),
        **{f"{at}.js": script for at, script in enumerate(scripts)},
    }
    return sorted({each.path[0] for each in lint(files, RULES, "chrome")})


REPLACED = {
    "a function": "chrome.MEMBER = function (a) { return document.title }",
    "a function in a function": "(() => { chrome.MEMBER = (a) => f(a) })()",
    "unknown code": "globalThis.chrome.MEMBER = make(chrome.MEMBER)",
    "in a browser": "if (navigator.userAgent.includes('Chrome')) chrome.MEMBER = (a) => f(a)",
    "the namespace": "chrome.tabs = { query(a) {}, create(a) {}, onUpdated: { addListener(f) {} } }",
    "a namespace that is made elsewhere": "chrome.tabs = make()",
    "by Object.assign": "Object.assign(chrome.tabs, { query(a) {}, onUpdated: { addListener(f) {} } })",
    "a definition": "Object.defineProperty(chrome.tabs, 'NAME', { value: (a) => f(a) })",
}


@pytest.mark.parametrize(("member", "use"), MISTAKES.values(), ids=MISTAKES.keys())
def test_replaced_member_is_code_of_the_package(member: str, use: str) -> None:
    assert found("", use) == ["1"]
    for shim in REPLACED.values():
        shim = shim.replace("MEMBER", member).replace("NAME", member.split(".")[1])
        assert found(shim, use) == [], shim
    other = REPLACED["a function"].replace("MEMBER", "tabs.remove")
    assert found(other, use) == ["1"]


KEPT = {
    "if it is missing": "chrome.MEMBER ??= (a) => f(a)",
    "or the old one": "chrome.MEMBER = chrome.MEMBER || ((a) => f(a))",
    "after a test": "if (!chrome.MEMBER) { chrome.MEMBER = (a) => f(a) }",
    "after a test of its type": "if (typeof chrome.MEMBER === 'undefined') chrome.MEMBER = (a) => f(a)",
    "after a test by &&": "!chrome.MEMBER && (chrome.MEMBER = (a) => f(a))",
    "another name": "chrome.MEMBER = browser.MEMBER",
    "the namespace if it is missing": "if (!chrome.tabs) chrome.tabs = { query(a) {} }",
    "a definition with it": "Object.defineProperty(chrome.tabs, 'query', { value: chrome.tabs.query })",
}


@pytest.mark.parametrize("shim", KEPT.values(), ids=KEPT.keys())
def test_member_that_is_replaced_only_if_missing_is_the_api(shim: str) -> None:
    _, use = MISTAKES["an argument"]
    assert found(shim.replace("MEMBER", "tabs.query"), use) == ["1"]


def test_member_is_replaced_only_in_later_scripts_of_the_realm() -> None:
    shim, (_, use) = REPLACED["a function"].replace("MEMBER", "tabs.query"), MISTAKES["an argument"]
    assert found(shim, use, use) == []
    assert found(use, shim, use) == ["0"]
    files = {
        "manifest.json": manifest(
            background={"service_worker": "worker.js"}, action={"default_popup": "a.html"}
        ),
        "a.html": "<script src=shim.js></script><script src=use.js></script>",
        "worker.js": use,
        "shim.js": shim,
        "use.js": use,
    }
    assert [each.path for each in lint(files, RULES, "chrome")] == ["worker.js"]
    files["worker.js"] = "importScripts('shim.js'); " + use
    assert lint(files, RULES, "chrome") == []
