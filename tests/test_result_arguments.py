"""Results of the API, and of promises, as arguments of other calls."""

from __future__ import annotations

import pytest
from harness import manifest, reported

PERMISSIONS = ["management", "tabs", "cookies"]


def found(script: str, target: str = "firefox", rule: str = "invalid-argument") -> list[str]:
    """Returns the source text of each finding in a background script."""
    files = {
        "manifest.json": manifest(
            manifest_version=2, background={"scripts": ["b.js"]}, permissions=PERMISSIONS
        ),
        "b.js": script,
    }
    return [text for _, text in reported(files, [rule], target)]


ARGUMENTS = {
    "the record for its id": (
        "browser.management.getSelf().then((me) => browser.management.get(me));",
        ["me"],
    ),
    "its id": ("browser.management.getSelf().then((me) => browser.management.get(me.id));", []),
    "a string for a boolean": (
        "browser.management.getSelf().then((me) => browser.management.uninstallSelf("
        "{showConfirmDialog: me.name}));",
        ["me.name"],
    ),
    "a list for an item": ("browser.tabs.query({}).then((tabs) => browser.tabs.get(tabs));", ["tabs"]),
    "an item that may be missing": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs[0].id));",
        [],
    ),
    "an optional field": ("browser.tabs.query({}).then(([tab]) => browser.tabs.get(tab.url));", ["tab.url"]),
    "an optional field for an optional property": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.query({url: tab.url}));",
        [],
    ),
    "a value that may be null": (
        "browser.cookies.get({url: 'http://a', name: 'b'}).then((it) => browser.tabs.get(it));",
        ["it"],
    ),
    "a promise of a string": (
        "(async () => browser.tabs.get(await Promise.resolve('a')))();",
        ["await Promise.resolve('a')"],
    ),
    "a promise of a number": ("(async () => browser.tabs.get(await Promise.resolve(1)))();", []),
    "a promise of something unknown": ("(async () => browser.tabs.get(await Promise.resolve(f())))();", []),
}


@pytest.mark.parametrize(("script", "expected"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
@pytest.mark.parametrize("target", ["firefox", "chrome<=138"])
def test_results_as_arguments(script: str, expected: list[str], target: str) -> None:
    assert found(script, target) == expected


FIELDS = {
    "of an array, misspelled": ("browser.tabs.query({}).then((it) => it.lenght);", ["lenght"]),
    "a method of an array, misspelled": ("browser.tabs.query({}).then((it) => it.foreach(f));", ["foreach"]),
    "of an array": ("browser.tabs.query({}).then((it) => it.length);", []),
    "of an array, not resembling any": ("browser.tabs.query({}).then((it) => it.custom);", []),
    "of nothing": ("browser.management.uninstallSelf({}).then((it) => it.status);", ["status"]),
    "of nothing, after a test": ("browser.management.uninstallSelf({}).then((it) => it && it.status);", []),
    "of nothing, if it exists": ("browser.management.uninstallSelf({}).then((it) => it?.status);", []),
    "of something": ("browser.management.getSelf().then((it) => it.name);", []),
}


@pytest.mark.parametrize(("script", "expected"), FIELDS.values(), ids=FIELDS.keys())
@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
def test_fields_of_results(script: str, expected: list[str], target: str) -> None:
    assert found(script, target, "unknown-result-field") == expected


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
@pytest.mark.parametrize(("script", "is_wrong"), [("tabs.onUpdated(f);", True), ("tabs.onUpdated;", False)])
def test_event_is_not_a_function(script: str, is_wrong: bool, target: str) -> None:
    assert found(f"browser.{script}", target) == ["(f)"] * is_wrong


NAMES = {
    "misspelled": ("managment", True),
    "unknown": ("fly", True),
    "of both browsers": ("bookmarks", False),
    "of one browser": ("menus", False),
    "of Thunderbird": ("messagesRead", False),
    "of an experiment": ("experiments.fly", False),
}


@pytest.mark.parametrize(("name", "is_wrong"), NAMES.values(), ids=NAMES.keys())
@pytest.mark.parametrize("function", ["contains", "remove"])
def test_names_of_permissions(name: str, is_wrong: bool, function: str) -> None:
    script = f"chrome.permissions.{function}({{permissions: ['{name}']}});"
    assert found(script, "chrome<=138") == [f"'{name}'"] * is_wrong
    assert found(script, "reference") == [f"'{name}'"] * is_wrong
