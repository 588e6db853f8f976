"""Results of the API, and of promises, as arguments of other calls."""

from __future__ import annotations

import pytest
from harness import manifest, reported

PERMISSIONS = ["management", "tabs", "cookies", "storage"]


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
    "a list of objects for a list of ids": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs));",
        ["tabs"],
    ),
    "a list of ids": (
        "browser.tabs.query({}).then((tabs) => browser.tabs.remove(tabs.map((tab) => tab.id)));",
        [],
    ),
    "an item for an optional id": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.update(tab, {active: true}));",
        ["{active: true}"],
    ),
    "an item in an array": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.move([tab], {index: 0}));",
        ["tab"],
    ),
    "an item in an object": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create({openerTabId: tab}));",
        ["tab"],
    ),
    "an object without a required property": (
        "browser.cookies.getAll({}).then((all) => all.forEach((each) => browser.cookies.set(each)));",
        ["each"],
    ),
    "an object with properties that the function does not have": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create(tab));",
        ["tab"],
    ),
    "a changed object": (
        "browser.cookies.getAll({}).then((all) => { for (const each of all) { each.url = 'https://a';"
        " delete each.hostOnly; delete each.session; browser.cookies.set(each); } });",
        [],
    ),
    "a copy of an object": (
        "browser.tabs.query({}).then(([{ id, ...tab }]) => browser.tabs.create({ ...tab }));",
        [],
    ),
    "an object with the properties of the function": (
        "browser.tabs.query({}).then(([tab]) => browser.tabs.create({url: tab.url, index: tab.index}));",
        [],
    ),
    "a string object": ("browser.tabs.get(new String('a'));", ["new String('a')"]),
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
    "a method that arrays do not have": ("browser.tabs.query({}).then((it) => it.has(1));", ["has"]),
    "a member that the package adds to arrays": (
        "Array.prototype.last = f; browser.tabs.query({}).then((it) => it.last());",
        [],
    ),
    "a member that the package defines for arrays": (
        "Object.defineProperty(Array.prototype, 'last', {value: f});"
        " browser.tabs.query({}).then((it) => it.last());",
        [],
    ),
    "of an array, if it exists": ("browser.tabs.query({}).then((it) => it.custom && it.custom());", []),
    "of a string": ("browser.tabs.query({}).then(([it]) => it.url.hostname);", ["hostname"]),
    "of a string, misspelled": ("browser.tabs.query({}).then(([it]) => it.title.lenght);", ["lenght"]),
    "a method of arrays, of a string": ("browser.tabs.query({}).then(([it]) => it.title.map(f));", ["map"]),
    "methods of strings": (
        "browser.tabs.query({}).then(([it]) => it.url.split('/').length + it.title.trim().length);",
        [],
    ),
    "the character of a string": ("browser.tabs.query({}).then(([it]) => it.title[0]);", []),
    "of a returned string": ("f(browser.runtime.getURL('a').pathname);", ["pathname"]),
    "of a URL": ("f(new URL(browser.runtime.getURL('a')).pathname);", []),
    "of a call that returns nothing": ("f(browser.runtime.reload().status);", ["status"]),
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
@pytest.mark.parametrize(
    ("script", "is_wrong"),
    [
        ("tabs.onUpdated(f);", True),
        ("tabs(f);", True),
        ("storage.local(f);", True),
        ("runtime.id(f);", True),
        ("tabs.onUpdated;", False),
        ("tabs.query({}, f);", False),
    ],
)
def test_event_or_object_is_not_a_function(script: str, is_wrong: bool, target: str) -> None:
    assert found(f"browser.{script}", target) == ["(f)"] * is_wrong


STATUS = {
    "of a change": "browser.tabs.onUpdated.addListener((id, change) => { if (change.status === %s) f(); });",
    "of a tab": "browser.tabs.query({}).then(([tab]) => tab.status === %s && f());",
    "in a switch": (
        "browser.tabs.onUpdated.addListener((id, change) => { switch (change.status) { case %s: f(); } });"
    ),
}


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "reference"])
@pytest.mark.parametrize("script", STATUS.values(), ids=STATUS.keys())
def test_status_that_no_tab_has(script: str, target: str) -> None:
    assert found(script % "'completed'", target, "impossible-comparison") == ["'completed'"]
    assert found(script % "'complete'", target, "impossible-comparison") == []


NAMES = {
    "misspelled": ("managment", True),
    "unknown": ("fly", True),
    "of both browsers": ("bookmarks", False),
    "of one browser": ("menus", False),
    "of Thunderbird": ("messagesRead", False),
    "of an experiment": ("experiments.fly", False),
}


@pytest.mark.parametrize(("name", "is_wrong"), NAMES.values(), ids=NAMES.keys())
def test_names_of_permissions(name: str, is_wrong: bool) -> None:
    script = f"chrome.permissions.contains({{permissions: ['{name}']}});"
    assert found(script, "chrome<=138") == [f"'{name}'"] * is_wrong
    assert found(script, "reference") == [f"'{name}'"] * is_wrong
