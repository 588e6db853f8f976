"""Values of a variable that a test of the variable excludes."""

from __future__ import annotations

import json

import pytest
from harness import lint, manifest

EXCLUDED = {
    "a text does not start so": "k.startsWith('@') ? k : other(k)",
    "a text starts so": "k.startsWith('t') ? other(k) : k",
    "it does not end so": "k.endsWith('e') ? k : other(k)",
    "it contains no such part": "k.includes('_') ? k : other(k)",
    "a negation": "!k.startsWith('@') ? other(k) : k",
    "one of two tests": "k.startsWith('@') || k.endsWith('!') ? k : other(k)",
    "two tests": "window.a && k.startsWith('@') ? k : other(k)",
    "another text": "k === 'title' ? k : other(k)",
    "this text": "k !== 'titel' ? other(k) : other('titel' == k ? 'title' : k)",
    "parentheses": "(k.startsWith('@')) ? (k) : other(k)",
    "another type": "typeof k === 'string' ? other(k) : k",
    "null": "k == null ? k : other(k)",
    "an empty text": "k ? other(k) : k",
    "a regular expression": "/^@/.test(k) ? k : other(k)",
    "a table": "k in table ? k : other(k)",
    "an unknown function": "isKey(k) ? k : other(k)",
    "a length": "k.length > 9 ? k : other(k)",
    "a part that is not known": "k.startsWith(prefix) ? k : other(k)",
    "a method with two arguments": "k.startsWith('t', 1) ? k : other(k)",
}

POSSIBLE = {
    "no test": "k",
    "a text starts so": "k.startsWith('t') ? k : other(k)",
    "it does not start so": "k.startsWith('@') ? other(k) : k",
    "this text": "k === 'titel' ? k : other(k)",
    "another text": "k !== 'title' ? k : other(k)",
    "a text": "typeof k === 'string' ? k : k.name",
    "something": "k ? k : other(k)",
    "not null": "k != null && k !== undefined ? k : other(k)",
    "one of two tests": "k.endsWith('!') || k.startsWith('t') ? k : other(k)",
    "a test of something else": "on ? k : other(k)",
    "a property of that name": "on.k ? k : other(k)",
    "a longer name": "window.keys && kk ? k : other(k)",
    "a literal": "k.startsWith('@') ? 'titel' : other(k)",
}


def is_reported(expression: str) -> bool:
    """Whether the misspelled name of a message is reported if it is passed to a function that tests it."""
    source = f"const on = window.a; const text = (k) => chrome.i18n.getMessage({expression}); text('titel')"
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}, default_locale="en"),
        "_locales/en/messages.json": json.dumps({"title": {"message": "T"}, "a": {"message": "A"}}),
        "a.js": source,
    }
    return bool(lint(files, ["missing-message"], "chrome"))


@pytest.mark.parametrize("expression", EXCLUDED.values(), ids=EXCLUDED)
def test_excluded_value_is_not_reported(expression: str) -> None:
    assert not is_reported(expression)


@pytest.mark.parametrize("expression", POSSIBLE.values(), ids=POSSIBLE)
def test_possible_value_is_reported(expression: str) -> None:
    assert is_reported(expression)
