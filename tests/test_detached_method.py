"""Methods of the API that are called without their object: `detached-method`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ["detached-method"]
CASES: dict[str, tuple[str, list[str]]] = {
    "taken apart": ("const { get } = chrome.storage.local;\nget('a');", ["get"]),
    "two": ("const { get, set } = chrome.storage.local;\nget('a');\nset({ a: 1 });", ["get", "set"]),
    "renamed": ("const { get: load } = chrome.storage.sync;\nload('a');", ["load"]),
    "a variable": ("const save = chrome.storage.local.set;\nsave({ a: 1 });", ["save"]),
    "of an area by its name": (
        "const area = chrome.storage.session;\nconst { get } = area;\nget('a');",
        ["get"],
    ),
    "deeper": ("const { storage: { local: { remove } } } = chrome;\nremove('a');", ["remove"]),
    "by an alias of the API": ("const api = chrome;\nconst { get } = api.storage.local;\nget('a');", ["get"]),
    "awaited": ("const { get } = chrome.storage.local;\n(async () => { await get('a'); })();", ["get"]),
    "in a function": (
        "function f() { const { get } = chrome.storage.local; return get('a'); }\nf();",
        ["get"],
    ),
    "a listener": ("const { addListener } = chrome.tabs.onCreated;\naddListener(f);", ["addListener"]),
    "as a method": ("chrome.storage.local.get('a');", []),
    "of an area that is taken apart": ("const { local } = chrome.storage;\nlocal.get('a');", []),
    "an event that is taken apart": ("const { onCreated } = chrome.tabs;\nonCreated.addListener(f);", []),
    "bound": ("const get = chrome.storage.local.get.bind(chrome.storage.local);\nget('a');", []),
    "with its object": ("const { get } = chrome.storage.local;\nget.call(chrome.storage.local, 'a');", []),
    "an own function": ("const get = (key) => chrome.storage.local.get(key);\nget('a');", []),
    "a function of a namespace": ("const { query } = chrome.tabs;\nquery({});", []),
    "not called": ("const { get } = chrome.storage.local;\nf(get);", []),
    "a name that changes": ("let get = chrome.storage.local.get;\nget = other;\nget('a');", []),
    "handled": ("const { get } = chrome.storage.local;\ntry { get('a'); } catch { f(); }", []),
    "a browser that may be a polyfill": ("const { get } = browser.storage.local;\nget('a');", []),
    "a branch that never runs": ("const { get } = chrome.storage.local;\nif (false) get('a');", []),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_method_without_its_object_is_reported(source: str, expected: list[str]) -> None:
    background = {"service_worker": "b.js", "scripts": ["b.js"]}
    files = {"manifest.json": manifest(background=background, permissions=["storage"]), "b.js": source}
    assert reported(files, RULES, "chrome") == [("detached-method", text) for text in expected]
    assert reported(files, RULES, "firefox") == []


def test_message_names_the_object() -> None:
    source = "const { get } = chrome.storage.local;\nget('a');"
    keys = {"background": {"service_worker": "b.js"}, "permissions": ["storage"]}
    (finding,) = lint({"manifest.json": manifest(**keys), "b.js": source}, RULES, "chrome")
    assert finding.message == "`storage.local.get` is called without its object, which Chrome refuses"
    assert finding.help == "call it as a method, or bind it to `storage.local`"
