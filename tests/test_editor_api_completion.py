"""Completion of members of the API, keys of objects and values in scripts. `|` is the cursor."""

from __future__ import annotations

import pytest
from editor_cases import BOTH, at_cursor, completed, items_at, settings
from packages import package_of

from extlint.services.editor.completion import completions

MEMBERS = {
    "a member": ("chrome.tabs.|", {"query", "create", "onUpdated"}),
    "before another statement": ("chrome.tabs.|\nfoo()", {"query"}),
    "in a word": ("chrome.tabs.qu|ery({})", {"query"}),
    "in a block": ("function f() { if (a) { browser.tabs.| } }", {"query"}),
    "in a condition": ("if (chrome.tabs.|) {}", {"query"}),
    "in an unfinished call": ("foo(chrome.tabs.|", {"query"}),
    "in an unfinished function": ("function f() {\n  chrome.tabs.|\n", {"query"}),
    "a namespace": ("chrome.|", {"tabs", "runtime", "devtools"}),
    "a nested namespace": ("chrome.devtools.|", {"panels", "network"}),
    "an object": ("chrome.storage.local.|", {"get", "set", "onChanged"}),
    "an event": ("chrome.runtime.onMessage.|", {"addListener", "removeListener", "hasListener"}),
    "optional chaining": ("chrome?.tabs?.|", {"query"}),
    "an alias": ("const api = globalThis.browser ?? chrome;\napi.tabs.|", {"query"}),
    "a destructured alias": ("const { tabs: t } = chrome;\nt.|", {"query"}),
    "an import": ("import browser from 'webextension-polyfill';\nbrowser.tabs.|", {"query"}),
    "a pattern": ("const { | } = chrome.tabs", {"query"}),
    "a nested pattern": ("const { tabs: { | } } = chrome", {"query"}),
    "a renamed key": ("const { qu|: q } = chrome.tabs", {"query"}),
    "brackets": ("chrome['|']", {"tabs"}),
    "a template": ("`${chrome.tabs.|}`", {"query"}),
    "constants": ("chrome.tabs.TabStatus.|", {"COMPLETE", "LOADING"}),
    "a result": ("chrome.tabs.query({}, ([tab]) => tab.|)", {"favIconUrl", "id"}),
    "an awaited result": ("async () => { const [tab] = await chrome.tabs.query({}); tab.| }", {"title"}),
    "an argument of a listener": (
        "chrome.runtime.onMessage.addListener((m, { | }) => {})",
        {"tab", "frameId"},
    ),
}


@pytest.mark.parametrize(("text", "expected"), MEMBERS.values(), ids=MEMBERS)
def test_members_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= items_at(text).keys()


KEYS = {
    "a key": ("chrome.tabs.query({ | })", {"active", "url"}),
    "another key": ("chrome.tabs.query({ url: '', | })", {"active"}),
    "a key before others": ("chrome.tabs.query({ | url: '' })", {"active"}),
    "a key without an end": ("function f() {\n  chrome.tabs.query({ |\n}", {"active"}),
    "a part of a key": ("chrome.tabs.query({ act| })", {"active"}),
    "a quoted key": ("chrome.tabs.query({ '|': true })", {"active"}),
    "a second argument": ("chrome.tabs.update(1, { | })", {"url", "active"}),
    "a nested object": ("chrome.scripting.executeScript({ target: { | } })", {"tabId", "allFrames"}),
    "an object in an array": ("chrome.scripting.registerContentScripts([{ | }])", {"id", "js"}),
    "after the listener": ("chrome.webRequest.onCompleted.addListener(f, { | })", {"urls", "types"}),
}


@pytest.mark.parametrize(("text", "expected"), KEYS.values(), ids=KEYS)
def test_keys_of_objects_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= items_at(text).keys()


VALUES = {
    "a string": ("chrome.tabs.query({ status: '|' })", {"complete", "loading"}),
    "an unfinished string": ("chrome.tabs.query({ status: '|\n})", {"complete"}),
    "no string yet": ("chrome.tabs.query({ status: | })", {'"complete"'}),
    "a truth value": ("chrome.tabs.query({ active: | })", {"true", "false"}),
    "a comparison": (
        "chrome.runtime.onInstalled.addListener(({ reason }) => reason === '|')",
        {"install", "update"},
    ),
    "a case": (
        "chrome.runtime.onInstalled.addListener((e) => { switch (e.reason) { case '|': } })",
        {"install"},
    ),
    "an item": ("chrome.contextMenus.create({ contexts: ['page', '|'] })", {"link", "selection"}),
    "an option of a listener": (
        "chrome.webRequest.onCompleted.addListener(f, {}, ['|'])",
        {"responseHeaders"},
    ),
    "a permission": ("chrome.permissions.request({ permissions: ['|'] })", {"tabs", "bookmarks"}),
}


@pytest.mark.parametrize(("text", "expected"), VALUES.values(), ids=VALUES)
def test_values_are_completed(text: str, expected: set[str]) -> None:
    assert expected <= items_at(text).keys()


NOTHING = {
    "a comment": "// chrome.tabs.|",
    "a string": "x = 'chrome.tabs.|'",
    "a template": "x = `chrome.tabs.|`",
    "a regular expression": "x = /chrome.tabs.|/",
    "another object": "foo.|",
    "a variable of that name": "function f(chrome) { chrome.tabs.| }",
    "an unknown member": "chrome.tabs.nothing.|",
    "a new statement": "|",
    "an object for other code": "foo({ | })",
    "a string for other code": "foo('|')",
    "a free string": "chrome.tabs.create({ url: '|' })",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_other_code_has_no_completions(text: str) -> None:
    assert not items_at(text)


def test_keys_that_exist_are_not_offered_again() -> None:
    assert "active" not in items_at("chrome.tabs.query({ active: true, | })")
    assert "active" not in items_at("chrome.tabs.query({ |, active: true })")
    assert "query" not in items_at("const { query, | } = chrome.tabs")
    assert "page" not in items_at("chrome.contextMenus.create({ contexts: ['page', '|'] })")


COMPLETED = {
    "a member": ("chrome.tabs.|\nfoo()", "query", "chrome.tabs.query|\nfoo()"),
    "the rest of a word": ("chrome.tabs.qu|xx({})", "query", "chrome.tabs.query|({})"),
    "text before that is not ASCII": (
        "'\U0001f600ä'; chrome.tabs.q|",
        "query",
        "'\U0001f600ä'; chrome.tabs.query|",
    ),
    "a value": ("chrome.tabs.query({status: |})", '"loading"', 'chrome.tabs.query({status: "loading"|})'),
    "a string": ("chrome.tabs.query({status: 'x|y'})", "loading", "chrome.tabs.query({status: 'loading|'})"),
    "an empty string": (
        "chrome.tabs.query({status: '|'})",
        "loading",
        "chrome.tabs.query({status: 'loading|'})",
    ),
    "an unfinished string": (
        "chrome.tabs.query({status: '|\n})",
        "loading",
        "chrome.tabs.query({status: 'loading|\n})",
    ),
    "CRLF": ("foo();\r\nchrome.tabs.|\r\n", "query", "foo();\r\nchrome.tabs.query|\r\n"),
}


@pytest.mark.parametrize(("text", "label", "expected"), COMPLETED.values(), ids=COMPLETED)
def test_an_item_replaces_what_was_typed(text: str, label: str, expected: str) -> None:
    assert completed(text, label) == expected


def test_members_of_other_targets_are_not_offered() -> None:
    assert "sidebarAction" in items_at("browser.|", targets=["firefox"])
    assert "sidebarAction" not in items_at("browser.|", targets=["chrome"])
    assert "sidePanel" not in items_at("browser.|", targets=["firefox"])
    assert items_at("browser.|")["sidebarAction"].detail.startswith("only Firefox")
    assert (
        items_at("browser.|", targets=["firefox"])["sidebarAction"].detail
        == "requires the key sidebar_action"
    )


def test_members_of_other_manifest_versions_are_not_offered() -> None:
    old = {"manifest_version": 2, "name": "a", "version": "1"}
    assert "browserAction" in items_at("chrome.|", manifest=old)
    assert "action" not in items_at("chrome.|", manifest=old)
    assert "browserAction" not in items_at("chrome.|")


def test_members_missing_from_an_edition_are_not_offered() -> None:
    assert "sidebarAction" not in items_at("browser.|", targets=["firefox_android"])


def test_deprecated_members_come_last() -> None:
    old = {"manifest_version": 2, "name": "a", "version": "1"}
    found = items_at("chrome.tabs.|", targets=["chrome"], manifest=old)
    assert found["getSelected"].deprecated
    assert not found["query"].deprecated
    assert found["query"].sort < found["getSelected"].sort


def test_required_keys_come_first() -> None:
    found = items_at("chrome.scripting.executeScript({ | })")
    assert found["target"].sort < found["files"].sort


def test_an_item_has_a_signature_and_a_documentation() -> None:
    item = items_at("chrome.tabs.|")["query"]
    assert (item.kind, item.detail) == ("function", "query(queryInfo, callback?)")
    assert "**Versions:** Firefox 45, Chrome 16" in item.documentation
    assert items_at("chrome.tabs.|")["onUpdated"].kind == "event"


PAGES = {
    "a page": ("a.html", "<p>|</p><script>chrome.tabs.^</script>"),
    "a page without an end": ("a.html", "<p>|</p><script>\nchrome.tabs.^\n"),
    "a component": ("a.vue", "<template>|</template>\n<script>\nchrome.tabs.^\n</script>"),
    "a typed component": ("a.svelte", "<p>|</p><script lang='ts'>let a: string;\nchrome.tabs.^\n</script>"),
}


@pytest.mark.parametrize(("path", "text"), PAGES.values(), ids=PAGES)
def test_inline_scripts_are_completed(path: str, text: str) -> None:
    assert not items_at(text.replace("^", ""), path)
    assert "query" in items_at(text.replace("|", "").replace("^", "|"), path)


@pytest.mark.parametrize("path", ["a.ts", "a.tsx", "a.mjs", "a.jsx"])
def test_other_languages_are_completed(path: str) -> None:
    assert "query" in items_at("const a = 1;\nchrome.tabs.|\n", path)


def test_a_missing_permission_is_named() -> None:
    assert items_at("chrome.|")["bookmarks"].detail == "requires the permission bookmarks"
    manifest = {"manifest_version": 3, "name": "a", "version": "1", "permissions": ["bookmarks"]}
    assert items_at("chrome.|", manifest=manifest)["bookmarks"].detail == ""


def test_a_version_that_is_newer_than_the_oldest_is_named() -> None:
    manifest = {"manifest_version": 3, "name": "a", "version": "1", "minimum_chrome_version": "100"}
    items = items_at("chrome.|", targets=["chrome"], manifest={**manifest, "permissions": ["offscreen"]})
    assert items["offscreen"].detail == "since Chrome 109"
    assert items["runtime"].detail == ""
    assert (
        items_at("chrome.|", targets=["chrome>=109"], manifest=manifest)["offscreen"].detail
        == "requires the permission offscreen"
    )


def test_targets_that_deprecate_a_member_are_named() -> None:
    old = {"manifest_version": 2, "name": "a", "version": "1"}
    item = items_at("chrome.tabs.|", manifest=old)["executeScript"]
    assert item.detail.endswith(" – deprecated in Chrome")
    assert not item.deprecated


def test_members_that_content_scripts_do_not_have_come_last() -> None:
    manifest = {
        "manifest_version": 3,
        "name": "a",
        "version": "1",
        "content_scripts": [{"matches": ["<all_urls>"], "js": ["a.js"]}],
    }
    found = items_at("chrome.|", manifest=manifest)
    assert found["tabs"].detail == "not in content scripts"
    assert found["runtime"].sort < found["tabs"].sort
    assert items_at("chrome.|", "b.js", manifest=manifest)["tabs"].detail == ""


IMPORTS = {
    "an export": "import { api } from './api.js';\napi.tabs.|",
    "a namespace": "import * as all from './api.js';\nall.api.tabs.|",
    "an export of an import": "import { api } from './index.js';\napi.tabs.|",
    "a module without a suffix": "import { api } from './api';\napi.tabs.|",
    "require": "const { api } = require('./api.js');\napi.tabs.|",
}


@pytest.mark.parametrize("marked", IMPORTS.values(), ids=IMPORTS)
def test_the_api_is_completed_through_modules(marked: str) -> None:
    files = {
        "manifest.json": '{"manifest_version": 3, "name": "a", "version": "1"}',
        "api.js": "export const api = globalThis.browser ?? chrome;",
        "index.js": "export * from './api.js';",
    }
    text, position = at_cursor(marked)
    found = completions(package_of(files), settings(BOTH), "a.js", text, position)
    assert "query" in {each.label for each in found}


def test_changes_of_modules_count() -> None:
    text, position = at_cursor("import { api } from './api.js';\napi.|")
    for source, expected in [
        ("chrome.tabs", "query"),
        ("chrome.alarms", "clearAll"),
        ("chrome.tabs", "query"),
    ]:
        package = package_of({"manifest.json": "{}", "api.js": f"export const api = {source};"})
        found = completions(package, settings(BOTH), "a.js", text, position)
        assert expected in {each.label for each in found}
