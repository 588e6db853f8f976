"""Functions of the API that a script uses like their results: `chrome.runtime.getManifest.version`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ["impossible-comparison", "unknown-api"]
KEYS = {"permissions": ["storage", "tabs"], "background": {"service_worker": "b.js", "scripts": ["b.js"]}}


def found(script: str) -> list[tuple[str, str]]:
    """Returns the rule and the source text of each finding in a background."""
    return reported({"manifest.json": manifest(**KEYS), "b.js": script}, RULES, "chrome,firefox")


USED_AS_RESULT = {
    "the version": ("console.log(chrome.runtime.getManifest.version);", "chrome.runtime.getManifest.version"),
    "a pattern": ("const { version } = chrome.runtime.getManifest;", "version"),
    "a method of strings": (
        'if (chrome.i18n.getUILanguage.startsWith("de")) f();',
        "chrome.i18n.getUILanguage.startsWith",
    ),
    "a promise": ("chrome.tabs.query.then(print);", "chrome.tabs.query.then"),
}
COMPARED = {
    "a text": 'if (chrome.i18n.getUILanguage === "de") f();',
    "a text, not strictly": 'if (chrome.i18n.getUILanguage == "de") f();',
    "a case": 'switch (chrome.i18n.getUILanguage) { case "de": f(); }',
    "a list": 'if (["de", "fr"].includes(chrome.i18n.getUILanguage)) f();',
    "a variable": 'const language = chrome.i18n.getUILanguage; if (language === "de") f();',
}
RIGHT = {
    "called": 'if (chrome.i18n.getUILanguage() === "de") print(chrome.runtime.getManifest().version);',
    "a test of its type": 'if (typeof chrome.i18n.getUILanguage === "function") f();',
    "a test of a value": "if (chrome.tabs.query !== undefined && chrome.tabs.query != null) f();",
    "members of functions": "print(chrome.tabs.query.name, chrome.tabs.query.length);",
    "members of a test": "chrome.tabs.query.mockReturnValue([]); chrome.runtime.getManifest.returns({});",
    "its own function": "if (chrome.tabs.query === original) f();",
    "the API itself": 'if (chrome === "x" || globalThis.chrome === 1) f();',
    "an event": 'if (chrome.runtime.onMessage === "x") f();',
    "a key that the manifest does not have": "print(chrome.runtime.getManifest.other);",
    "assigned": 'chrome.i18n.getUILanguage = "de"; if (chrome.i18n.getUILanguage === "de") f();',
}


@pytest.mark.parametrize(("script", "place"), USED_AS_RESULT.values(), ids=USED_AS_RESULT)
def test_member_of_the_result(script: str, place: str) -> None:
    """A function does not have the members of its result."""
    assert found(script) == [("unknown-api", place)]


@pytest.mark.parametrize("script", COMPARED.values(), ids=COMPARED)
def test_comparison_of_a_function(script: str) -> None:
    """A function is never a text."""
    assert {rule for rule, _ in found(script)} == {"impossible-comparison"}


@pytest.mark.parametrize("script", RIGHT.values(), ids=RIGHT)
def test_right_uses(script: str) -> None:
    """Nothing is reported about other uses of functions."""
    assert found(script) == []


def test_advice() -> None:
    """The advice is to call the function."""
    script = 'print(chrome.runtime.getManifest.version, chrome.i18n.getUILanguage === "de");'
    member, comparison = lint({"manifest.json": manifest(**KEYS), "b.js": script}, RULES, "chrome")
    assert comparison.message == '`i18n.getUILanguage` is a function, never the string "de"'
    assert comparison.help == "call it, and compare its result"
    assert member.help == "call the function: `runtime.getManifest` is one, and its result has `version`"
