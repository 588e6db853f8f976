"""Tests that succeed before a promise is fulfilled or a callback runs."""

from __future__ import annotations

import pytest
from harness import lint, manifest

CHECK = """
function check(permissions) {
  return new Promise((resolve, reject) => {
    chrome.permissions.contains({ permissions }, (has) => { if (has) resolve(); else reject() })
  })
}
"""
WITH = "function withDownloads(run) { if (chrome.downloads) run() }\n"

TESTED = {
    "then": "check(['downloads']).then(() => { USE })",
    "then, by name": "function go() { USE } check(['downloads']).then(go)",
    "then, later": "check(['downloads']).then(() => 1).then(() => { USE })",
    "then, with another handler": "check(['downloads']).then(() => { USE }, () => {})",
    "a promise in a variable": "const checked = check(['downloads']); checked.then(() => { USE })",
    "several promises": "Promise.all([load(), check(['downloads'])]).then(() => { USE })",
    "await": "async function f() { await check(['downloads']); USE }",
    "await of an asynchronous function": (
        "async function ensure() { await check(['downloads']) } async function f() { await ensure(); USE }"
    ),
    "await of a function that throws": (
        "async function ensure() { if (!chrome.downloads) throw new Error() }"
        " async function f() { await ensure(); USE }"
    ),
    "a returned promise": (
        "function ensure() { return check(['downloads']) } async function f() { await ensure(); USE }"
    ),
    "early return": (
        "new Promise((resolve, reject) => { if (!chrome.downloads) { reject(); return } resolve() })"
        ".then(() => { USE })"
    ),
    "resolve is passed on": (
        "new Promise((resolve) => { if (chrome.downloads) chrome.storage.local.get('a', resolve) })"
        ".then(() => { USE })"
    ),
    "a method": (
        "class A { check() { return new Promise((resolve) => { if (chrome.downloads) resolve() }) }"
        " run() { this.check().then(() => { USE }) } } new A().run()"
    ),
    "a callback": "withDownloads(() => { USE })",
    "a callback by name": "function go() { USE } withDownloads(go)",
    "an unknown function that tests a permission": "lib.checkPermissions(['downloads']).then(() => { USE })",
}

NOT_TESTED = {
    "no test": "USE",
    "catch": "check(['downloads']).catch(() => { USE })",
    "the handler of a rejection": "check(['downloads']).then(() => {}, () => { USE })",
    "then, after catch": "check(['downloads']).catch(() => {}).then(() => { USE })",
    "not awaited": "async function f() { check(['downloads']); USE } f()",
    "await in a try": "async function f() { try { await check(['downloads']) } catch {} USE } f()",
    "resolved either way": (
        "new Promise((resolve) => { if (chrome.downloads) resolve(true); else resolve(false) })"
        ".then(() => { USE })"
    ),
    "resolved with an answer": (
        "new Promise((resolve) => chrome.permissions.contains({ permissions: ['downloads'] }, resolve))"
        ".then(() => { USE })"
    ),
    "a callback that also runs without": (
        "function load(run) { if (chrome.downloads) run(); setTimeout(run, 1) } load(() => { USE })"
    ),
    "a callback under a condition on data": (
        "function each(run) { load().then((all) => { for (const x of all) if (x.ok) run(x) }) }"
        " each(() => { USE })"
    ),
    "an unknown function": "lib.load(['downloads']).then(() => { USE })",
}


def is_reported(source: str) -> bool:
    """Whether a use of an API that is newer than the extension's oldest browser is reported."""
    use = "chrome.downloads.download({ url: 'https://a.example/' })"
    text = CHECK + WITH + source.replace("USE", use)
    keys = {"minimum_chrome_version": "18", "background": {"scripts": ["a.js"]}, "manifest_version": 2}
    files = {"manifest.json": manifest(optional_permissions=["downloads"], **keys), "a.js": text}
    return bool(lint(files, ["too-new-api"], "chrome>=18"))


@pytest.mark.parametrize("name", TESTED)
def test_use_after_test_is_excused(name: str) -> None:
    assert not is_reported(TESTED[name])


@pytest.mark.parametrize("name", NOT_TESTED)
def test_use_without_test_is_reported(name: str) -> None:
    assert is_reported(NOT_TESTED[name])
