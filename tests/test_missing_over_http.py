"""Globals that content scripts do not have in pages of `http:`: `missing-over-http`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from harness import lint, manifest, reported

COPY = "document.addEventListener('copy', () => navigator.clipboard.readText());"
CLIPBOARD = ["navigator.clipboard"]


def found(
    script: str, target: str = "chrome,firefox", entry: Mapping[str, object] = MappingProxyType({})
) -> list[str]:
    """Returns the source text of each global, in a content script with these settings."""
    settings = {"matches": ["<all_urls>"], "js": ["c.js"], **entry}
    files = {"manifest.json": manifest(content_scripts=[settings]), "c.js": script}
    return [text for _, text in reported(files, ["missing-over-http"], target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (COPY, CLIPBOARD),
        (COPY * 2, CLIPBOARD),
        ("const id = crypto.randomUUID();", ["crypto.randomUUID"]),
        ("crypto.subtle.digest('SHA-256', new Uint8Array());", ["crypto.subtle"]),
        ("caches.open('a');", ["caches"]),
        ("window.caches.open('a');", ["window.caches"]),
        ("const { clipboard } = navigator; clipboard.readText();", []),
        ("navigator.clipboard?.readText();", []),
        ("navigator.clipboard && navigator.clipboard.readText();", []),
        ("if (navigator.clipboard) { navigator.clipboard.readText(); }", []),
        ("if ('clipboard' in navigator) { navigator.clipboard.readText(); }", []),
        ("if (isSecureContext) { navigator.clipboard.readText(); }", []),
        ("if (location.protocol === 'https:') { navigator.clipboard.readText(); }", []),
        ("function f() { if (!window.isSecureContext) return; navigator.clipboard.readText(); } f();", []),
        ("try { navigator.clipboard.readText(); } catch (error) { console.log(error); }", []),
        ("const f = () => navigator.clipboard.readText();", []),
        ("if (document.title) { navigator.clipboard.readText(); }", []),
        ("const navigator = {}; { const crypto = { randomUUID() {} }; crypto.randomUUID(); }", []),
        ("crypto.getRandomValues(new Uint8Array(1)); navigator.userAgent.trim();", []),
        ("globalThis.caches = {}; caches.open('a');", []),
    ],
)
def test_use_that_fails_is_reported(script: str, expected: list[str]) -> None:
    assert found(script) == expected


@pytest.mark.parametrize(
    ("entry", "is_reported"),
    [
        ({"matches": ["*://*/*"]}, True),
        ({"matches": ["http://*/*", "https://*/*"]}, True),
        ({"matches": ["https://*/*"]}, False),
        ({"matches": ["*://*.example.com/*"]}, False),
        ({"matches": ["http://localhost/*"]}, False),
        ({"world": "MAIN"}, False),
        ({"exclude_matches": ["http://*/*"]}, False),
        ({"exclude_matches": ["*://example.com/*"]}, True),
        ({"include_globs": ["https://*"]}, False),
    ],
)
def test_script_runs_in_all_pages(entry: dict[str, object], is_reported: bool) -> None:
    assert found(COPY, entry=entry) == (CLIPBOARD if is_reported else [])


@pytest.mark.parametrize(
    ("script", "target", "is_reported"),
    [
        ("navigator.usb.getDevices();", "chrome", True),
        ("navigator.userAgentData.toJSON();", "chrome", True),
        ("navigator.userAgentData.toJSON();", "firefox", False),
        (COPY, "safari", False),
        (COPY, "reference", True),
    ],
)
def test_globals_are_those_of_the_target(script: str, target: str, is_reported: bool) -> None:
    assert bool(found(script, target)) == is_reported


def test_script_that_other_contexts_share_is_not_checked() -> None:
    entry = {"matches": ["<all_urls>"], "js": ["c.js"]}
    keys = manifest(content_scripts=[entry], options_page="o.html")
    files = {"manifest.json": keys, "o.html": "<script src='c.js'></script>", "c.js": COPY}
    assert not lint(files, ["missing-over-http"], "chrome")


def test_pages_of_a_made_manifest_are_unknown() -> None:
    files = {
        "package.json": '{"dependencies": {"wxt": "1"}}',
        "entrypoints/content.ts": f"export default defineContentScript({{ matches: PAGES }}); {COPY}",
    }
    assert not lint(files, ["missing-over-http"], "chrome")
