"""Hover in scripts and manifests. `|` is the cursor."""

from __future__ import annotations

import pytest
from editor_cases import hover_at, items_at

SCRIPTS = {
    "a member": ("chrome.tabs.qu|ery({})", "tabs.query(queryInfo, callback?)", (13, 18)),
    "the end of a name": ("chrome.tabs.query|({})", "tabs.query(queryInfo, callback?)", (13, 18)),
    "a namespace": ("chrome.ta|bs.query({})", "tabs", (8, 12)),
    "an event": ("chrome.tabs.onUp|dated", "tabs.onUpdated", (13, 22)),
    "a method of an event": ("chrome.tabs.onUpdated.addL|istener(f)", "tabs.onUpdated", (23, 34)),
    "a pattern": ("const { que|ry } = chrome.tabs", "tabs.query(queryInfo, callback?)", (9, 14)),
    "a renamed member": ("const { que|ry: q } = chrome.tabs", "tabs.query(queryInfo, callback?)", (9, 14)),
    "an alias": ("const { query: q } = chrome.tabs; |q()", "tabs.query(queryInfo, callback?)", (35, 36)),
    "a fallback": ("const b = globalThis.browser ?? chrome; b.ta|bs", "tabs", (43, 47)),
    "a key": ("chrome.tabs.query({ act|ive: true })", "active?: boolean", (21, 27)),
    "a short key": ("chrome.tabs.query({ act|ive })", "active?: boolean", (21, 27)),
    "a value": ("chrome.tabs.query({ status: 'load|ing' })", '"loading": tabs.TabStatus', (29, 38)),
    "a field of a result": ("chrome.tabs.query({}, (t) => t[0].tit|le)", "title?: string", (35, 40)),
    "a field of a property": ("chrome.runtime.lastError.mess|age", "message?: string", (26, 33)),
    "unfinished code": ("if (a) { chrome.tabs.qu|ery(", "tabs.query(queryInfo, callback?)", (22, 27)),
}


@pytest.mark.parametrize(("text", "signature", "columns"), SCRIPTS.values(), ids=SCRIPTS)
def test_names_are_explained(text: str, signature: str, columns: tuple[int, int]) -> None:
    found = hover_at(text)
    assert found is not None
    assert found.markdown.startswith(f"```js\n{signature}\n```\n")
    assert (found.start.column, found.end.column) == columns


NOTHING = {
    "other code": "fo|o()",
    "a comment": "// chrome.ta|bs",
    "a string": "x = 'chrome.ta|bs'",
    "a variable of that name": "function f(chrome) { chrome.ta|bs.query() }",
    "a root": "chro|me.tabs",
    "an unknown member": "chrome.tabs.noth|ing()",
    "no name": "chrome.tabs.query( | )",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_other_code_is_not_explained(text: str) -> None:
    assert hover_at(text) is None


def test_the_conditions_of_a_member_are_shown() -> None:
    found = hover_at("chrome.scripting.execute|Script({})")
    assert found is not None
    assert "- **Permission:** scripting, and the host permission or activeTab\n" in found.markdown
    assert "- **Versions:** Firefox 102, Chrome 88, " in found.markdown
    assert "- **Manifest:** V3 only (in Chrome)\n" in found.markdown
    assert "- `injection`: scripting.ScriptInjection\n" in found.markdown
    assert "[MDN](https://developer.mozilla.org/" in found.markdown
    assert "[Chrome documentation](https://developer.chrome.com/" in found.markdown


def test_targets_without_a_member_are_named() -> None:
    found = hover_at("browser.sidebarAc|tion.open()", targets=["chrome"])
    assert found is not None
    assert "- **Not in:** Chrome\n" in found.markdown
    both = hover_at("browser.sidebarAc|tion.open()")
    assert both is not None
    assert "- **Not in:** Chrome\n" in both.markdown


def test_properties_that_one_target_has_are_marked() -> None:
    found = hover_at("chrome.tabs.qu|ery({})")
    assert found is not None
    assert "`active?`, `attention?` (Firefox), `audible?`" in found.markdown


def test_names_with_special_characters_stay_text() -> None:
    found = hover_at("chrome.tabs.captureVisible|Tab()")
    assert found is not None
    assert "\\<all_urls>" in found.markdown


MANIFESTS = {
    "a key": ('{"backg|round": {}}', '"background"', (2, 14)),
    "a key in a key": ('{"background": {"ty|pe": "module"}}', '"background.type"', (17, 23)),
    "a key in an item": ('{"content_scripts": [{"ma|tches": []}]}', '"content_scripts.matches"', (23, 32)),
    "a value": ('{"incognito": "spl|it"}', '"incognito"', (15, 22)),
    "a permission": ('{"permissions": ["ta|bs"]}', '"tabs"', (18, 24)),
    "a key in a named object": (
        '{"commands": {"x": {"suggested_|key": {}}}}',
        "suggested_key?: object or string",
        (21, 36),
    ),
    "a host": ('{"host_permissions": ["https://exam|ple.com/*"]}', '"https://example.com/*"', (23, 46)),
    "an unfinished text": ('{"permissions": ["ta|bs"', '"tabs"', (18, 24)),
}


@pytest.mark.parametrize(("text", "title", "columns"), MANIFESTS.values(), ids=MANIFESTS)
def test_keys_and_permissions_are_explained(text: str, title: str, columns: tuple[int, int]) -> None:
    found = hover_at(text, "manifest.json")
    assert found is not None
    assert found.markdown.partition("\n")[2].startswith(f"{title}\n```\n")
    assert (found.start.column, found.end.column) == columns


@pytest.mark.parametrize(
    "text", ['{"unkn|own": 1}', '{ | "name": "a"}', "// na|me", '{"permissions": ["no|ne"]}']
)
def test_other_text_in_a_manifest_is_not_explained(text: str) -> None:
    assert hover_at(text, "manifest.json") is None


def test_scripts_of_pages_are_explained() -> None:
    found = hover_at("<p>a</p>\n<script>\nchrome.tabs.qu|ery({})\n</script>", "a.html")
    assert found is not None
    assert (found.start, found.end) == ((3, 13), (3, 18))


def test_the_prompt_for_a_host_is_shown() -> None:
    found = hover_at('{"host_permissions": ["https://exam|ple.com/*"]}', "manifest.json")
    assert found is not None
    assert "- **Asks users:** to " in found.markdown
    assert "example.com" in found.markdown.partition("Asks users")[2]


def test_hover_does_not_describe_the_api_of_thunderbird() -> None:
    manifest = {
        "manifest_version": 2,
        "name": "a",
        "version": "1",
        "permissions": ["messagesRead"],
        "browser_specific_settings": {"gecko": {"id": "a@b"}},
    }
    found = hover_at("browser.messages.li|st()", targets=(), manifest=manifest)
    assert found is not None
    assert found.markdown == "```js\nmessages.list\n```\n\nThunderbird has its own version of this API."
    assert "list" in items_at("browser.messages.|", targets=(), manifest=manifest)
