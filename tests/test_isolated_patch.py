"""Functions of a page that a content script replaces in vain: `isolated-patch`."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported

RULES = ["isolated-patch"]


def files_of(source: str, *others: str, **entry: object) -> Files:
    """Returns an extension with content scripts. The entry of the first one has these keys."""
    keys = {"matches": ["https://example.com/*"], "js": ["c.js"], "run_at": "document_start", **entry}
    entries = [keys, *({**keys, "js": [f"{at}.js"]} for at, _ in enumerate(others))]
    scripts = {f"{at}.js": text for at, text in enumerate(others)}
    return {"manifest.json": manifest(content_scripts=entries), "c.js": source, **scripts}


CASES: dict[str, tuple[str, list[str]]] = {
    "fetch": (
        "const original = window.fetch;\nwindow.fetch = async (...args) => original(...args);",
        ["window.fetch"],
    ),
    "a declared function": ("function mine() {}\nwindow.fetch = mine;", ["window.fetch"]),
    "by another name of the window": ("globalThis.fetch = () => {};", ["globalThis.fetch"]),
    "a proxy": ("window.fetch = new Proxy(window.fetch, {});", ["window.fetch"]),
    "a method of requests": (
        "const { open } = XMLHttpRequest.prototype;\n"
        "XMLHttpRequest.prototype.open = function (...args) { return open.apply(this, args); };",
        ["XMLHttpRequest.prototype.open"],
    ),
    "a class": ("window.WebSocket = class extends WebSocket {};", ["window.WebSocket"]),
    "a constructor": (
        "const Original = window.FormData;\nwindow.FormData = function () { return new Original(); };",
        ["window.FormData"],
    ),
    "new windows": ("window.open = () => null;", ["window.open"]),
    "a constructor that the script uses": ("window.FormData = class {};\nnew FormData();", []),
    "a variable that is called like a function of pages": ("let open = () => {};\nopen = () => {};", []),
    "the history": (
        "const push = history.pushState;\n"
        "history.pushState = function (...args) { push.apply(history, args); f(); };",
        ["history.pushState"],
    ),
    "by the window": ("window.history.replaceState = () => {};", ["window.history.replaceState"]),
    "in a function that is called": ("(() => { window.fetch = () => {}; })();", ["window.fetch"]),
    "in one that is called by its name": (
        "function patch() { window.fetch = () => {}; }\npatch();",
        ["window.fetch"],
    ),
    "in a listener": ("addEventListener('load', () => { window.fetch = () => {}; });", ["window.fetch"]),
    "with a name of its own": ("window.fetch = function fetch() {};", ["window.fetch"]),
    "a comment about a call": ("// it calls fetch() itself\nwindow.fetch = () => {};", ["window.fetch"]),
    "called by the script": ("window.fetch = () => {};\nfetch('/a');", []),
    "created by the script": (
        "XMLHttpRequest.prototype.open = () => {};\nconst request = new XMLHttpRequest();",
        [],
    ),
    "only if it is missing": ("if (!window.fetch) window.fetch = () => {};", []),
    "with an alternative": ("window.fetch = window.fetch || (() => {});", []),
    "in a function that nothing calls": ("function patch() { window.fetch = () => {}; }", []),
    "in a text for the page": ("script.textContent = `window.fetch = () => {}`;", []),
    "in a function whose text the page runs": (
        "function patch() { window.fetch = () => {}; }\nscript.textContent = `(${patch})()`;",
        [],
    ),
    "of the page": ("window.wrappedJSObject.fetch = exportFunction(() => {}, window);", []),
    "of another object": ("api.fetch = () => {};\napi.history.pushState = () => {};", []),
    "a variable": ("const history = {};\nhistory.pushState = () => {};", []),
    "no function": ("window.fetch = undefined;", []),
    "an own name": ("window.fetchAll = () => {};", []),
    "a handler": ("window.onfetch = () => {};", []),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_replaced_function_of_a_page_is_reported(source: str, expected: list[str], target: str) -> None:
    assert reported(files_of(source), RULES, target) == [("isolated-patch", text) for text in expected]


PATCH = "window.fetch = () => {};"


def test_only_content_scripts_in_isolated_worlds_count() -> None:
    found = [("isolated-patch", "window.fetch")]
    assert reported(files_of(PATCH, world="ISOLATED"), RULES, "chrome") == found
    assert reported(files_of(PATCH, world="MAIN"), RULES, "chrome") == []
    page = {"p.html": "<script src=c.js></script>"}
    both = {**files_of(PATCH), **page, "manifest.json": manifest(options_page="p.html")}
    assert reported(both, RULES, "chrome") == []


def test_calls_in_other_content_scripts_count() -> None:
    assert reported(files_of(PATCH, "fetch('/a');"), RULES, "chrome") == []
    assert reported(files_of(PATCH, "f('fetch');"), RULES, "chrome") == [("isolated-patch", "window.fetch")]


def test_libraries_are_not_reported() -> None:
    files = files_of("", js=["lib/sentry.min.js"])
    assert reported({**files, "lib/sentry.min.js": PATCH}, RULES, "chrome") == []


def test_message_names_the_world() -> None:
    (finding,) = lint(files_of(PATCH), RULES, "chrome")
    assert finding.message == "`fetch` is replaced only for content scripts: the page calls its own one"
    assert finding.help == 'run the script in the page, with `"world": "MAIN"`'


def test_message_for_a_script_that_is_injected_in_manifest_v2() -> None:
    loaded = manifest(manifest_version=2, background={"scripts": ["b.js"]})
    files = {"manifest.json": loaded, "b.js": "chrome.tabs.executeScript({file: 'c.js'});", "c.js": PATCH}
    (finding,) = lint(files, RULES, "firefox")
    assert finding.help == "run the script in the page, with a script element"
