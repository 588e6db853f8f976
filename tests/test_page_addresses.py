"""Scripts that test the scheme of their address to detect Web pages: `wrong-context`."""

from __future__ import annotations

import pytest
from harness import manifest, told

USE = "chrome.browserAction.setBadgeText({ text: '1' });"
OTHERWISE = "if (TEST) log(); else USE"

ELSEWHERE = {
    "a pattern": "location.protocol.match(/^http/)",
    "a pattern that is asked": "/^https?:/.test(location.href)",
    "with strokes": r"/^https?:\/\//.test(window.location.href)",
    "how it begins": "document.URL.startsWith('http')",
    "where it stands": "location.href.indexOf('http') === 0",
    "the other way round": "0 === location.href.indexOf('http')",
    "what it includes": "location.protocol.includes('http')",
    "a comparison": "location.protocol === 'https:'",
    "two comparisons": "location.protocol === 'https:' || location.protocol === 'http:'",
    "a variable": "scheme.startsWith('http')",
    "the opposite": "!(location.protocol !== 'https:')",
}

ANYWHERE = {
    "another address": "url.startsWith('http')",
    "a host": "location.href.startsWith('https://example.com/')",
    "another scheme": "location.protocol === 'file:'",
    "another text": "location.hash.startsWith('a')",
    "nothing of the address": "a === 'https:'",
}


def contexts_found(script: str) -> list[str]:
    content = [{"matches": ["https://*/*"], "js": ["a.js"]}]
    files = {
        "manifest.json": manifest(manifest_version=2, content_scripts=content, browser_action={}),
        "a.js": f"const scheme = location.protocol; {script}",
    }
    return [text for _, text in told(files, ["wrong-context"], "firefox")]


@pytest.mark.parametrize("test", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_what_runs_outside_of_the_web_runs_in_no_content_script(test: str) -> None:
    assert contexts_found(OTHERWISE.replace("TEST", test).replace("USE", USE)) == []
    assert contexts_found(f"(() => {{ if ({test}) return; {USE} }})()") == []
    assert contexts_found(f"if ({test}) {USE}") == ["chrome.browserAction.setBadgeText"]


@pytest.mark.parametrize("test", ANYWHERE.values(), ids=ANYWHERE.keys())
def test_other_tests_say_nothing_of_the_place(test: str) -> None:
    found = contexts_found(OTHERWISE.replace("TEST", test).replace("USE", USE))
    assert found == ["chrome.browserAction.setBadgeText"]
