"""Fixes of mistakes in scripts, in the script or in the manifest, and mistakes that are not fixed."""

from __future__ import annotations

import json

import pytest
from fixing import fixed
from harness import Files, manifest

from extlint.edits.json_fixes import applied
from extlint.edits.script_fixes import member_renamed
from extlint.text.positions import TextIndex

TABS = {"permissions": ["tabs"], "background": {"service_worker": "b.js"}}


def package(script: str, **keys: object) -> Files:
    return {"manifest.json": manifest(**{**TABS, **keys}), "b.js": script}


SAFE = {
    "a member": ("chrome.tabs.qurey({});", "chrome.tabs.query({});"),
    "a namespace": ("chrome.tbas.query({});", "chrome.tabs.query({});"),
    "a namespace, deeper": ("chrome.tabs.onUpdatd.addListener(f);", "chrome.tabs.onUpdated.addListener(f);"),
    "a member on another line": ("chrome.tabs\n  .qurey({});", "chrome.tabs\n  .query({});"),
    "a member of a variable": ("const t = chrome.tabs; t.qurey({});", "const t = chrome.tabs; t.query({});"),
    "a name that is taken out": (
        "const { qurey } = chrome.tabs; qurey({});",
        "const { query: qurey } = chrome.tabs; qurey({});",
    ),
    "a key": ("chrome.tabs.query({ actve: true });", "chrome.tabs.query({ active: true });"),
    "a key in quotes": ("chrome.tabs.query({ 'actve': true });", "chrome.tabs.query({ 'active': true });"),
    "a key that is a variable too": (
        "const actve = true; chrome.tabs.query({ actve });",
        "const actve = true; chrome.tabs.query({ active: actve });",
    ),
    "a string": (
        "chrome.tabs.query({ status: 'compelte' });",
        "chrome.tabs.query({ status: 'complete' });",
    ),
    "a field": (
        "chrome.tabs.query({}, (tabs) => f(tabs[0].titel));",
        "chrome.tabs.query({}, (tabs) => f(tabs[0].title));",
    ),
    "several in one call": (
        "chrome.tabs.qurey({ actve: true, status: `compelte` }); // é",
        "chrome.tabs.query({ active: true, status: `complete` }); // é",
    ),
}


@pytest.mark.parametrize(("before", "after"), SAFE.values(), ids=SAFE.keys())
def test_it_is_fixed(before: str, after: str) -> None:
    assert fixed(package(before), "chrome") == {"b.js": after}


NOT = {
    "a name that nothing is near": "chrome.tabs.zzz();",
    "a key that is near no other": "chrome.tabs.query({ zzz: 1 });",
    "a computed key": "const k = 'actve'; chrome.tabs.query({ [k]: true });",
    "an object that is used elsewhere too": "const o = { actve: true }; g(o); chrome.tabs.query(o);",
    "a string that is named": "const s = 'compelte'; g(s); chrome.tabs.query({ status: s });",
    "the wrong number of arguments": "chrome.tabs.query(1, 2, 3, 4);",
}


@pytest.mark.parametrize("script", NOT.values(), ids=NOT.keys())
def test_it_is_not_fixed(script: str) -> None:
    assert fixed(package(script, permissions=[]), "chrome", unsafe=True) == {}


EXPRESSIONS = {
    "a member": ("browser.tabs.qurey", 1, "browser.tabs.query"),
    "a namespace": ("browser.qurey.tabs", 0, "browser.query.tabs"),
    "optional chaining": ("browser?.tabs?.qurey", 1, "browser?.tabs?.query"),
    "brackets": ("browser.tabs['qurey']", 1, "browser.tabs['query']"),
    "brackets further on": ('browser["qurey"]?.["tabs"]', 0, 'browser["query"]?.["tabs"]'),
    "lines": ("browser\n  .tabs\n  .qurey", 1, "browser\n  .tabs\n  .query"),
    "a variable": ("qurey", 1, None),
    "a computed name": ("browser.tabs[qurey]", 1, None),
    "another name": ("browser.tabs.other", 1, None),
    "the name in the wrong place": ("browser.qurey.tabs", 1, None),
}


@pytest.mark.parametrize(("before", "at", "after"), EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_a_name_in_an_expression_is_replaced(before: str, at: int, after: str | None) -> None:
    index = TextIndex(before.encode())
    names = ["tabs", "qurey"] if at else ["qurey", "tabs"]
    fix = member_renamed("a.js", index, index.span(0, len(before)), names, at, "query", safe=True)
    assert (None if fix is None else applied(index, fix).decode()) == after


def test_a_script_in_a_page_is_fixed_where_it_stands() -> None:
    page = "<!doctype html>\n<p>é</p><script>\nbrowser.tabs.qurey({});\n</script>\n"
    files = {"manifest.json": manifest(action={"default_popup": "p.html"}), "p.html": page}
    assert fixed(files, select=["unknown-api"]) == {"p.html": page.replace("qurey", "query")}


def test_a_script_in_typescript_keeps_its_types() -> None:
    script = "const all: Tab[] = (await (chrome as any).tabs.qurey({}))!;\n"
    files = {"manifest.json": manifest(background={"service_worker": "b.js"}), "b.ts": script, "b.js": ""}
    assert fixed(files, "chrome", select=["unknown-api"]) in ({}, {"b.ts": script.replace("qurey", "query")})


def test_the_permission_is_added_once() -> None:
    files = package(
        "chrome.bookmarks.search('a'); chrome.bookmarks.getTree(); chrome.alarms.create('a', {});"
    )
    after = fixed(files, "chrome,firefox", select=["missing-permission"])
    assert json.loads(after["manifest.json"])["permissions"] == ["tabs", "bookmarks", "alarms"]


def test_a_manifest_without_permissions_gets_them_below_its_name_and_version() -> None:
    files = {
        "manifest.json": '{\n\t"manifest_version": 3,\n\t"name": "N",\n\t"version": "1",\n'
        '\t"background": {"service_worker": "b.js"}\n}\n',
        "b.js": "chrome.storage.local.get();",
    }
    assert fixed(files, "chrome") == {
        "manifest.json": files["manifest.json"].replace('"1",\n', '"1",\n\t"permissions": ["storage"],\n')
    }


def test_a_misspelled_permission_is_corrected_and_not_added() -> None:
    files = package("chrome.storage.local.get();", permissions=["storrage"])
    assert fixed(files, "chrome") == {
        "manifest.json": str(files["manifest.json"]).replace("storrage", "storage")
    }


def test_of_several_permissions_people_choose() -> None:
    files = package("chrome.tabs.query({}, (tabs) => f(tabs[0].url));", permissions=[])
    assert fixed(files, "chrome") == {}
    after = fixed(files, "chrome", unsafe=True)
    assert json.loads(after["manifest.json"])["permissions"] == ["tabs"]


def test_a_permission_that_nothing_uses_is_removed_only_if_that_is_wanted() -> None:
    files = package("chrome.storage.local.get();", permissions=["storage", "alarms", "tabs"])
    assert fixed(files, "chrome") == {}
    after = fixed(files, "chrome", unsafe=True)
    assert json.loads(after["manifest.json"])["permissions"] == ["storage"]


def test_the_action_of_manifest_v2_is_renamed_in_manifest_and_calls() -> None:
    files = package(
        "chrome.browserAction.setBadgeText({ text: '1' });\nchrome.browserAction.onClicked.addListener(f);",
        browser_action={"default_title": "T"},
    )
    assert fixed(files, "chrome") == {
        "manifest.json": str(files["manifest.json"]).replace("browser_action", "action"),
        "b.js": str(files["b.js"]).replace("browserAction", "action"),
    }


def test_without_an_action_in_the_manifest_its_calls_stay() -> None:
    files = package("chrome.browserAction.setBadgeText({ text: '1' });", permissions=[])
    assert fixed(files, "chrome", unsafe=True) == {}


def test_what_runtime_has_too_is_taken_from_there() -> None:
    files = package("f(chrome.extension.getURL('a.html'));")
    assert fixed(files, "chrome", select=["wrong-manifest-version"]) == {
        "b.js": "f(chrome.runtime.getURL('a.html'));"
    }
