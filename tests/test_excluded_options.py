"""Values of a variable that a test of the variable excludes."""

from __future__ import annotations

import json

import pytest
from harness import lint, manifest

CONTENT = {"matches": ["https://a.example/*"], "js": ["c.js"]}

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
    return is_reported_in(f"return GET({expression})")


def is_reported_in(body: str) -> bool:
    """Whether the name is reported if a function with this body gets it."""
    text = body.replace("GET", "chrome.i18n.getMessage")
    source = f"const on = window.a; function text(k) {{ {text} }} text('titel')"
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


EXCLUDED_IN_STATEMENTS = {
    "a branch": "if (k.startsWith('@')) return GET(k); return GET(other(k))",
    "the other branch": "if (k.startsWith('t')) return GET(other(k)); else return GET(k)",
    "after a return": "if (!k.startsWith('@')) return ''; return GET(k)",
    "after a return in a block": "if (!k.startsWith('@')) { log(k); return '' } log(k); { return GET(k) }",
    "after a throw": "if (k === 'titel') throw k; return GET(k)",
    "and": "return k.startsWith('@') && GET(k)",
    "or": "return k.startsWith('t') || GET(k)",
    "a loop": "while (k.startsWith('@')) GET(k)",
    "a callback in a branch": "if (k.startsWith('@')) on.then(() => GET(k))",
    "another variable": "let n; if (k.startsWith('@')) n = k; else n = other(k); return GET(n)",
    "the result of a function": "function f(n) { if (n in on) return n; return other(n) } GET(f(k))",
    "a constant": "const n = on ? 'titel' : 'title'; if (n === 'title') GET(n)",
}
POSSIBLE_IN_STATEMENTS = {
    "a branch": "if (k.startsWith('t')) return GET(k); return GET(other(k))",
    "after a return": "if (k.startsWith('@')) return ''; return GET(k)",
    "before a return": "const m = GET(k); if (!k.startsWith('@')) return ''; return m",
    "a test that does not end the function": "if (!k.startsWith('@')) log(k); return GET(k)",
    "a test with an end in one branch": "if (!k.startsWith('@')) { if (on) return '' } return GET(k)",
    "a test of another variable": "if (!on.startsWith('@')) return ''; return GET(k)",
    "a test in another block": "{ if (!k.startsWith('@')) log(k) } return GET(k)",
    "a constant": "const n = on ? 'titel' : 'title'; if (n !== 'title') GET(n)",
    "a variable that is assigned again": "if (k === 'title') { k = 'titel'; GET(k) }",
}


@pytest.mark.parametrize("body", EXCLUDED_IN_STATEMENTS.values(), ids=EXCLUDED_IN_STATEMENTS)
def test_value_that_statements_exclude_is_not_reported(body: str) -> None:
    assert not is_reported_in(body)


@pytest.mark.parametrize("body", POSSIBLE_IN_STATEMENTS.values(), ids=POSSIBLE_IN_STATEMENTS)
def test_value_that_statements_allow_is_reported(body: str) -> None:
    assert is_reported_in(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("SEND(n)", True),
        ("n === -1 ? other() : SEND(n)", False),
        ("n === -1 ? SEND(n) : other()", True),
        ("if (n !== ALL) SEND(n)", False),
        ("if (n === ALL) return; SEND(n)", False),
        ("if (n >= 0) SEND(n)", False),
        ("if (n < 0) return; SEND(n)", False),
        ("if (0 > n) SEND(n)", True),
        ("if (n <= -1) SEND(n)", True),
        ("if (n > least) SEND(n)", False),
        ("if (n === false) SEND(n)", False),
        ("if (n !== '-1') SEND(n)", True),
        ("if (isFrame(n)) SEND(n)", False),
        ("if (on) SEND(n)", True),
    ],
)
def test_numbers_that_tests_exclude(body: str, expected: bool) -> None:
    text = body.replace("SEND(n)", "chrome.tabs.sendMessage(1, {}, { frameId: n })")
    functions = f"const ALL = -1; function send(n) {{ {text} }}"
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}, content_scripts=[CONTENT]),
        "a.js": f"(on => {{ {functions} chrome.tabs.onActivated.addListener(() => send(ALL)) }})(window.a)",
        "c.js": "chrome.runtime.onMessage.addListener(() => {})",
    }
    assert bool(lint(files, ["invalid-argument"], "chrome")) == expected
