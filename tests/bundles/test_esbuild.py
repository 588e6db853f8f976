"""Esbuild: getters of modules and namespaces, defined by helpers that may be in a chunk."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST, MODULE_MANIFEST, POLYFILL
from harness import EXCEPT_IMPORTS, reported

from extlint.analysis.bundles.bundle import ScriptBundle
from extlint.analysis.bundles.model import Module
from extlint.analysis.facts.values import Value
from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

ESBUILD = fill(bundle_shapes.ESBUILD, BODY="%s")

FOUND = {
    "a CommonJS module": (
        ESBUILD
        % "var api = lazy((exports, module) => { module.exports = chrome }); api().management.getAll();",
        "api().management.getAll",
    ),
    "the default of a CommonJS module": (
        ESBUILD
        % "var g = lazy((e, m) => { m.exports = chrome }), x = esm(g()); x.default.management.getAll();",
        "x.default.management.getAll",
    ),
    "members of the polyfill as a namespace": (
        ESBUILD % "var get = lazy((e, m) => { m.exports = chrome }), x = esm(get()); x.management.getAll();",
        "x.management.getAll",
    ),
    "a namespace": (
        ESBUILD
        % "var ns = {}; getters(ns, { api: () => api }); var api = chrome; ns.api.management.getAll();",
        "ns.api.management.getAll",
    ),
    "module exports read directly": (
        ESBUILD % "var g = lazy((e, m) => { m.exports = chrome; m.exports.management.getAll(); }); g();",
        "m.exports.management.getAll",
    ),
    "module exports read before assignment": (
        ESBUILD
        % "var g = lazy((e, m) => { f = () => m.exports.management.getAll(); m.exports = chrome; f(); });",
        "m.exports.management.getAll",
    ),
    "import of another module read directly": (
        ESBUILD
        % (
            "var g = lazy((e, m) => { m.exports = chrome }), "
            "h = lazy((e, m) => { m.exports = g(); m.exports.management.getAll(); });"
        ),
        "m.exports.management.getAll",
    ),
    "a bundled polyfill": (
        ESBUILD % ("var get = lazy((exports, module) => {" + POLYFILL + "}); get().management.getAll();"),
        "get().management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_in_esbuild_bundle_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "the default of a namespace that has another": ESBUILD
    % "var ns = {}; getters(ns, { default: () => other }); esm(ns).default.management.getAll();",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_other_use_in_esbuild_bundle_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == []


def test_modules_without_api_are_not_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated: list[int] = []
    exports_of_module = ScriptBundle.exports_of_module

    def counted(bundle: ScriptBundle, module: Module) -> Value:
        evaluated.append(module.function.start)
        return exports_of_module(bundle, module)

    monkeypatch.setattr(ScriptBundle, "exports_of_module", counted)
    other_modules = "".join(
        f"var g{at} = lazy((e, m) => {{ m.exports = {{ a: {at} }} }}), x{at} = esm(g{at}());"
        for at in range(20)
    )
    api = "var get = lazy((e, m) => { m.exports = chrome }), x = esm(get()); x.default.management.getAll();"
    found = reported({"manifest.json": MANIFEST, "a.js": ESBUILD % (other_modules + api)})
    assert found == [("unsupported-api", "x.default.management.getAll")]
    assert len(set(evaluated)) == 1


CHUNK = """
var property = Object.defineProperty;
var lazy = (run, module) => () => (module || run((module = { exports: {} }).exports, module), module.exports);
var getters = (to, all) => { for (var name in all) property(to, name, { get: all[name], enumerable: true }) };
export { lazy as a, getters as b };
"""

FOUND_IN_CHUNKS = {
    "a namespace in a chunk": (
        'import { b as getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api = chrome; export { ns as a };",
        'import { a as n } from "./c.js"; n.api.management.getAll();',
        "n.api.management.getAll",
    ),
    "a namespace whose module runs later": (
        'import { b as getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api, run = () => { api = chrome }; export { ns as a, run as b };",
        'import { a as n, b as run } from "./c.js"; run(); n.api.management.getAll();',
        "n.api.management.getAll",
    ),
    "a CommonJS module in a chunk that has the helper": (
        "var lazy = (run, module) => () => (module || run((module = { exports: {} }).exports, module),"
        " module.exports); var get = lazy((e, m) => { m.exports = chrome }); export { get as a };",
        'import { a as get } from "./c.js"; get().management.getAll();',
        "get().management.getAll",
    ),
    "a CommonJS module in a chunk": (
        'import { a as lazy } from "./b.js";'
        "var get = lazy((exports, module) => { module.exports = chrome }); export { get as a };",
        'import { a as get } from "./c.js"; get().management.getAll();',
        "get().management.getAll",
    ),
}


@pytest.mark.parametrize(("chunk", "text", "place"), FOUND_IN_CHUNKS.values(), ids=FOUND_IN_CHUNKS.keys())
def test_api_use_through_module_chunks_is_reported(chunk: str, text: str, place: str) -> None:
    files = {"manifest.json": MODULE_MANIFEST, "a.js": text, "b.js": CHUNK, "c.js": chunk}
    assert reported(files) == [("unsupported-api", place)]


def test_helper_that_does_more_than_define_getters_is_ignored() -> None:
    helper = "(to, all) => { for (var name in all) define(to, name, { get: wrapped(all[name]) }) }"
    files = {
        "manifest.json": MODULE_MANIFEST,
        "a.js": 'import { a as n } from "./c.js"; n.api.management.getAll();',
        "b.js": f"export const getters = {helper};",
        "c.js": 'import { getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api = chrome; export { ns as a };",
    }
    assert reported(files, EXCEPT_IMPORTS) == []
