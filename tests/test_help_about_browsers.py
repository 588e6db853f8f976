"""The help of findings about other browsers, and the precedence between overlapping rules."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

BOTH = {"background": {"scripts": ["a.js"], "service_worker": "a.js"}}


def help_texts(script: str, target: str, rule: str) -> list[str | None]:
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
def test_help_names_browser_that_accepts_the_argument(script: str, target: str, expected: str) -> None:
    assert [(each or "").rpartition("; ")[2] for each in help_texts(script, target, "invalid-argument")] == [
        expected
    ]


def test_help_for_argument_accepted_by_no_browser() -> None:
    (help,) = help_texts("chrome.tabs.create({ nonsense: true });", "chrome", "invalid-argument")
    assert help is not None
    assert "accepts" not in help


@pytest.mark.parametrize(
    ("target", "background"), [("chrome", {"service_worker": "a.js"}), ("firefox", {"scripts": ["a.js"]})]
)
def test_help_names_no_browser_whose_background_has_the_same_limits(
    target: str, background: dict[str, object]
) -> None:
    script = "chrome.contextMenus.create({ title: 'A' }); chrome.tabs.query({ actve: true });"
    files = {"manifest.json": manifest(permissions=["contextMenus"], background=background), "a.js": script}
    assert [each.help for each in lint(files, ["invalid-argument"], target)] == [
        None,
        "did you mean `active`?",
    ]


def test_help_names_browser_that_supports_the_member() -> None:
    script = "use(chrome.storage.local.QUOTA_BYTES);"
    assert help_texts(script, "firefox", "unsupported-api") == ["it is available in Chrome"]


def test_menus_help_suggests_context_menus() -> None:
    script = "chrome.menus.create({ id: 'a', title: 'A' });"
    files = {"manifest.json": manifest(permissions=["contextMenus"], **BOTH), "a.js": script}
    (finding,) = lint(files, ["unknown-api", "duplicate-menu"], "chrome")
    assert (finding.rule, finding.help) == ("unknown-api", "use `contextMenus`")


def test_missing_background_page_overrides_deprecated_api() -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}, background={"service_worker": "b.js"}),
        "p.html": "<script src=p.js></script>",
        "p.js": "chrome.runtime.getBackgroundPage((page) => page.run());",
        "b.js": "",
    }
    rules = ["missing-background-page", "deprecated-api"]
    assert [rule for rule, _ in reported(files, rules, "chrome")] == ["missing-background-page"]
    assert [rule for rule, _ in reported(files, rules[1:], "chrome")] == ["deprecated-api"]


def test_removed_permission_overrides_unused_permission() -> None:
    files = {
        "manifest.json": manifest(permissions=["webRequestBlocking"], background={"service_worker": "b.js"}),
        "b.js": "",
    }
    rules = ["wrong-manifest-version", "unused-permission"]
    assert [rule for rule, _ in reported(files, rules, "chrome")] == ["wrong-manifest-version"]
    assert [rule for rule, _ in reported(files, rules[1:], "chrome")] == ["unused-permission"]


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize(
    ("member", "name"),
    [
        ("mailTabs.query", "the API `mailTabs`"),
        ("messages.list", "the API `messages`"),
        ("windows.openDefaultBrowser", "`windows.openDefaultBrowser`"),
    ],
)
def test_help_names_thunderbird(member: str, name: str, target: str) -> None:
    files = {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": f"browser.{member}();"}
    (finding,) = lint(files, ["unknown-api"], target)
    browser = target.capitalize()
    assert finding.message == f"{name} is not available in {browser}; it is available in Thunderbird"
    assert finding.fix is None


UNSUPPORTED, COUNT, ARGUMENT = "unsupported-api", "wrong-argument-count", "invalid-argument"
UNSUPPORTED_CALLS = {
    "arguments that Chrome accepts": (
        "identity.getProfileUserInfo({ accountStatus: 'ANY' }, () => {})",
        "firefox",
        [UNSUPPORTED],
    ),
    "too many arguments for any browser": (
        "identity.getProfileUserInfo({ accountStatus: 'ANY' }, () => {}, 1)",
        "firefox",
        [UNSUPPORTED, COUNT],
    ),
    "a value that no browser accepts": (
        "notifications.update('a', { priority: 'high' }, () => {})",
        "firefox",
        [UNSUPPORTED, ARGUMENT],
    ),
    "a supported member": ("tabs.query(1, 2, 3)", "firefox", [COUNT]),
    "arguments that only the other browser accepts": (
        "scripting.executeScript({ target: { tabId: 1 }, function: () => {} })",
        "firefox",
        [ARGUMENT],
    ),
    "the specification": ("management.getAll(1)", "reference", [UNSUPPORTED, ARGUMENT]),
    "under both targets": (
        "identity.getProfileUserInfo({ accountStatus: 'ANY' }, () => {})",
        "firefox,chrome",
        [UNSUPPORTED],
    ),
}


@pytest.mark.parametrize(
    ("call", "target", "expected"), UNSUPPORTED_CALLS.values(), ids=UNSUPPORTED_CALLS.keys()
)
def test_unsupported_call_is_one_mistake_if_another_browser_accepts_it(
    call: str, target: str, expected: list[str]
) -> None:
    permissions = ["identity", "identity.email", "tabs", "scripting", "notifications", "management"]
    keys = {"permissions": permissions, "host_permissions": ["<all_urls>"], **BOTH}
    files = {"manifest.json": manifest(**keys), "a.js": f"chrome.{call};"}
    assert [each.rule for each in lint(files, [UNSUPPORTED, COUNT, ARGUMENT], target)] == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("chrome.runtime.getViews()", "`extension` has `getViews`", id="one namespace"),
        pytest.param("chrome.windows.sendMessage()", None, id="several"),
        pytest.param("chrome.runtime.elsewhere()", None, id="none"),
        pytest.param("chrome.tabs.qurey()", None, id="a misspelling"),
    ],
)
def test_help_names_the_only_namespace_with_the_member(script: str, expected: str | None) -> None:
    assert help_texts(script, "chrome", "unknown-api") == [expected]
