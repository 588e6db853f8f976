"""Members that a script adds to the API for other scripts of the same realm."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("wrong-context", "unknown-api", "wrong-manifest-version", "missing-permission")
SHIM = "window.chrome ??= {}; window.chrome.runtime ??= {}; window.chrome.runtime.getURL = (path) => path;"
USE = "setTimeout(() => chrome.runtime.getURL('/a.json'))"
ON_LOAD = "chrome.runtime.getURL('/a.json')"
OTHER = "setTimeout(() => chrome.runtime.getManifest())"


def found(entries: list[dict[str, object]], scripts: dict[str, str], **keys: object) -> list[str]:
    """Returns the paths of the findings about content scripts in entries of the manifest."""
    listed = [{"matches": ["https://page.example/*"], **each} for each in entries]
    files = {"manifest.json": manifest(content_scripts=listed, **keys), **scripts}
    return [each.path for each in lint(files, RULES, "chrome")]


def found_in_main_world(shim: str, use: str) -> list[str]:
    entry: dict[str, object] = {"js": ["shim.js", "use.js"], "world": "MAIN"}
    return found([entry], {"shim.js": shim, "use.js": use})


SHIMS = {
    "each part if it is missing": SHIM,
    "by `||`": (
        "window.chrome = window.chrome || {}; chrome.runtime = chrome.runtime || {}; "
        "chrome.runtime.getURL = (path) => path;"
    ),
    "by `||=`": "chrome.runtime ||= {}; chrome.runtime.getURL ||= (path) => path;",
    "after a test": (
        "if (!chrome.runtime) chrome.runtime = {}; "
        "if (!chrome.runtime.getURL) chrome.runtime.getURL = (path) => path;"
    ),
    "with its member": "chrome.runtime ??= { getURL: (path) => path };",
    "with its method": "chrome.runtime ??= { getURL(path) { return path } };",
    "always": "chrome.runtime = { getURL: (path) => path };",
    "a variable first": "const own = { getURL: (path) => path }; window.chrome.runtime = own;",
    "in a function": f"(() => {{ {SHIM} }})();",
    "of the global object": "globalThis.chrome.runtime ??= {}; self.chrome.runtime.getURL = f;",
    "another name of the root": "const o = (window.chrome ??= {}); o.runtime ??= {}; o.runtime.getURL = f;",
    "an empty root after a test": (
        "if (!window.chrome) window.chrome = {}; if (!chrome.runtime) { chrome.runtime = {} }; "
        "chrome.runtime.getURL = (path) => path;"
    ),
    "a definition": "chrome.runtime ||= {}; Object.defineProperty(chrome.runtime, 'getURL', { value: f });",
    "several": "chrome.runtime ||= {}; Object.defineProperties(chrome.runtime, { getURL: { value: f } });",
    "by Object.assign": "chrome.runtime ||= {}; Object.assign(chrome.runtime, { getURL: (path) => path });",
}


@pytest.mark.parametrize("shim", SHIMS.values(), ids=SHIMS.keys())
def test_shim_of_a_member_is_none_of_another(shim: str) -> None:
    assert found_in_main_world(shim, USE) == []
    assert found_in_main_world(shim, ON_LOAD) == []
    assert found_in_main_world(shim, OTHER) == ["use.js"]
    assert found_in_main_world(f"{shim} {USE}", "") == []
    assert found_in_main_world(f"{shim} {OTHER}", "") == ["shim.js"]
    assert found_in_main_world("", USE) == ["use.js"]


ROOTS = {
    "an object": "window.chrome = { runtime: { getURL: (path) => path } };",
    "a variable": "var chrome = { runtime: { getURL(path) {} } };",
    "after a test": "if (!window.chrome) window.chrome = { runtime: { getURL(path) {} } };",
    "with the old one": "window.chrome = { ...window.chrome, runtime: { ...chrome?.runtime, getURL() {} } };",
}


@pytest.mark.parametrize("shim", ROOTS.values(), ids=ROOTS.keys())
def test_assigned_root_has_only_its_members(shim: str) -> None:
    assert found_in_main_world(shim, USE) == []
    assert found_in_main_world(shim, OTHER) == ["use.js"]
    assert found_in_main_world(shim, USE.replace("chrome", "browser")) == ["use.js"]


WHOLE = {
    "made elsewhere": "chrome.runtime = make();",
    "a root that is made elsewhere": "window.chrome = make();",
    "a root with more": "window.chrome = { ...make() };",
    "with another name": "const r = (chrome.runtime ??= {}); r.getURL = (path) => path; r.getManifest = f",
    "with more": "chrome.runtime = { ...make() };",
    "by unknown code": "fill(chrome.runtime = {}); chrome.runtime ??= make();",
}


@pytest.mark.parametrize("shim", WHOLE.values(), ids=WHOLE.keys())
def test_shim_of_an_unknown_object_has_all_members(shim: str) -> None:
    assert found_in_main_world(shim, USE + ";" + OTHER) == []


def test_shim_exists_only_in_its_realm() -> None:
    scripts = {"shim.js": SHIM, "use.js": USE}
    main = {"world": "MAIN"}
    assert found([{"js": ["shim.js", "use.js"], **main}], scripts) == []
    elsewhere = {"matches": ["https://other.example/*"]}
    assert found([{"js": ["shim.js"], **main, **elsewhere}, {"js": ["use.js"], **main}], scripts) == [
        "use.js"
    ]
    assert found([{"js": ["shim.js"]}, {"js": ["use.js"], **main}], scripts) == ["use.js"]
    assert found([{"js": ["shim.js", "a.js"], **main}, {"js": ["shim.js", "use.js"], **main}], scripts) == []


PAGES = ["https://page.example/*", "https://more.example/*"]

ENTRIES = {
    "for the same pages": ({}, {}, []),
    "for more pages": ({"matches": PAGES}, {}, []),
    "for all pages": ({"matches": ["<all_urls>"]}, {}, []),
    "for some of its pages": ({}, {"matches": PAGES}, ["use.js"]),
    "that runs later": ({"run_at": "document_idle"}, {"run_at": "document_start"}, ["use.js"]),
    "in frames": ({"all_frames": True}, {}, ["use.js"]),
}


@pytest.mark.parametrize(("shim", "use", "expected"), ENTRIES.values(), ids=ENTRIES.keys())
def test_shim_of_an_entry(shim: dict[str, object], use: dict[str, object], expected: list[str]) -> None:
    entries = [{"js": ["shim.js"], "world": "MAIN", **shim}, {"js": ["use.js"], "world": "MAIN", **use}]
    assert found(entries, {"shim.js": SHIM, "use.js": ON_LOAD}) == expected


def test_shim_that_the_script_with_the_use_loads() -> None:
    def found_in_worker(first: str) -> list[str]:
        files = {
            "manifest.json": manifest(background={"service_worker": "b.js"}, action={}),
            "b.js": first + "chrome.browserAction.setTitle({ title: 'a' });",
            "shim.js": "chrome.browserAction ??= chrome.action;",
        }
        return [each.path for each in lint(files, RULES, "chrome")]

    assert found_in_worker("importScripts('shim.js');") == []
    assert found_in_worker("") == ["b.js"]


def test_shim_for_a_use_on_load_is_loaded_before() -> None:
    entry: dict[str, object] = {"js": ["use.js", "shim.js"], "world": "MAIN"}
    assert found([entry], {"shim.js": SHIM, "use.js": ON_LOAD}) == ["use.js"]
    assert found([entry], {"shim.js": SHIM, "use.js": USE}) == []


def test_shim_in_a_content_script() -> None:
    entry: dict[str, object] = {"js": ["shim.js", "use.js"]}
    shim = "chrome.tabs ??= {}; chrome.tabs.query = (options) => chrome.runtime.sendMessage(options);"
    use = "addEventListener('x', () => chrome.tabs.query({}));"
    assert found([entry], {"shim.js": shim, "use.js": use}) == []
    assert found([entry], {"shim.js": shim, "use.js": use.replace("query", "create")}) == ["use.js"]
    assert found([entry], {"shim.js": "", "use.js": use}) == ["use.js"]


def test_shim_in_a_page() -> None:
    def found_in_page(shim: str, use: str) -> list[str]:
        files = {
            "manifest.json": manifest(action={"default_popup": "popup.html"}),
            "popup.html": "<script src=shim.js></script><script src=use.js></script>",
            "shim.js": shim,
            "use.js": use,
        }
        return [each.path for each in lint(files, RULES, "chrome")]

    shim = "chrome.bookmarks ??= {}; chrome.bookmarks.get = (id) => [];"
    assert found_in_page(shim, "chrome.bookmarks.get('1')") == []
    assert found_in_page(shim, "chrome.bookmarks.getTree()") == ["use.js"]


def test_empty_root_leaves_the_api_as_it_is() -> None:
    entry: dict[str, object] = {"js": ["root.js", "use.js"]}
    for root in ("window.chrome ??= {}", "window.chrome = window.chrome || {}"):
        scripts = {"root.js": root, "use.js": "chrome.tabs.query({})"}
        assert found([entry], scripts) == ["use.js"], root
    scripts["root.js"] = "window.chrome = make()"
    assert found([entry], scripts) == []


def test_shim_of_messages_has_its_own_messages() -> None:
    entries = [{"matches": ["https://page.example/*"], "js": ["shim.js", "use.js"], "world": "MAIN"}]
    files = {
        "manifest.json": manifest(content_scripts=entries),
        "shim.js": "window.chrome ??= {}; chrome.i18n = { getMessage: (name) => document.title };",
        "use.js": "document.title = chrome.i18n.getMessage('title')",
    }
    assert lint(files, ["missing-message"], "chrome") == []
    files["shim.js"] = ""
    assert [each.path for each in lint(files, ["missing-message"], "chrome")] == ["use.js"]
