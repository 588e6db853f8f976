"""Tests of the API whose outcome is a text or number, which other code compares: `if (mode === "panel")`."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze

MEMBER = ("management", "getAll")
CHOICE = "const mode = browser.management ? 'panel' : 'popup';"


def is_tested(source: str) -> bool:
    """Whether a test of the API precedes the last use of `management.getAll`; `USE` stands for such a use."""
    text = source.replace("USE", "browser.management.getAll();")
    reference = [each for each in analyze(text.encode(), "a.js").references if each.path == MEMBER][-1]
    return MEMBER[:1] in reference.guards.tested


TESTED = {
    "a constant": f"{CHOICE} if (mode === 'panel') USE",
    "the other outcome": f"{CHOICE} if (mode !== 'panel') {{}} else USE",
    "another text": f"{CHOICE} if (mode !== 'popup') USE",
    "the other order": f"{CHOICE} if ('panel' == mode) USE",
    "an exit": f"{CHOICE} function f() {{ if (mode !== 'panel') return; USE }}",
    "a conjunction": f"{CHOICE} if (mode === 'panel' && Math.random() > 0.5) USE",
    "a case": f"{CHOICE} switch (mode) {{ case 'popup': break; case 'panel': USE }}",
    "the default": f"{CHOICE} switch (mode) {{ case 'popup': break; default: USE }}",
    "a number": "const version = browser.management ? 3 : 2; if (version === 3) USE",
    "an assignment": "let mode = 'popup'; if (browser.management) mode = 'panel'; if (mode === 'panel') USE",
    "a conjunction as value": "const mode = browser.management && 'panel'; if (mode === 'panel') USE",
    "a function": (
        "const mode = () => { if (browser.management) return 'panel'; return 'popup'; };"
        "if (mode() === 'panel') USE"
    ),
    "an asynchronous function": (
        "const mode = async () => (browser.management ? 'panel' : 'popup');"
        "(async () => { if ((await mode()) === 'panel') USE })();"
    ),
    "a method": (
        "class A { mode() { return browser.management ? 1 : 0; } run() { if (this.mode() === 1) { USE } } }"
    ),
    "a property": "const env = { mode: !browser.management ? 'a' : 'b' }; if (env.mode === 'b') USE",
    "a field": "class A { mode = browser.management ? 1 : 0; run() { if (this.mode === 1) { USE } } }",
    "constants by name": (
        "const Mode = { Panel: 'panel', Popup: 'popup' };"
        "const mode = browser.management ? Mode.Panel : Mode.Popup; if (mode === Mode.Panel) USE"
    ),
    "a stored type": "const type = typeof browser.management; if (type === 'object') USE",
    "a stored type that differs": "const type = typeof browser.management; if (type !== 'undefined') USE",
    "a type as the default": "switch (typeof browser.management) { case 'undefined': break; default: USE }",
}

NOT_TESTED = {
    "the text of the other branch": f"{CHOICE} if (mode === 'popup') USE",
    "the negation": f"{CHOICE} if (mode !== 'panel') USE",
    "a disjunction": f"{CHOICE} if (mode === 'panel' || Math.random() > 0.5) USE",
    "another variable": f"{CHOICE} let other = read(); if (other === 'panel') USE",
    "a case of the other branch": f"{CHOICE} switch (mode) {{ case 'panel': break; case 'popup': USE }}",
    "a case that falls through": f"{CHOICE} switch (mode) {{ case 'popup': case 'panel': USE }}",
    "the same text in both branches": "const a = browser.management ? 'b' : 'b'; if (a === 'b') USE",
    "an unknown text in the other branch": "const a = browser.management ? 'b' : f(); if (a === 'b') USE",
    "an assignment without a test": (
        "let a = 'b'; if (browser.management) a = 'c'; function f() { a = 'c'; } if (a === 'c') USE"
    ),
    "a function with another return": (
        "const a = () => { if (browser.management) return 'b'; return x ? 'b' : 'c'; }; if (a() === 'b') USE"
    ),
    "another type": "const type = typeof browser.management; if (type === 'undefined') USE",
    "the default without the type": (
        "switch (typeof browser.management) { case 'object': break; default: USE }"
    ),
}


@pytest.mark.parametrize("source", TESTED.values(), ids=TESTED)
def test_comparison_with_the_outcome_of_a_test_is_a_test(source: str) -> None:
    assert is_tested(source)


@pytest.mark.parametrize("source", NOT_TESTED.values(), ids=NOT_TESTED)
def test_other_comparison_is_not_a_test(source: str) -> None:
    assert not is_tested(source)
