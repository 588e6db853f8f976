"""The declarativeNetRequest rules that scripts add: a browser refuses them as it refuses those of files."""

from __future__ import annotations

import pytest
from harness import lint, manifest

DYNAMIC, SESSION = "updateDynamicRules", "updateSessionRules"


def found(rules: str, target: str, function: str = DYNAMIC, before: str = "") -> list[tuple[str, str]]:
    """Returns the code and the message of each finding in a call that adds rules."""
    script = f"{before}\nchrome.declarativeNetRequest.{function}({{ addRules: [{rules}] }});\n"
    files = {
        "manifest.json": manifest(
            background={"service_worker": "a.js"} if target == "chrome" else {"scripts": ["a.js"]},
            permissions=["declarativeNetRequest"],
        ),
        "a.js": script,
    }
    lines = script.splitlines()
    findings = lint(files, ("invalid-argument",), target)
    return [
        (lines[each.span.start.line - 1][each.span.start.column - 1 : each.span.end.column - 1], each.message)
        for each in findings
    ]


BLOCK = "action: { type: 'block' }"
HEADER = "{ operation: 'set', header: 'a:', value: 'b' }"
BOTH = ("chrome", "firefox")

REFUSED: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "an id of zero": (
        f"{{ id: 0, {BLOCK}, condition: {{}} }}",
        ("chrome",),
        "0",
        "`id` must be from 1 to 2147483647, not `0`",
    ),
    "two filters": (
        f"{{ id: 1, {BLOCK}, condition: {{ urlFilter: 'a', regexFilter: 'b' }} }}",
        BOTH,
        "regexFilter",
        "`regexFilter` cannot be used together with `urlFilter`",
    ),
    "no destination": (
        "{ id: 1, action: { type: 'redirect' }, condition: {} }",
        BOTH,
        "{ type: 'redirect' }",
        "a rule that redirects requires `redirect`, which says where to go",
    ),
    "a path without a slash": (
        "{ id: 1, action: { type: 'redirect', redirect: { extensionPath: 'a.html' } }, condition: {} }",
        BOTH,
        "'a.html'",
        "`extensionPath` must begin with `/`",
    ),
    "the name of a header": (
        f"{{ id: 1, action: {{ type: 'modifyHeaders', requestHeaders: [{HEADER}] }}, condition: {{}} }}",
        ("chrome",),
        "'a:'",
        "`a:` is not a valid header name",
    ),
    "the id of an earlier rule": (
        f"{{ id: 1, {BLOCK}, condition: {{}} }}, {{ id: 1, {BLOCK}, condition: {{}} }}",
        BOTH,
        "1",
        "an earlier rule also has the id 1",
    ),
    "a mistake beside unknown parts": (
        f"{{ id: next, {BLOCK}, condition: {{ urlFilter: 'ü', resourceTypes: types }} }}",
        BOTH,
        "'ü'",
        "`urlFilter` must be ASCII, but `ü` is not",
    ),
    "a constant of the API": (
        "{ id: 1, action: { type: chrome.declarativeNetRequest.RuleActionType.REDIRECT }, condition: {} }",
        ("chrome",),
        "{ type: chrome.declarativeNetRequest.RuleActionType.REDIRECT }",
        "a rule that redirects requires `redirect`, which says where to go",
    ),
}


@pytest.mark.parametrize(("rules", "targets", "code", "message"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.parametrize("function", [DYNAMIC, SESSION])
def test_rule_that_a_browser_refuses(
    function: str, rules: str, targets: tuple[str, ...], code: str, message: str
) -> None:
    before = "const next = Number(location.hash), types = JSON.parse(location.search);"
    for target in targets:
        assert found(rules, target, function, before) == [(code, message)], target


ACCEPTED = {
    "a rule": f"{{ id: 1, {BLOCK}, condition: {{ urlFilter: '||a.example^' }} }}",
    "an undefined key": f"{{ id: 1, {BLOCK}, condition: {{ urlFilter: 'a', regexFilter: undefined }} }}",
    "a destination that may be added": "{ id: 1, action: { type: 'redirect', ...more }, condition: {} }",
    "a type that is unknown": "{ id: 1, action: { type: kind }, condition: { urlFilter: 'a' } }",
    "headers that are unknown": (
        "{ id: 1, action: { type: 'modifyHeaders', requestHeaders: all }, condition: {} }"
    ),
    "one of two filters": (
        f"{{ id: 1, {BLOCK}, condition: more ? {{ urlFilter: 'a' }} : {{ regexFilter: 'a' }} }}"
    ),
    "ids that are unknown": (
        f"{{ id: kind, {BLOCK}, condition: {{}} }}, {{ id: kind, {BLOCK}, condition: {{}} }}"
    ),
}


@pytest.mark.parametrize("rules", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_rule_that_browsers_may_accept(rules: str) -> None:
    before = "const { more, kind, all } = JSON.parse(location.hash);"
    for target in BOTH:
        assert found(rules, target, before=before) == [], target


@pytest.mark.parametrize("target", BOTH)
def test_tabs_are_only_for_session_rules(target: str) -> None:
    rules = f"{{ id: 1, {BLOCK}, condition: {{ tabIds: [1] }} }}"
    assert found(rules, target) == [("tabIds", "`tabIds` is only for session rules, which scripts add")]
    assert found(rules, target, SESSION) == []


def test_key_with_a_successor_is_accepted_in_chrome() -> None:
    assert found(f"{{ id: 1, {BLOCK}, condition: {{ domains: ['a.example'] }} }}", "chrome") == []
