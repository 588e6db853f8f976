"""Uses of API members that the browser itself deprecates: one finding per reference."""

from __future__ import annotations

import json

import pytest
from harness import lint, text_under


def reported(code: str, target: str = "chrome", version: int = 2) -> list[tuple[str, str | None]]:
    """Returns the source text and the help of each finding in a background script."""
    background = {"service_worker": "a.js"} if version == 3 and target != "firefox" else {"scripts": ["a.js"]}
    keys = {"manifest_version": version, "name": "Test", "version": "1", "background": background}
    files = {"manifest.json": json.dumps({**keys, "permissions": ["downloads", "tabs"]}), "a.js": code}
    found = lint(files, ["deprecated-api"], target)
    return [(text_under(files, each), each.help) for each in found]


GET_URL = ("chrome.extension.getURL", "use `runtime.getURL`")

USES = {
    "a call": ('chrome.extension.getURL("a");', [GET_URL]),
    "two calls": ('chrome.extension.getURL("a"); chrome.extension.getURL("b");', [GET_URL, GET_URL]),
    "one reference that is called twice": (
        "const url = chrome.extension.getURL; url('a'); url('b');",
        [GET_URL],
    ),
    "a destructured name": (
        "const { getURL } = chrome.extension; getURL('a');",
        [("getURL", "use `runtime.getURL`")],
    ),
    "the replacement": ('chrome.runtime.getURL("a");', []),
    "the new one first": ("const url = chrome.runtime.getURL ?? chrome.extension.getURL; url('a');", []),
    "the old one first": ("const url = chrome.extension.getURL || chrome.runtime.getURL; url('a');", []),
    "without an older one that is not deprecated": (
        "(chrome.extension.onMessage || chrome.extension.onRequest).addListener(f);",
        [],
    ),
    "where the new one is missing": (
        "if (!chrome.runtime.getURL) { chrome.extension.getURL('a'); }",
        [],
    ),
    "where the old one was tested for": (
        "if (chrome.extension.getURL) { chrome.extension.getURL('a'); }",
        [],
    ),
    "where something else was tested for": (
        "if (chrome.tabs) { chrome.extension.getURL('a'); }",
        [GET_URL],
    ),
    "an event's method": (
        "chrome.tabs.onActiveChanged.addListener(() => {});",
        [("chrome.tabs.onActiveChanged", "use `tabs.onActivated`")],
    ),
    "a property": (
        "console.log(chrome.extension.lastError);",
        [("chrome.extension.lastError", "use `runtime.lastError`")],
    ),
    "an API with a replacement only in Manifest V3": ("chrome.tabs.executeScript({ file: 'a.js' });", []),
    "a neighbor of it": ("chrome.extension.getViews();", []),
    "a function that nothing calls": ("{ const later = () => chrome.extension.getURL('a') }", []),
    "a function that something calls": (
        "{ const later = () => chrome.extension.getURL('a'); later() }",
        [GET_URL],
    ),
    "a method that unknown code may call": (
        "class A { url() { return chrome.extension.getURL('a') } } register(new A(), 'url')",
        [GET_URL],
    ),
    "a method that nothing names": (
        "class A { url() { return chrome.extension.getURL('a') } } register(new A())",
        [],
    ),
}


@pytest.mark.parametrize("name", USES)
def test_deprecated_uses_in_chrome(name: str) -> None:
    code, expected = USES[name]
    assert reported(code) == expected


@pytest.mark.parametrize(
    ("code", "target", "version", "number"),
    [
        ("chrome.extension.getURL('a');", "firefox", 2, 1),
        ("chrome.extension.getURL('a');", "edge", 2, 1),
        ("chrome.extension.getURL('a');", "reference", 2, 1),
        ("chrome.extension.getURL('a');", "chrome", 3, 0),
        ("chrome.runtime.getBackgroundPage(() => {});", "chrome", 2, 1),
        ("chrome.runtime.getBackgroundPage(() => {});", "firefox", 2, 0),
        ("chrome.runtime.getBackgroundPage(() => {});", "reference", 2, 0),
        ("chrome.runtime.onBrowserUpdateAvailable.addListener(() => {});", "firefox", 2, 0),
        ("chrome.management.getAll();", "reference", 2, 0),
    ],
)
def test_deprecation_depends_on_the_browser(code: str, target: str, version: int, number: int) -> None:
    assert len(reported(code, target, version)) == number


@pytest.mark.parametrize(
    ("scripts", "code", "number"),
    [
        pytest.param(["a.js"], "", 0, id="nothing"),
        pytest.param(["a.js", "b.js"], "", 1, id="the manifest"),
        pytest.param(["a.js"], "import('./b.js')", 1, id="an import"),
    ],
)
def test_deprecation_is_reported_if_something_may_load_the_script(
    scripts: list[str], code: str, number: int
) -> None:
    keys = {"manifest_version": 2, "name": "Test", "version": "1", "background": {"scripts": scripts}}
    files = {"manifest.json": json.dumps(keys), "a.js": code, "b.js": "chrome.extension.getURL('a')"}
    assert len(lint(files, ["deprecated-api"], "chrome")) == number


def test_missing_permission_hides_deprecation() -> None:
    keys = {"manifest_version": 3, "name": "Test", "version": "1", "background": {"service_worker": "a.js"}}
    files = {"manifest.json": json.dumps(keys), "a.js": "chrome.downloads.setShelfEnabled(false);"}
    rules = ["deprecated-api", "missing-permission"]
    assert [each.rule for each in lint(files, rules, "chrome")] == ["missing-permission"]
    files["manifest.json"] = json.dumps({**keys, "permissions": ["downloads", "downloads.shelf"]})
    assert [each.rule for each in lint(files, rules, "chrome")] == ["deprecated-api"]
