"""The help of findings about other browsers, and the precedence between overlapping rules."""

from __future__ import annotations

import pytest
from harness import lint, manifest, told

BOTH = {"background": {"scripts": ["a.js"], "service_worker": "a.js"}}


def helps(script: str, target: str, rule: str) -> list[str | None]:
    """Returns the help of each finding of a rule in a background script."""
    files = {"manifest.json": manifest(permissions=["storage", "tabs"], **BOTH), "a.js": script}
    return [each.help for each in lint(files, [rule], target)]


@pytest.mark.parametrize(
    ("script", "target", "expected"),
    [
        ("chrome.tabs.create({ openInReaderMode: true });", "chrome", "Firefox accepts it"),
        ("chrome.windows.create({ setSelfAsOpener: true });", "firefox", "Chrome accepts it"),
        ("chrome.tabs.query({ actve: true });", "chrome", "did you mean `active`?"),
    ],
)
def test_arguments_that_another_browser_accepts(script: str, target: str, expected: str) -> None:
    assert [(each or "").rpartition("; ")[2] for each in helps(script, target, "invalid-argument")] == [
        expected
    ]


def test_arguments_that_no_browser_accepts() -> None:
    (help,) = helps("chrome.tabs.create({ nonsense: true });", "chrome", "invalid-argument")
    assert help is not None
    assert "accepts" not in help


def test_the_browser_that_supports_a_member() -> None:
    script = "use(chrome.storage.local.QUOTA_BYTES);"
    assert helps(script, "firefox", "unsupported-api") == ["it is available in Chrome"]


def test_menus_have_a_name_that_both_browsers_know() -> None:
    script = "chrome.menus.create({ id: 'a', title: 'A' });"
    files = {"manifest.json": manifest(permissions=["contextMenus"], **BOTH), "a.js": script}
    (finding,) = lint(files, ["unknown-api", "duplicate-menu"], "chrome")
    assert (finding.rule, finding.help) == ("unknown-api", "use `contextMenus`")


def test_a_background_page_that_is_missing_is_more_than_a_deprecated_function() -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}, background={"service_worker": "b.js"}),
        "p.html": "<script src=p.js></script>",
        "p.js": "chrome.runtime.getBackgroundPage((page) => page.run());",
        "b.js": "",
    }
    rules = ["missing-background-page", "deprecated-api"]
    assert [rule for rule, _ in told(files, rules, "chrome")] == ["missing-background-page"]
    assert [rule for rule, _ in told(files, rules[1:], "chrome")] == ["deprecated-api"]


def test_a_permission_that_is_gone_is_more_than_an_unused_one() -> None:
    files = {
        "manifest.json": manifest(permissions=["webRequestBlocking"], background={"service_worker": "b.js"}),
        "b.js": "",
    }
    rules = ["wrong-manifest-version", "unused-permission"]
    assert [rule for rule, _ in told(files, rules, "chrome")] == ["wrong-manifest-version"]
    assert [rule for rule, _ in told(files, rules[1:], "chrome")] == ["unused-permission"]


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize(
    ("member", "name"),
    [
        ("mailTabs.query", "the API `mailTabs`"),
        ("messages.list", "the API `messages`"),
        ("windows.openDefaultBrowser", "`windows.openDefaultBrowser`"),
    ],
)
def test_what_only_thunderbird_has(member: str, name: str, target: str) -> None:
    files = {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": f"browser.{member}();"}
    (finding,) = lint(files, ["unknown-api"], target)
    browser = target.capitalize()
    assert finding.message == f"{name} is not available in {browser}; it is available in Thunderbird"
    assert finding.fix is None
