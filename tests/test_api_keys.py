"""Misspelled API members in brackets and patterns, where mentioning a name does not define it."""

from __future__ import annotations

import pytest
from harness import manifest, reported

REPORTED = {
    "in brackets": ("chrome.tabs['qurey']({})", "chrome.tabs['qurey']"),
    "in brackets with a template": ("chrome.tabs[`qurey`]({})", "chrome.tabs[`qurey`]"),
    "in brackets after ?.": ("chrome.tabs?.['qurey']({})", "chrome.tabs?.['qurey']"),
    "with spaces": ("chrome.tabs[ 'qurey' ]({})", "chrome.tabs[ 'qurey' ]"),
    "of an alias": ("const api = chrome; api.tabs['qurey']({})", "api.tabs['qurey']"),
    "compared": ("if (chrome.tabs['qurey'] == f) g()", "chrome.tabs['qurey']"),
    "renamed": ("const { qurey: q } = chrome.tabs; q({})", "qurey"),
    "renamed with a default": ("const { qurey: q = f } = chrome.tabs; q({})", "qurey"),
    "renamed and in quotes": ("const { 'qurey': q } = chrome.tabs; q({})", "'qurey'"),
    "renamed in brackets": ("const { ['qurey']: q } = chrome.tabs; q({})", "['qurey']"),
    "renamed inside a pattern": ("const { tabs: { qurey: q } } = chrome; q({})", "qurey"),
    "renamed by an assignment": ("let q; ({ qurey: q } = chrome.tabs); q({})", "qurey"),
    "renamed in a parameter": ("function f({ qurey: q }) { q({}) } f(chrome.tabs)", "qurey"),
    "renamed twice": ("const { query: a, qurey: b } = chrome.tabs; a({}); b({})", "qurey"),
}

NOT_REPORTED = {
    "assigned in brackets": "chrome.tabs['qurey'] = f; chrome.tabs['qurey']({})",
    "assigned in brackets if missing": "chrome.tabs['qurey'] ??= f; chrome.tabs['qurey']({})",
    "listed": "['qurey'].forEach((name) => { chrome.tabs[name] = f }); chrome.tabs['qurey']({})",
    "in an object": "mix(chrome.tabs, { qurey: f }); chrome.tabs['qurey']({})",
    "of an object that is mixed in": "const more = { qurey: f }; const { qurey: q } = chrome.tabs; q({})",
    "of another object": "const { qurey: q } = other.tabs; q({})",
    "spelled right": "const { query: q } = chrome.tabs; q({}); chrome.tabs['query']({})",
}


def unknown_members(script: str, target: str) -> list[str]:
    keys = {"permissions": ["tabs"], "background": {"service_worker": "a.js"}}
    files = {"manifest.json": manifest(**keys), "a.js": script}
    return [text for _, text in reported(files, ["unknown-api"], target)]


@pytest.mark.parametrize("target", ["chrome", "reference"])
@pytest.mark.parametrize(("script", "place"), REPORTED.values(), ids=REPORTED)
def test_reported(script: str, place: str, target: str) -> None:
    assert unknown_members(script, target) == [place]


@pytest.mark.parametrize("script", NOT_REPORTED.values(), ids=NOT_REPORTED)
def test_defined_or_known_key_is_not_reported(script: str) -> None:
    assert unknown_members(script, "chrome") == []


def test_misspelling_is_reported_after_many_searches() -> None:
    """After many searches, all defined names are listed, without names in such positions."""
    other_uses = "".join(f"chrome.tabs['x{at}y'];" for at in range(200))
    assert len(unknown_members(f"{other_uses}chrome.tabs['qurey']", "chrome")) >= 1
