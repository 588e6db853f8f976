"""Fixes of mistakes in scripts, in the script or in the manifest, and mistakes that are not fixed."""

from __future__ import annotations

import json

import pytest
from fixing import fixed
from harness import Files, manifest

from extlint.manifest.edits.json_fixes import apply_fix
from extlint.manifest.edits.script_fixes import rename_member
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
def test_safe_script_fix(before: str, after: str) -> None:
    assert fixed(package(before), "chrome") == {"b.js": after}


NOT_FIXED = {
    "a name that nothing is near": "chrome.tabs.zzz();",
    "a key that is near no other": "chrome.tabs.query({ zzz: 1 });",
    "a computed key": "const k = 'actve'; chrome.tabs.query({ [k]: true });",
    "an object that is used elsewhere too": "const o = { actve: true }; g(o); chrome.tabs.query(o);",
    "a string that is named": "const s = 'compelte'; g(s); chrome.tabs.query({ status: s });",
    "the wrong number of arguments": "chrome.tabs.query(1, 2, 3, 4);",
}


@pytest.mark.parametrize("script", NOT_FIXED.values(), ids=NOT_FIXED.keys())
def test_unfixable_script_mistake(script: str) -> None:
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
def test_member_name_is_replaced_in_expression(before: str, at: int, after: str | None) -> None:
    index = TextIndex(before.encode())
    names = ["tabs", "qurey"] if at else ["qurey", "tabs"]
    fix = rename_member("a.js", index, index.span(0, len(before)), names, at, "query", safe=True)
    assert (None if fix is None else apply_fix(index, fix).decode()) == after


def test_inline_script_is_fixed_in_its_page() -> None:
    page = "<!doctype html>\n<p>é</p><script>\nbrowser.tabs.qurey({});\n</script>\n"
    files = {"manifest.json": manifest(action={"default_popup": "p.html"}), "p.html": page}
    assert fixed(files, select=["unknown-api"]) == {"p.html": page.replace("qurey", "query")}


def test_typescript_fix_keeps_types() -> None:
    script = "const all: Tab[] = (await (chrome as any).tabs.qurey({}))!;\n"
    files = {"manifest.json": manifest(background={"service_worker": "b.js"}), "b.ts": script, "b.js": ""}
    assert fixed(files, "chrome", select=["unknown-api"]) in ({}, {"b.ts": script.replace("qurey", "query")})


def test_missing_permission_is_added_once() -> None:
    files = package(
        "chrome.bookmarks.search('a'); chrome.bookmarks.getTree(); chrome.alarms.create('a', {});"
    )
    after = fixed(files, "chrome,firefox", select=["missing-permission"])
    assert json.loads(after["manifest.json"])["permissions"] == ["tabs", "bookmarks", "alarms"]


def test_permissions_key_is_added_below_name_and_version() -> None:
    files = {
        "manifest.json": '{\n\t"manifest_version": 3,\n\t"name": "N",\n\t"version": "1",\n'
        '\t"background": {"service_worker": "b.js"}\n}\n',
        "b.js": "chrome.storage.local.get();",
    }
    assert fixed(files, "chrome") == {
        "manifest.json": files["manifest.json"].replace('"1",\n', '"1",\n\t"permissions": ["storage"],\n')
    }


def test_misspelled_permission_is_corrected_instead_of_added() -> None:
    files = package("chrome.storage.local.get();", permissions=["storrage"])
    assert fixed(files, "chrome") == {
        "manifest.json": str(files["manifest.json"]).replace("storrage", "storage")
    }


def test_choice_between_permissions_is_unsafe() -> None:
    files = package("chrome.tabs.query({}, (tabs) => f(tabs[0].url));", permissions=[])
    assert fixed(files, "chrome") == {}
    after = fixed(files, "chrome", unsafe=True)
    assert json.loads(after["manifest.json"])["permissions"] == ["tabs"]


def test_removal_of_unused_permission_is_unsafe() -> None:
    files = package("chrome.storage.local.get();", permissions=["storage", "alarms", "tabs"])
    assert fixed(files, "chrome") == {}
    after = fixed(files, "chrome", unsafe=True)
    assert json.loads(after["manifest.json"])["permissions"] == ["storage"]


def test_browser_action_is_renamed_in_manifest_and_calls() -> None:
    files = package(
        "chrome.browserAction.setBadgeText({ text: '1' });\nchrome.browserAction.onClicked.addListener(f);",
        browser_action={"default_title": "T"},
    )
    assert fixed(files, "chrome") == {
        "manifest.json": str(files["manifest.json"]).replace("browser_action", "action"),
        "b.js": str(files["b.js"]).replace("browserAction", "action"),
    }


def test_browser_action_calls_without_manifest_key_are_not_fixed() -> None:
    files = package("chrome.browserAction.setBadgeText({ text: '1' });", permissions=[])
    assert fixed(files, "chrome", unsafe=True) == {}


def test_extension_member_is_replaced_by_runtime_member() -> None:
    files = package("f(chrome.extension.getURL('a.html'));")
    assert fixed(files, "chrome", select=["wrong-manifest-version"]) == {
        "b.js": "f(chrome.runtime.getURL('a.html'));"
    }
