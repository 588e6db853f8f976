"""Arguments of functions that the browser passes to listeners: `suggest` of `omnibox.onInputChanged`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ("invalid-argument", "wrong-argument-count")
LISTENER = "chrome.omnibox.onInputChanged.addListener((text, suggest) => {{ {} }});"


def found(code: str, target: str = "chrome") -> list[tuple[str, str]]:
    """Returns the rule and source text of each finding in a background script."""
    described = manifest(omnibox={"keyword": "a"}, background={"service_worker": "b.js", "scripts": ["b.js"]})
    return reported({"manifest.json": described, "b.js": code}, RULES, target)


WRONG = {
    "a missing key": ("suggest([{ description: text }]);", "{ description: text }"),
    "another missing key": ("suggest([{ content: text }]);", "{ content: text }"),
    "an unknown key": ("suggest([{ content: 'a', description: 'b', title: 'c' }]);", "title"),
    "a wrong type": ("suggest([{ content: 1, description: 'b' }]);", "1"),
    "an empty text": ("suggest([{ content: '', description: 'b' }]);", "''"),
    "an object": ("suggest({ content: 'a', description: 'b' });", "{ content: 'a', description: 'b' }"),
    "a variable": ("const one = { description: text }; suggest([one]);", "{ description: text }"),
    "later": ("fetch(text).then(() => suggest([{ content: text }]));", "{ content: text }"),
}


@pytest.mark.parametrize(("code", "text"), WRONG.values(), ids=WRONG)
def test_wrong_suggestion_is_reported(code: str, text: str) -> None:
    assert found(LISTENER.format(code)) == [("invalid-argument", text)]
    assert found(LISTENER.format(code), "firefox") == []


RIGHT = {
    "suggestions": "suggest([{ content: 'a', description: 'b', deletable: true }]);",
    "no suggestions": "suggest([]);",
    "unknown suggestions": "f(text).then((all) => suggest(all.map((each) => g(each))));",
    "suggestions that are added": (
        "const all = []; all.push({ content: text, description: text }); suggest(all);"
    ),
    "a key that is added": "const one = { description: text }; one.content = text; suggest([one]);",
    "unknown keys": "suggest([{ ...f(text), description: text }]);",
    "unknown arguments": "suggest(...f(text));",
    "another function": "{ const suggest = f; suggest([{ description: text }]); }",
    "dead code": "if (false) suggest([{ description: text }]);",
}


@pytest.mark.parametrize("code", RIGHT.values(), ids=RIGHT)
def test_suggestion_that_may_be_right_is_not_reported(code: str) -> None:
    assert found(LISTENER.format(code)) == []


def test_listener_that_a_function_is() -> None:
    code = (
        "chrome.omnibox.onInputChanged.addListener(change);\n"
        "function change(text, suggest) { suggest([{ description: text }]); }"
    )
    assert found(code) == [("invalid-argument", "{ description: text }")]


def test_number_of_arguments() -> None:
    assert found(LISTENER.format("suggest();")) == [("wrong-argument-count", "suggest()")]
    assert found(LISTENER.format("suggest([], text);")) == [("wrong-argument-count", "suggest([], text)")]


def test_message_names_the_missing_key() -> None:
    files = {
        "manifest.json": manifest(omnibox={"keyword": "a"}, background={"service_worker": "b.js"}),
        "b.js": LISTENER.format("suggest([{ description: text }]);"),
    }
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == "`suggestResults[0].content` is required"
