"""Scripts that test the scheme of their address to detect Web pages or their own pages: `wrong-context`."""

from __future__ import annotations

import pytest
from harness import Files, manifest, reported

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
    "one of a list": "['http:', 'https:'].includes(location.protocol)",
    "no page of the extension": "!location.href.startsWith(chrome.runtime.getURL(''))",
}

EXTENSION_TESTS = {
    "how it begins": "location.href.startsWith(chrome.runtime.getURL(''))",
    "a position in the address": "location.href.indexOf(chrome.runtime.getURL('/')) === 0",
    "the address of a page": "document.URL === chrome.runtime.getURL('popup.html')",
    "the origin and a stroke": "location.origin + '/' === chrome.runtime.getURL('')",
    "the origin without its end": "chrome.runtime.getURL('').slice(0, -1) === self.origin",
    "an origin that both have": "location.origin === new URL(chrome.runtime.getURL('x')).origin",
    "the other way round": "chrome.runtime.getURL('').startsWith(location.origin)",
    "the host": "location.host === chrome.runtime.id",
    "a variable": "location.hostname == id",
    "a part of the address": "location.href.includes(chrome.runtime.id)",
    "the end of the protocol": "location.protocol.endsWith('extension:')",
    "a part of the protocol": "location.protocol.includes('extension')",
    "a pattern": "/-extension:$/.test(location.protocol)",
}

OTHER_TESTS = {
    "another address": "url.startsWith('http')",
    "a host": "location.href.startsWith('https://example.com/')",
    "another scheme": "location.protocol === 'file:'",
    "another text": "location.hash.startsWith('a')",
    "nothing of the address": "a === 'https:'",
    "the address of a message": "!sender.url.startsWith(chrome.runtime.getURL(''))",
    "a part of any address": "!location.href.includes('extension')",
}


def wrong_context_findings(script: str, more: Files | None = None) -> list[str]:
    content = [{"matches": ["https://*/*"], "js": ["a.js"]}]
    files: Files = {
        "manifest.json": manifest(
            manifest_version=2,
            content_scripts=content,
            browser_action={"default_popup": "popup.html"} if more else {},
        ),
        "a.js": f"const scheme = location.protocol, id = chrome.runtime.id; {script}",
        **(more or {}),
    }
    return [text for _, text in reported(files, ["wrong-context"], "firefox")]


@pytest.mark.parametrize("test", WEB_PAGE_TESTS.values(), ids=WEB_PAGE_TESTS.keys())
def test_code_outside_web_pages_is_not_in_a_content_script(test: str) -> None:
    assert wrong_context_findings(CONDITIONAL_USE.replace("TEST", test).replace("USE", USE)) == []
    assert wrong_context_findings(f"(() => {{ if ({test}) return; {USE} }})()") == []
    assert wrong_context_findings(f"if ({test}) {USE}") == ["chrome.browserAction.setBadgeText"]


@pytest.mark.parametrize("test", EXTENSION_TESTS.values(), ids=EXTENSION_TESTS.keys())
def test_code_for_own_pages_is_not_in_a_content_script(test: str) -> None:
    assert wrong_context_findings(f"if ({test}) {USE}") == []
    assert wrong_context_findings(f"if ({test}) return; {USE}") == ["chrome.browserAction.setBadgeText"]


@pytest.mark.parametrize("test", OTHER_TESTS.values(), ids=OTHER_TESTS.keys())
def test_other_conditions_do_not_exclude_content_scripts(test: str) -> None:
    found = wrong_context_findings(CONDITIONAL_USE.replace("TEST", test).replace("USE", USE))
    assert found == ["chrome.browserAction.setBadgeText"]


IN_POPUP = {
    "the path": "location.pathname === '/popup.html'",
    "a part of the address": "location.href.includes('popup')",
    "the file": "location.pathname.split('/').pop() === 'popup.html'",
}


@pytest.mark.parametrize("test", IN_POPUP.values(), ids=IN_POPUP)
def test_path_of_a_page_counts_in_a_script_of_that_page(test: str) -> None:
    use = f"if ({test}) {USE}"
    assert wrong_context_findings(use, {"popup.html": "<script src=a.js></script>"}) == []
    assert wrong_context_findings(use) == ["chrome.browserAction.setBadgeText"]
