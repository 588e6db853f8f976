"""Scripts that test the scheme of their address to detect Web pages: `wrong-context`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

USE = "chrome.browserAction.setBadgeText({ text: '1' });"
CONDITIONAL_USE = "if (TEST) log(); else USE"

WEB_PAGE_TESTS = {
    "a pattern": "location.protocol.match(/^http/)",
    "a pattern that is asked": "/^https?:/.test(location.href)",
    "with strokes": r"/^https?:\/\//.test(window.location.href)",
    "how it begins": "document.URL.startsWith('http')",
    "a position in the address": "location.href.indexOf('http') === 0",
    "the other way round": "0 === location.href.indexOf('http')",
    "a substring of the protocol": "location.protocol.includes('http')",
    "a comparison": "location.protocol === 'https:'",
    "two comparisons": "location.protocol === 'https:' || location.protocol === 'http:'",
    "a variable": "scheme.startsWith('http')",
    "the opposite": "!(location.protocol !== 'https:')",
}

OTHER_TESTS = {
    "another address": "url.startsWith('http')",
    "a host": "location.href.startsWith('https://example.com/')",
    "another scheme": "location.protocol === 'file:'",
    "another text": "location.hash.startsWith('a')",
    "nothing of the address": "a === 'https:'",
}


def wrong_context_findings(script: str) -> list[str]:
    content = [{"matches": ["https://*/*"], "js": ["a.js"]}]
    files = {
        "manifest.json": manifest(manifest_version=2, content_scripts=content, browser_action={}),
        "a.js": f"const scheme = location.protocol; {script}",
    }
    return [text for _, text in reported(files, ["wrong-context"], "firefox")]


@pytest.mark.parametrize("test", WEB_PAGE_TESTS.values(), ids=WEB_PAGE_TESTS.keys())
def test_code_outside_web_pages_is_not_in_a_content_script(test: str) -> None:
    assert wrong_context_findings(CONDITIONAL_USE.replace("TEST", test).replace("USE", USE)) == []
    assert wrong_context_findings(f"(() => {{ if ({test}) return; {USE} }})()") == []
    assert wrong_context_findings(f"if ({test}) {USE}") == ["chrome.browserAction.setBadgeText"]


@pytest.mark.parametrize("test", OTHER_TESTS.values(), ids=OTHER_TESTS.keys())
def test_other_conditions_do_not_exclude_content_scripts(test: str) -> None:
    found = wrong_context_findings(CONDITIONAL_USE.replace("TEST", test).replace("USE", USE))
    assert found == ["chrome.browserAction.setBadgeText"]
