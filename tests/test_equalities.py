"""A variable cannot equal two different strings at once, so code behind both tests never runs."""

from __future__ import annotations

import pytest
from harness import manifest, reported

USE = "chrome.tabs.query({})"

NEVER = {
    "in a condition": "function f(to) { if (to === 'a') { if (to === 'b') USE } }",
    "with the text first": "function f(to) { if ('a' === to) { if ('b' === to) USE } }",
    "after an early exit": "function f(to) { if (to !== 'a') return; if (to === 'b') USE }",
    "by operators": "function f(to) { to === 'a' && to === 'b' && USE }",
    "negated": "function f(to) { if (!(to !== 'a')) { if (!(to !== 'b')) USE } }",
    "in the other branch": "function f(to) { to !== 'a' ? 0 : to === 'b' ? USE : 0 }",
    "combined with other conditions": "function f(to) { if (to === 'a' && x) { if (y && to === 'b') USE } }",
    "one of two alternatives, with the other never true": (
        "const k = 'page'; function f(to) { if (k === 'dom' || to === 'a') { if (to === 'b') USE } }"
    ),
    "in a function that is called there": (
        "function g() { USE } function f(to) { if (to === 'a') to === 'b' && g() }"
    ),
    "in a callback": "function f(to) { if (to === 'a') x.then(() => { if (to === 'b') USE }) }",
    "a constant": "const to = x(); if (to === 'a') { if (to === 'b') USE }",
    "a variable of a block": "{ let { to } = x(); if (to === 'a') { if (to === 'b') USE } }",
}

MAY_BE = {
    "the same text": "function f(to) { if (to === 'a') { if (to === 'a') USE } }",
    "another variable": "function f(to, by) { if (to === 'a') { if (by === 'b') USE } }",
    "one that is assigned": "function f(to) { if (to === 'a') { to = x(); if (to === 'b') USE } }",
    "a variable of the function": (
        "for (;;) { var to = x(); if (to === 'a') y(() => { if (to === 'b') USE }) }"
    ),
    "one that is given later": "let to; if (to === 'a') { to = x(); if (to === 'b') USE }",
    "a property": "function f(to) { if (to.name === 'a') { if (to.name === 'b') USE } }",
    "not strictly": "function f(to) { if (to == '1') { if (to == '1.0') USE } }",
    "either of both": "function f(to) { if (to === 'a' || to === 'b') { if (to === 'b') USE } }",
    "neither": "function f(to) { if (to !== 'a') { if (to !== 'b') USE } }",
    "in another call": "function f(to) { if (to === 'b') USE; if (to === 'a') f('b') } f('a')",
}


def reported_members(source: str) -> list[str]:
    files = {
        "manifest.json": manifest(content_scripts=[{"matches": ["https://example.com/*"], "js": ["a.js"]}]),
        "a.js": source.replace("USE", USE),
    }
    return [text for _, text in reported(files, ["wrong-context"], "chrome")]


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_contradictory_string_tests_are_dead_code(source: str) -> None:
    assert reported_members(source) == []


@pytest.mark.parametrize("source", MAY_BE.values(), ids=MAY_BE.keys())
def test_satisfiable_tests_are_reported(source: str) -> None:
    assert reported_members(source) == ["chrome.tabs.query"]
