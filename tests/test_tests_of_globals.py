"""Tests for globals of the Web platform, by which scripts distinguish their contexts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

IN_WORKER = {"background": {"service_worker": "b.js"}}
IN_BOTH = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
RULES = ["missing-permission", "unknown-api"]


def found(script: str, target: str, background: Mapping[str, object], **files: str) -> list[tuple[str, str]]:
    """Returns the rules that report a use, with their targets."""
    package = {"manifest.json": manifest(**background), "b.js": script, **files}
    return [(each.rule, ",".join(each.targets)) for each in lint(package, RULES, target)]


ONLY_IN_PAGES = {
    "typeof": "if (typeof document !== 'undefined') USE",
    "typeof of a property": "if (typeof self.localStorage === 'object') USE",
    "a property": "if (self.document) USE",
    "in": "if ('document' in globalThis) USE",
    "an early return": "(() => { if (typeof window === 'undefined') return; USE })()",
    "a constant": "const hasWindow = typeof window !== 'undefined'; if (hasWindow) USE",
    "a function": "const inPage = () => typeof window !== 'undefined'; inPage() && USE",
    "the class of the worker": "if (!(self instanceof ServiceWorkerGlobalScope)) USE",
    "a member": "if (URL.createObjectURL) USE",
    "the name of the class": "if (self.constructor.name !== 'ServiceWorkerGlobalScope') USE",
    "callers": "function f() { USE } if (typeof window !== 'undefined') f()",
}
ONLY_IN_WORKERS = {
    "typeof": "if (typeof document === 'undefined') USE",
    "a property": "if (!self.document) USE",
    "the class of the worker": "if (typeof ServiceWorkerGlobalScope !== 'undefined') USE",
    "the name of the class": "if (self.constructor.name === 'ServiceWorkerGlobalScope') USE",
    "a member": "if (typeof URL.createObjectURL !== 'function') USE",
    "another branch": "if (typeof window !== 'undefined') f(); else USE",
    "a ternary": "typeof localStorage === 'undefined' ? USE : f()",
}


@pytest.mark.parametrize("source", ONLY_IN_PAGES.values(), ids=ONLY_IN_PAGES)
def test_code_for_pages_in_a_service_worker(source: str) -> None:
    script = source.replace("USE", "chrome.bookmarks.getTree()")
    assert found(script, "chrome", IN_WORKER) == []
    assert found(script, "firefox", IN_BOTH) == [("missing-permission", "firefox")]


@pytest.mark.parametrize("source", ONLY_IN_WORKERS.values(), ids=ONLY_IN_WORKERS)
def test_code_for_service_workers_in_a_page(source: str) -> None:
    script = source.replace("USE", "chrome.offscreen.closeDocument()")
    assert found(script, "firefox,chrome", IN_BOTH) == [("missing-permission", "chrome")]


@pytest.mark.parametrize(
    ("source", "files"),
    [
        pytest.param("if (typeof window !== 'undefined') USE", {"w": "self.window = self"}, id="assigned"),
        pytest.param("if (typeof OffscreenCanvas === 'undefined') USE", {}, id="of newer versions"),
        pytest.param("if (typeof lib === 'undefined') USE", {}, id="of a library"),
        pytest.param("if (g().kind === 'Window') USE", {}, id="a text"),
        pytest.param("const window = g(); if (window) USE", {}, id="a variable"),
        pytest.param("if (typeof document === 'undefined' || g()) USE", {}, id="one of two conditions"),
    ],
)
def test_test_of_a_global_that_may_succeed(source: str, files: dict[str, str]) -> None:
    script = "importScripts('w.js'); " + source.replace("USE", "chrome.bookmarks.getTree()")
    loaded = {f"{name}.js": text for name, text in files.items()}
    assert found(script, "chrome", IN_WORKER, **loaded) == [("missing-permission", "chrome")]


def test_script_of_pages_and_of_a_service_worker() -> None:
    script = "if (typeof document !== 'undefined') chrome.bookmarks.getTree()"
    keys = {**IN_WORKER, "options_page": "o.html"}
    files = {"o.html": "<script src=b.js></script>"}
    assert found(script, "chrome", keys, **files) == [("missing-permission", "chrome")]


def test_name_that_no_browser_has() -> None:
    script = "if (typeof document !== 'undefined') chrome.bookmark.getTree()"
    assert found(script, "chrome", IN_WORKER) == [("unknown-api", "chrome")]
