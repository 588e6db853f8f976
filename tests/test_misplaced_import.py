"""Imports in scripts that do not allow them or that browsers cannot resolve: `misplaced-import`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from harness import lint, manifest, reported
from packages import package_in

from extlint.checker import check_package
from extlint.program.global_uses import GlobalUses
from extlint.schema.targets import Target

RULES = ("misplaced-import",)
CLASSIC = {"background": {"service_worker": "a.js"}}
MODULE = {"background": {"service_worker": "a.js", "type": "module"}}
CONTENT: dict[str, Any] = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]}
IMPORT = 'import { f } from "./m.js"'


def found(keys: Mapping[str, object], script: str, target: str = "chrome", **others: str) -> list[str]:
    """Returns the source text of each finding in a script from the manifest."""
    files: dict[str, str] = {"manifest.json": manifest(**keys), "a.js": script, "m.js": "export const f = 1;"}
    files |= {f"{name}.js": text for name, text in others.items()}
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(
    ("keys", "target", "is_module"),
    [
        (CLASSIC, "chrome", False),
        (MODULE, "chrome", True),
        (CONTENT, "chrome", False),
        (CONTENT, "firefox", False),
        ({"content_scripts": [{**CONTENT["content_scripts"][0], "type": "module"}]}, "chrome", False),
        ({"background": {"scripts": ["a.js"]}}, "firefox", False),
        ({"background": {"scripts": ["a.js"], "type": "module"}}, "firefox", True),
        (CLASSIC, "reference", False),
    ],
)
def test_import_in_manifest_scripts(keys: Mapping[str, object], target: str, is_module: bool) -> None:
    assert found(keys, IMPORT, target) == ([] if is_module else [IMPORT])


@pytest.mark.parametrize(
    ("tag", "is_module"),
    [
        ("<script src=a.js></script>", False),
        ("<script src=a.js type='text/javascript'></script>", False),
        ("<script src=a.js type=module></script>", True),
        ("<script src=a.js nomodule></script>", True),
        ("<script src=m.js type=module></script>", True),
    ],
)
def test_import_in_page_scripts(tag: str, is_module: bool) -> None:
    files = {
        "manifest.json": manifest(options_ui={"page": "o.html"}),
        "o.html": tag,
        "a.js": IMPORT,
        "m.js": "export const f = 1;",
    }
    assert reported(files, RULES, "chrome,firefox") == ([] if is_module else [("misplaced-import", IMPORT)])


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("f();\nexport {};", ["export {};"]),
        ("export default 1", ["export default 1"]),
        ("const a = import.meta.url", ["import.meta"]),
        ("import './m.js'; import './m.js'", ["import './m.js';"]),
        ("(async () => { await import(chrome.runtime.getURL('m.js')) })()", []),
        ("const s = 'import x from y'; // import x from 'y'", []),
        ("/*\nimport x from 'y'\n*/", []),
        ("const t = `\nimport x from 'y'\n`", []),
        ("x.import('y'); ({ export: 1 })", []),
    ],
)
def test_module_syntax_in_a_content_script(script: str, expected: list[str]) -> None:
    assert found(CONTENT, script) == expected


def test_import_in_scripts_loaded_by_scripts() -> None:
    assert found(CLASSIC, "importScripts('b.js')", b="export {}") == ["export {}"]
    inject = "chrome.scripting.executeScript({ target: { tabId: 1 }, files: ['b.js'] })"
    assert found(CLASSIC, inject, b=IMPORT) == [IMPORT]
    assert found(CONTENT, "import(chrome.runtime.getURL('b.js'))", b=IMPORT) == []
    assert found(MODULE, "import './b.js'", b=IMPORT) == []
    assert found(CLASSIC, "new Worker('b.js', { type: 'module' })", b=IMPORT) == []


@pytest.mark.parametrize(("name", "paths"), [("b.js", ["b.js"]), ("out/b.js", [])])
def test_source_of_an_injected_script_is_not_injected_as_it_is(name: str, paths: list[str]) -> None:
    inject = f"chrome.scripting.executeScript({{ target: {{ tabId: 1 }}, files: ['{name}'] }})"
    files = {"manifest.json": manifest(**CLASSIC), "a.js": inject, "b.js": "export const f = 1;"}
    report = check_package(package_in(files, ""), [Target("chrome")], RULES)
    assert [each.path for each in report.findings] == paths


@pytest.mark.parametrize(
    ("keys", "script", "expected"),
    [
        (MODULE, "importScripts('x.js')", ["importScripts"]),
        (MODULE, "function f() { importScripts('x.js') } f()", ["importScripts"]),
        (MODULE, "function f() { importScripts('x.js') }", []),
        (MODULE, "if (typeof importScripts === 'function') importScripts('x.js')", []),
        (MODULE, "try { importScripts('x.js') } catch { f() }", []),
        (CLASSIC, "importScripts('b.js')", []),
    ],
)
def test_import_scripts_in_module_workers(
    keys: Mapping[str, object], script: str, expected: list[str]
) -> None:
    assert found(keys, script) == expected


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("import('./m.js')", 1),
        ("chrome.action.onClicked.addListener(async () => { await import('./m.js') })", 1),
        ("chrome.action.onClicked.addListener(async (tab) => { if (tab.url) await import(tab.url) })", 1),
        ("import('./m.js').then(f).catch(g)", 0),
        ("import('./m.js').then(f, g)", 0),
        ("try { await import('./m.js') } catch { g() }", 0),
        ("if (typeof window !== 'undefined') import('./m.js')", 0),
        ("function f() { import('./m.js') }", 0),
        ("chrome.scripting.executeScript({ target: { tabId: 1 }, func: () => import('./m.js') })", 0),
    ],
)
def test_dynamic_imports_in_a_service_worker(script: str, count: int) -> None:
    assert len(found(MODULE, script)) == count


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("import x from 'lodash'", ["'lodash'"]),
        ("export { x } from '@scope/x'", ["'@scope/x'"]),
        ("import './m.js'; import '/m.js'; import '../a/m.js'", []),
        ("import 'https://a.example/x.js'", []),
        ("const x = await f('lodash')", []),
    ],
)
def test_bare_specifiers(script: str, expected: list[str]) -> None:
    assert found(MODULE, script) == expected


def test_declared_dependency_is_not_reported() -> None:
    project = {"package.json": json.dumps({"dependencies": {"lodash": "4"}})}
    files = {"manifest.json": manifest(**MODULE), "a.js": "import 'lodash/fp'; import 'react'", **project}
    assert [text for _, text in reported(files, RULES, "chrome")] == ["'react'"]


def test_page_with_an_import_map_is_not_reported() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, options_ui={"page": "o.html"}),
        "o.html": "<script src=a.js type=module></script>",
        "a.js": "import x from 'lodash'",
    }
    assert len(lint(files, RULES, "firefox")) == 1
    mapped = "<script type=importmap>{}</script>" + files["o.html"]
    assert lint({**files, "o.html": mapped}, RULES, "firefox") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vite.config.js", ""),
        ("package.json", json.dumps({"scripts": {"build": "esbuild a.js"}})),
        ("package.json", json.dumps({"devDependencies": {"webpack": "5"}})),
    ],
)
def test_import_is_accepted_with_a_build(name: str, text: str) -> None:
    files = {"src/manifest.json": manifest(**CLASSIC), "src/a.js": IMPORT, "src/m.js": "export const f = 1"}
    targets = [Target("chrome")]
    assert len(check_package(package_in(files, "src/"), targets, RULES).findings) == 1
    assert check_package(package_in({**files, name: text}, "src/"), targets, RULES).findings == ()


@pytest.mark.parametrize(
    ("keys", "script", "message", "help_"),
    [
        (
            CLASSIC,
            IMPORT,
            "`import` is only allowed in modules, and this service worker is a classic script",
            'add `"type": "module"` to `background`',
        ),
        (
            CONTENT,
            "export {}",
            "`export` is only allowed in modules, and content scripts are classic scripts",
            "remove `export`: scripts that are loaded in the same place share their variables",
        ),
        (
            MODULE,
            "importScripts('b.js')",
            "`importScripts` fails in a worker that is a module",
            'load scripts with `import`, or remove `"type": "module"`',
        ),
        (
            MODULE,
            "import('./m.js')",
            "`import()` fails in a service worker",
            'import it with a statement at the top of a module (`"type": "module"`)',
        ),
        (
            MODULE,
            "import 'x'",
            "`x` cannot be resolved: browsers import modules by their addresses",
            "import a file of the package by its path (`./`), or bundle the scripts",
        ),
    ],
)
def test_message_and_help(keys: Mapping[str, object], script: str, message: str, help_: str) -> None:
    files = {"manifest.json": manifest(**keys), "a.js": script, "m.js": "export const f = 1"}
    (finding,) = lint(files, RULES, "chrome")
    assert (finding.message, finding.help) == (message, help_)


def test_inline_script_that_never_runs_is_one_mistake() -> None:
    page = '<script>import "./b.js";</script><script src="c.js"></script>'
    files = {
        "manifest.json": manifest(background={"page": "a.html"}),
        "a.html": page,
        "b.js": "",
        "c.js": 'import "./b.js";',
    }
    found = reported(files, ["inline-script", "misplaced-import"], "firefox")
    assert [rule for rule, _ in found] == ["inline-script", "misplaced-import"]
    assert found[1][1] == 'import "./b.js";'


def test_syntax_error_takes_precedence() -> None:
    files = {"manifest.json": manifest(**CLASSIC), "a.js": "import './m.js'; chrome.tabs.query({}, (t) => {"}
    assert {each.rule for each in lint(files, (*RULES, "invalid-syntax"), "chrome")} == {"invalid-syntax"}


COMMONJS = {
    "a file of the package": ("const m = require('./m')", ["require"]),
    "a package": ("const _ = require('lodash')", ["require"]),
    "in a listener": ("chrome.runtime.onMessage.addListener(() => require('./m').f())", ["require"]),
    "compiled from TypeScript": (
        "'use strict'; Object.defineProperty(exports, '__esModule', { value: true })",
        ["exports"],
    ),
    "only the first": ("const a = require('./m'), b = require('./n')", ["require"]),
    "a parameter": ("(function (require) { require('./m') })(load)", []),
    "declared": ("function require(name) { return names[name] } require('./m')", []),
    "assigned": ("self.require = load; require('./m')", []),
    "assigned to the window": ("window.require = load; window.require('./m'); require('./m')", []),
    "assigned by another name": ("const all = window; all.require = load; window.require('./m')", []),
    "assigned together": ("Object.assign(window, { require: load }); require('./m')", []),
    "assigned to the window or else": (
        "let root = window; if (space) root = window[space]; root.require = load; window.require('./m');"
        "require('./n')",
        [],
    ),
    "assigned to something else": ("const box = {}; box.require = load; require('./m')", ["require"]),
    "tested": ("const m = typeof require === 'function' ? require('./m') : null", []),
    "only for Node": ("if (typeof module !== 'undefined') { module.exports = require('./m') }", []),
    "only without a window": ("if (typeof window === 'undefined') { const fs = require('fs') }", []),
    "instead of a missing global": ("if (typeof fetch === 'undefined') fetch = require('a')", []),
    "instead of a missing property": ("if (!window.fetch) window.fetch = require('a')", []),
    "instead of a missing global, by its declaration": (
        "if (typeof URL === 'undefined') { var { URL } = require('url') } new URL(a)",
        [],
    ),
    "instead of a missing global, in a choice": (
        "var URL = typeof URL !== 'undefined' ? URL : require('url').URL",
        [],
    ),
    "instead of an own variable": (
        "(() => { if (typeof URL === 'undefined') { var { URL } = require('url') } })()",
        ["require"],
    ),
    "where a global exists": ("if (typeof URL !== 'undefined') URL = require('url')", ["require"]),
    "after a global was replaced": (
        "if (typeof URL === 'undefined') URL = f; const url = require('url')",
        ["require"],
    ),
    "a library for both": (
        "(function (o, make) { typeof exports === 'object' ? make(require('a')) : make(o.a) })(this, f)",
        [],
    ),
    "in a try": ("try { var m = require('./m') } catch (e) {}", []),
    "never called": ("function f() { return require('./m') }", []),
    "a property": ("loader.require('./m')", []),
}


@pytest.mark.parametrize(("script", "expected"), COMMONJS.values(), ids=COMMONJS.keys())
@pytest.mark.parametrize("keys", [CONTENT, {"background": {"scripts": ["a.js"]}}])
def test_commonjs_modules(keys: Mapping[str, object], script: str, expected: list[str]) -> None:
    assert found(keys, script, "firefox") == expected


UNIVERSAL_MODULES = {
    "an `if`": (
        "(function (mod) { if (typeof exports == 'object' && typeof module == 'object') // CommonJS\n"
        "mod(require('../a')); else if (typeof define == 'function') define(['../a'], mod); else mod(A); })"
    ),
    "a block": "if (typeof module != 'undefined' && module.exports) {\n module.exports = f(require('a'));\n}",
    "minified": '!function(t,e){"object"==typeof exports?e(require("a")):e(t.a)}(this,f)',
    "minified, for others first": (
        '"function"==typeof define?define(["a"],e):"undefined"!=typeof require?e(require("a")):e(t.a)'
    ),
}


@pytest.mark.parametrize("script", UNIVERSAL_MODULES.values(), ids=UNIVERSAL_MODULES)
def test_universal_modules_are_not_evaluated(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(GlobalUses, "_evaluate")
    assert found(CONTENT, script) == []


OTHER_TESTS = {
    "another statement": "if (typeof exports === 'object') g(); f(require('a'))",
    "another block": "if (typeof exports === 'object') { g() } f(require('a'))",
    "of something else": "var exported = g(); if (typeof exported === 'object') f(require('a'))",
}


@pytest.mark.parametrize("script", OTHER_TESTS.values(), ids=OTHER_TESTS)
def test_require_after_an_unrelated_test_is_reported(script: str) -> None:
    assert found(CONTENT, script) == ["require"]


def test_module_loader_defines_require() -> None:
    keys = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["loader.js", "a.js"]}]}
    assert found(keys, "require('./m')", loader="var require = (name) => modules[name];") == []
    assert found(keys, "require('./m')", loader="var load = (name) => modules[name];") == ["require"]
    assert found(keys, "require('./m')", loader="window.require = (name) => modules[name];") == []


def test_program_that_a_page_only_reads() -> None:
    read = "fetch(chrome.runtime.getURL('host.js'))"
    host = "const fs = require('fs')"
    assert found(CLASSIC, f"{read}.then((r) => r.text()).then(f)", host=host) == []
    assert found(CLASSIC, f"{read}; importScripts('host.js')", host=host) == ["require"]


def test_require_is_accepted_with_a_build() -> None:
    package = '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "5"}}'
    files = {"src/manifest.json": manifest(**CONTENT), "src/a.js": "require('./m')", "src/m.js": ""}
    targets = [Target("chrome")]
    assert len(check_package(package_in(files, "src/"), targets, RULES).findings) == 1
    assert (
        check_package(package_in({**files, "package.json": package}, "src/"), targets, RULES).findings == ()
    )


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('import a from "./d.json"', ['"./d.json"']),
        ('import "./d.css"', ['"./d.css"']),
        ('export { a } from "./d.json"', ['"./d.json"']),
        ('import a from "./d.json" with { type: "json" }', []),
        ('import a from "./d.json" assert { type: "json" }', []),
        ('import a from "./d.json?raw"', []),
        ('import a from "https://a.example/d.json"', []),
    ],
)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_imports_of_data(source: str, names: list[str], target: str) -> None:
    keys = MODULE if target == "chrome" else {"background": {"scripts": ["a.js"], "type": "module"}}
    assert found(keys, source, target) == names


@pytest.mark.parametrize(
    ("source", "is_reported"),
    [
        ("const key = process.env.KEY", True),
        ("if (typeof process !== 'undefined') f(process.env.KEY)", False),
        ("const process = { env: {} }; f(process.env.KEY)", False),
        ("globalThis.process = { env: {} }; f(process.env.KEY)", False),
        ("try { f(process.env.KEY) } catch {}", False),
        ("f(a.process.env.KEY)", False),
        ("f(process.pid)", False),
    ],
)
def test_environment_of_node(source: str, is_reported: bool) -> None:
    assert found(CLASSIC, source) == (["process"] if is_reported else [])


def test_import_in_the_source_of_a_bundle_that_a_page_loads() -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "src/popup.html"}),
        "src/popup.js": "import { a } from './a.js'; f(a);",
        "src/a.js": "export const a = 1;",
    }
    bundle, own = "<script src='../dist/popup.bundle.js'></script>", "<script src='popup.js'></script>"
    assert not reported({**files, "src/popup.html": bundle}, RULES, "chrome")
    assert reported({**files, "src/popup.html": own}, RULES, "chrome")
