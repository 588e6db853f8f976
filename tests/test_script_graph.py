"""Scripts loaded by other scripts, and the contexts they run in."""

from __future__ import annotations

import json

import pytest
from harness import lint
from packages import package_of

from extlint.manifest.manifest import read_manifest
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.layout import lay_out


def contexts(files: dict[str, str], manifest: dict[str, object]) -> dict[str, list[str]]:
    """Returns the kinds of contexts of each script, each with the script or page that loads it."""
    package = TolerantPackage(package_of({**files, "manifest.json": json.dumps(manifest)}))
    read = read_manifest("manifest.json", package.read("manifest.json"))
    layout = lay_out(package, read, ScriptReader(package).facts)
    return {
        each.path: [
            f"{context.kind.value} by {context.step and context.step.path}" for context in each.contexts
        ]
        for each in layout.scripts
    }


WORKER: dict[str, object] = {"background": {"service_worker": "sw.js", "type": "module"}}
PAGE = "<script src=a.js></script>"
SW = "service worker by sw.js"
LOADED = {
    "an import": ({"sw.js": 'import "./a.js"', "a.js": ""}, WORKER, [SW]),
    "a named import": ({"sw.js": 'import { b } from "./a.js"', "a.js": ""}, WORKER, [SW]),
    "a re-export": ({"sw.js": 'export * from "./a.js"', "a.js": ""}, WORKER, [SW]),
    "an import from the root": ({"sw.js": 'import "/a.js"', "a.js": ""}, WORKER, [SW]),
    "import()": ({"sw.js": 'f(async () => await import("./a.js"))', "a.js": ""}, WORKER, [SW]),
    "importScripts": ({"sw.js": 'importScripts("b.js", "a.js")', "a.js": ""}, WORKER, [SW]),
    "a constant name": ({"sw.js": 'const f = "a.js"; importScripts(f)', "a.js": ""}, WORKER, [SW]),
    "a worker": ({"sw.js": 'new Worker("a.js")', "a.js": ""}, WORKER, ["worker by sw.js"]),
    "an import of an import": (
        {"sw.js": 'import "./b.js"', "b.js": 'import "./a.js"', "a.js": ""},
        WORKER,
        ["service worker by b.js"],
    ),
    "circular imports": (
        {"sw.js": 'import "./a.js"', "a.js": 'import "./sw.js"'},
        WORKER,
        [SW],
    ),
    "a source that is built to what is imported": (
        {"sw.js": 'import "./a.js"', "a.ts": ""},
        WORKER,
        [SW],
    ),
    "an import without a suffix": ({"sw.js": 'import "./a"', "a.ts": ""}, WORKER, [SW]),
    "a folder": ({"sw.js": 'import "./a"', "a/index.ts": ""}, WORKER, [SW]),
    "the script of a page that imports": (
        {"p.html": '<script type="module">import "./a.js"</script>', "a.js": ""},
        {"action": {"default_popup": "p.html"}},
        ["extension page by p.html"],
    ),
    "a Svelte component": (
        {"sw.js": 'import "./b.svelte"', "b.svelte": '<p/><script>import "./a.js"</script>', "a.js": ""},
        WORKER,
        ["service worker by b.svelte"],
    ),
    "two ways": (
        {"sw.js": 'import "./a.js"', "c.js": 'import("./a.js")', "a.js": ""},
        {**WORKER, "content_scripts": [{"js": ["c.js"]}]},
        [SW, "content script by c.js"],
    ),
    "an injected file": (
        {"sw.js": 'chrome.scripting.executeScript({ target, files: ["a.js"] })', "a.js": ""},
        WORKER,
        ["content script by sw.js"],
    ),
    "a file injected into the main world": (
        {"sw.js": 'chrome.scripting.executeScript({ files: ["a.js"], world: "MAIN" })', "a.js": ""},
        WORKER,
        ["page's main world by sw.js"],
    ),
    "a file injected into a world that is not known": (
        {"sw.js": 'chrome.scripting.executeScript({ files: ["a.js"], world })', "a.js": ""},
        WORKER,
        ["somewhere by sw.js"],
    ),
    "a file injected the old way": (
        {"sw.js": 'browser.tabs.executeScript(id, { file: "/a.js" })', "a.js": ""},
        WORKER,
        ["content script by sw.js"],
    ),
    "a registered content script": (
        {"sw.js": 'chrome.scripting.registerContentScripts([{ id: "a", js: ["a.js"] }])', "a.js": ""},
        WORKER,
        ["content script by sw.js"],
    ),
    "a content script registered in Firefox": (
        {"sw.js": 'browser.contentScripts.register({ js: [{ file: "a.js" }] })', "a.js": ""},
        WORKER,
        ["content script by sw.js"],
    ),
    "a page in a tab": (
        {
            "sw.js": 'chrome.tabs.create({ url: "p.html#x" })',
            "p.html": PAGE,
            "a.js": "",
        },
        WORKER,
        ["extension page by p.html"],
    ),
    "a panel of the developer tools": (
        {
            "d.html": "<script src=d.js></script>",
            "d.js": 'browser.devtools.panels.create("x", "i.png", "p.html")',
            "p.html": PAGE,
            "a.js": "",
        },
        {"devtools_page": "d.html"},
        ["developer tools page by p.html"],
    ),
    "a sandboxed page in a tab": (
        {
            "sw.js": 'chrome.tabs.create({ url: "p.html" })',
            "p.html": PAGE,
            "a.js": "",
        },
        {**WORKER, "sandbox": {"pages": ["p.html"]}},
        ["sandboxed page by p.html"],
    ),
}


@pytest.mark.parametrize(("files", "manifest", "expected"), LOADED.values(), ids=LOADED.keys())
def test_script_is_loaded(files: dict[str, str], manifest: dict[str, object], expected: list[str]) -> None:
    found = contexts(files, manifest)
    target = next(path for path in ("a.js", "a.ts", "a/index.ts") if path in found)
    assert found[target] == expected


NOT_LOADED = {
    "a package's name": 'import "a.js"',
    "an unknown name": "import(name)",
    "a comment": '// import "./a.js"',
    "a string": "'import \"./a.js\"'",
    "a shadowed importScripts": 'function f(importScripts) { importScripts("a.js") }',
    "a method named like it": 'o.importScripts("a.js")',
    "an address": 'import "https://example.com/a.js"',
}


@pytest.mark.parametrize("source", NOT_LOADED.values(), ids=NOT_LOADED.keys())
def test_script_is_not_loaded(source: str) -> None:
    assert contexts({"sw.js": source, "a.js": ""}, WORKER)["a.js"] == []


def test_type_only_import_loads_nothing() -> None:
    manifest: dict[str, object] = {"background": {"service_worker": "sw.ts"}}
    source = 'import type { A } from "./a.js"; export type { B } from "./a.js"'
    assert contexts({"sw.ts": source, "a.js": ""}, manifest)["a.js"] == []


USE = 'browser.test.log("a")'
CHECKED = {
    "a component's script": (
        {
            "sw.js": 'import "./a.vue"',
            "a.vue": f'<template><p/></template><script lang="ts">const a: any = {USE}</script>',
        },
        ["wrong-context"],
    ),
    "a component that nothing loads": (
        {"sw.js": "", "a.svelte": "<script>$: x = browser.management.getSlef()</script>"},
        ["unknown-api"],
    ),
    "an imported script runs where its importer does": (
        {"sw.js": 'import "./a.js"', "a.js": USE},
        ["wrong-context"],
    ),
    "an injected script is a content script": (
        {"sw.js": 'browser.scripting.executeScript({ files: ["a.js"] })', "a.js": USE},
        [],
    ),
    "a use in a function is right in one of two worlds": (
        {
            "sw.js": 'import "./a.js"; browser.scripting.executeScript({ files: ["a.js"] })',
            "a.js": f"export const f = () => {USE}",
        },
        [],
    ),
    "a use on load must be right in each world that is certain": (
        {
            "sw.js": 'import "./a.js"; browser.scripting.executeScript({ files: ["a.js"] })',
            "a.js": USE,
        },
        ["wrong-context"],
    ),
    "a script that may never be loaded is not certain": (
        {
            "sw.js": 'import("./a.js"); browser.scripting.executeScript({ files: ["a.js"] })',
            "a.js": USE,
        },
        [],
    ),
    "a worker has no extension API": (
        {"sw.js": 'new Worker("a.js")', "a.js": "browser.management.getSelf()"},
        ["wrong-context"],
    ),
    "nothing is known of an unknown world": (
        {"sw.js": 'browser.scripting.executeScript({ files: ["a.js"], world })', "a.js": USE},
        [],
    ),
    "a script that nothing loads": ({"sw.js": "", "a.js": USE}, []),
}


@pytest.mark.parametrize(("files", "expected"), CHECKED.values(), ids=CHECKED.keys())
def test_loaded_script_is_checked(files: dict[str, str], expected: list[str]) -> None:
    manifest = {"manifest_version": 3, "name": "a", "version": "1", **WORKER}
    found = lint({**files, "manifest.json": json.dumps(manifest)}, ["wrong-context", "unknown-api"])
    assert [each.rule for each in found] == expected
    assert all(each.path in {"a.js", "a.svelte", "a.vue"} for each in found)
