"""Filters of navigations that no address matches: `invalid-argument`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "invalid-argument"


def files(condition: str, event: str = "onCompleted") -> dict[str, str]:
    source = f"chrome.webNavigation.{event}.addListener(f, {{ url: [{condition}] }});"
    keys = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
    return {"manifest.json": manifest(**keys, permissions=["webNavigation"]), "b.js": source}


REPORTED = {
    "{ hostEquals: 'https://a.example' }": "'https://a.example'",
    "{ hostEquals: 'a.example/' }": "'a.example/'",
    "{ hostContains: 'a.example/b' }": "'a.example/b'",
    "{ hostSuffix: 'example/' }": "'example/'",
    "{ hostPrefix: 'http://a' }": "'http://a'",
    "{ pathEquals: 'https://a.example/b' }": "'https://a.example/b'",
    "{ pathEquals: 'b' }": "'b'",
    "{ pathPrefix: 'b/' }": "'b/'",
    "{ hostEquals: 'a.example' }, { hostEquals: 'http://b.example' }": "'http://b.example'",
}


@pytest.mark.parametrize(("condition", "text"), REPORTED.items(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(condition: str, text: str, target: str) -> None:
    for event in ("onCompleted", "onHistoryStateUpdated"):
        assert reported(files(condition, event), [RULE], target) == [(RULE, text)]


@pytest.mark.parametrize(
    "condition",
    [
        "{ hostEquals: 'a.example' }",
        "{ hostContains: '.example' }",
        "{ hostEquals: site }",
        "{ pathEquals: '/b' }",
        "{ pathPrefix: '/' }",
        "{ pathContains: 'b' }",
        "{ urlEquals: 'https://a.example/' }",
    ],
)
def test_silent(condition: str) -> None:
    assert reported(files(condition), [RULE], "chrome") == []


def test_messages() -> None:
    [host] = lint(files("{ hostEquals: 'https://a.example/b' }"), [RULE], "chrome")
    assert host.message == (
        "`url.hostEquals` cannot be `https://a.example/b`: a host has no `/`, so that it matches nothing"
    )
    [path] = lint(files("{ pathEquals: 'b' }"), [RULE], "chrome")
    assert (
        path.message == "`url.pathEquals` cannot be `b`: a path begins with `/`, so that it matches nothing"
    )
