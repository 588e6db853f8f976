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
}


@pytest.mark.parametrize("shim", SHIMS.values(), ids=SHIMS.keys())
def test_shim_of_a_member_is_none_of_another(shim: str) -> None:
    assert found_in_main_world(shim, USE) == []
    assert found_in_main_world(shim, ON_LOAD) == []
    assert found_in_main_world(shim, OTHER) == ["use.js"]
    assert found_in_main_world(f"{shim} {USE}", "") == []
    assert found_in_main_world(f"{shim} {OTHER}", "") == ["shim.js"]
    assert found_in_main_world("", USE) == ["use.js"]


WHOLE = {
    "made elsewhere": "chrome.runtime = make();",
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
    assert found([{"js": ["shim.js"], **main}, {"js": ["use.js"], **main}], scripts) == ["use.js"]
    assert found([{"js": ["shim.js"]}, {"js": ["use.js"], **main}], scripts) == ["use.js"]
    assert found([{"js": ["shim.js", "a.js"], **main}, {"js": ["shim.js", "use.js"], **main}], scripts) == []


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
