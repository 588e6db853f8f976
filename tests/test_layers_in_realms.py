"""Layers over the API in one realm, and scripts of other realms that name a global in the same way."""

from __future__ import annotations

import pytest
from harness import lint, manifest
from thorough import in_turn, some

RULES = ("wrong-context", "missing-permission", "unknown-api", "unsupported-api")
OBJECT = (
    "{ action: { setTitle: (o) => chrome.action.setTitle(o),\n"
    "onClicked: { addListener: (f) => chrome.action.onClicked.addListener(f) } },\n"
    "scripting: { executeScript: (o) => chrome.scripting.executeScript(o) },\n"
    "storage: { local: { get: (keys) => chrome.storage.local.get(keys) } } }"
)
LAYERS = {
    "a global": "globalThis.browser = OBJECT",
    "of the window": "window.browser = OBJECT",
    "of self": "self.browser = OBJECT",
    "var": "var browser = OBJECT",
    "an old accessor": "globalThis.__defineGetter__('browser', () => (OBJECT))",
    "a descriptor": "Object.defineProperty(self, 'browser', { value: OBJECT })",
    "a getter": "Object.defineProperty(globalThis, 'browser', { get: () => (OBJECT) })",
    "with others": "Object.assign(self, { browser: OBJECT })",
}
CALL = "browser.action.setTitle({ title: 'a' });"
UNKNOWN = "browser.action[name]({ title: 'a' });"
INJECTS = "browser.scripting.executeScript({ target: { tabId: 1 }, func: () => Boolean(window.loaded) });"

USES = (CALL, UNKNOWN, INJECTS, "f(browser);" + INJECTS, INJECTS + UNKNOWN)
"""Each of them is tried with one layer, and the last ones, which contain the others, with every layer."""


def found_in(background: str, content: str, layer: str, unloaded: str = "") -> list[tuple[str, str]]:
    """Returns the paths and APIs of findings. The background and the content script load `layer.js`."""
    entry = {"matches": ["https://page.example/*"], "js": ["layer.js", "content.js"]}
    files = {
        "manifest.json": manifest(
            action={},
            background={"service_worker": "worker.js"},
            content_scripts=[entry],
            permissions=["storage", "scripting"],
        ),
        "layer.js": layer,
        "worker.js": background,
        "content.js": content,
        "unloaded.js": unloaded,
    }
    return sorted({(each.path, each.api or "") for each in lint(files, RULES, "chrome")})


IN_CONTENT = [("content.js", "action.setTitle")]
IN_LAYER = [("layer.js", "action.onClicked"), ("layer.js", "action.setTitle")]


@pytest.mark.parametrize(("layer", "is_shared"), in_turn((each, (False, True)) for each in LAYERS.values()))
def test_use_in_the_background_is_unrelated_to_a_content_script(layer: str, is_shared: bool) -> None:
    uses = USES if layer == LAYERS["a global"] else USES[-2:]
    layer = layer.replace("OBJECT", OBJECT)
    load = "importScripts('layer.js');" if is_shared else f"(() => {{ {layer} }})();"
    for use in some(uses, 5):
        listener = f"browser.action.onClicked.addListener((name) => {{ {use} }});"
        assert found_in(load + listener, "browser.storage.local.get('a')", layer) == [], use
        assert found_in(load + listener, CALL, layer) == IN_CONTENT, use
        found = found_in(load + listener, UNKNOWN, layer)
        assert set(found) & {("layer.js", "action.setTitle")}, use
        assert found[0][0] == "layer.js"


@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS.keys())
def test_use_in_a_script_that_nothing_loads_has_no_context(layer: str) -> None:
    layer = layer.replace("OBJECT", OBJECT)
    assert found_in("", "", layer, CALL + UNKNOWN) == []
    assert found_in("", CALL, layer, CALL + UNKNOWN) == IN_CONTENT


HELPER = "window.helper = { run(name) { if (name) f(); chrome.action.setTitle({ title: name }); } }"
RUN = "window.helper.run('a')"
INJECTED = {
    "a function": "chrome.scripting.executeScript({ target, func: () => RUN })",
    "a method": "chrome.scripting.executeScript({ target, func() { RUN } })",
    "a declared function": "function g() { RUN } chrome.scripting.executeScript({ target, func: g })",
    "a function that is passed on": (
        "const inject = (func) => chrome.scripting.executeScript({ target, func }); inject(() => RUN)"
    ),
    "a function inside it": "chrome.scripting.executeScript({ target, func: () => setTimeout(() => RUN) })",
}


@pytest.mark.parametrize("use", INJECTED.values(), ids=INJECTED.keys())
def test_injected_function_shares_the_globals_of_content_scripts(use: str) -> None:
    assert found_in(use.replace("RUN", RUN), "", HELPER) == [("layer.js", "action.setTitle")]
    assert found_in(use.replace("RUN", "f()") + ";" + RUN, "", HELPER) == []


def pages_findings(popup: str, options: str) -> list[tuple[str, str]]:
    files = {
        "manifest.json": manifest(action={"default_popup": "popup.html"}, options_page="options.html"),
        "popup.html": "<script src=layer.js></script><script src=popup.js></script>",
        "options.html": "<script src=options.js></script>",
        "layer.js": "globalThis.api = { tab: () => chrome.devtools.inspectedWindow.eval('1') }",
        "popup.js": popup,
        "options.js": options,
        "module.js": "api.tab()",
    }
    return [(each.path, each.api or "") for each in lint(files, RULES, "chrome")]


def test_page_has_its_own_globals() -> None:
    own = "globalThis.api = { tab: () => 1 };"
    assert pages_findings("", own + "api.tab(); api[x]()") == []
    assert pages_findings("api.tab()", own) == [("popup.js", "devtools.inspectedWindow.eval")]
    assert pages_findings("import('./module.js')", "") == [("module.js", "devtools.inspectedWindow.eval")]
    assert pages_findings("", "import('./module.js')") == [("module.js", "devtools.inspectedWindow.eval")]


def test_layer_is_used_only_where_the_target_loads_its_user() -> None:
    files = {
        "manifest.json": manifest(
            background={"service_worker": "worker.js", "scripts": ["layer.js", "page.js"]},
            browser_specific_settings={"gecko": {"id": "a@b.example"}},
        ),
        "layer.js": "globalThis.api = { page: () => chrome.extension.getBackgroundPage() }",
        "worker.js": "importScripts('layer.js')",
        "page.js": "api.page()",
    }
    assert lint(files, RULES, "chrome") == []
    files["worker.js"] += "; api.page()"
    assert [each.path for each in lint(files, RULES, "chrome")] == ["worker.js"]


def test_layer_and_its_use_are_one_mistake() -> None:
    layer = (
        "if (!globalThis.browser && globalThis.chrome) { const api = globalThis.chrome;"
        ' globalThis.__defineGetter__("browser", () => ({ bookmarks: { onCreated: {'
        " addListener: (f) => api.bookmarks.onCreated.addListener(f) } } })); }"
    )
    use = "browser.bookmarks.onCreated.addListener(f);"
    background = {"scripts": ["a.js", "b.js"]}
    files = {"manifest.json": manifest(background=background, permissions=["bookmarks"])}
    found = lint({**files, "a.js": layer, "b.js": use}, ["unknown-api"], "firefox_android")
    assert [(each.path, each.api) for each in found] == [("b.js", "bookmarks")]
