"""Keys that are read under one name and written under another: `unwritten-key`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("unwritten-key",)
WRITE = "chrome.storage.local.set({ serverUrl: location.href });"


def keys(script: str, other: str = WRITE, target: str = "chrome") -> list[str]:
    """Returns the source of each reported key in a content script, which runs with another one."""
    described = manifest(
        permissions=["storage"],
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["a.js", "b.js"]}],
    )
    files = {"manifest.json": described, "a.js": script, "b.js": other}
    return [text for _, text in reported(files, RULES, target)]


SPELLINGS = {
    "marks": ("server_url", WRITE),
    "letter case": ("serverurl", WRITE),
    "a letter": ("serverUrll", WRITE),
    "a space": ("serverUrl ", WRITE),
    "a hyphen": ("server-url", "chrome.storage.local.set({ 'serverUrl': 1 });"),
    "a constant": ("server_url", "const KEY = 'serverUrl'; chrome.storage.local.set({ [KEY]: 1 });"),
}
READS = {
    "a text": "chrome.storage.local.get('%s', use);",
    "a list": "chrome.storage.local.get(['%s'], use);",
    "defaults": "chrome.storage.local.get({ '%s': 1 }).then(use);",
    "awaited": "(async () => { const stored = await chrome.storage.local.get('%s'); use(stored['%s']); })();",
}


@pytest.mark.parametrize(("key", "other"), SPELLINGS.values(), ids=SPELLINGS.keys())
@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_key_of_another_spelling_is_reported(key: str, other: str, read: str, target: str) -> None:
    assert keys(read.replace("%s", key), other, target) == [f"'{key}'"]


SILENT = {
    "the same": ("chrome.storage.local.get('serverUrl', use);", WRITE),
    "another word": ("chrome.storage.local.get('port', use);", WRITE),
    "another area": ("chrome.storage.sync.get('server_url', use);", WRITE),
    "both are read": ("chrome.storage.local.get(['server_url', 'serverUrl'], use);", WRITE),
    "both are written": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "chrome.storage.local.set({ server_url: 1 });",
    ),
    "everything is read": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "chrome.storage.local.get(use);",
    ),
    "unknown keys are written": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "chrome.storage.local.set({ [key()]: 1 });",
    ),
    "unknown values are written": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "chrome.storage.local.set(values());",
    ),
    "the function is passed on": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "use(chrome.storage.local.set);",
    ),
    "the written key is read from a change": (
        "chrome.storage.local.get('server_url', use);",
        WRITE + "chrome.storage.onChanged.addListener((changes) => use(changes.serverUrl));",
    ),
    "other digits": (
        "chrome.storage.local.get('server1', use);",
        "chrome.storage.local.set({ server2: 1 });",
    ),
}


@pytest.mark.parametrize(("script", "other"), SILENT.values(), ids=SILENT.keys())
def test_key_that_may_be_written_is_not_reported(script: str, other: str) -> None:
    assert keys(script, other) == []
