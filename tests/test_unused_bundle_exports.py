"""A function that a module of a bundle exports runs only if other code of the bundle reads the export."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

WEBPACK_4 = fill(bundle_shapes.WEBPACK_4, ENTRY=0, MODULES="%s")
RUNTIME = WEBPACK_4 % "[function(m, e, r) { self.webpackJsonp = self.webpackJsonp || [] }]"
USE = "chrome.storage.local.set({ url: u })"
GETTERS = (
    "function(m, e, r) { r.d(e, 'a', () => i); r.d(e, 'b', () => h); "
    f"var i = 1; function h(u) {{ {USE} }} }}"
)
PROPERTIES = f"function(m, e) {{ e.a = 1; e.b = function(u) {{ return () => {USE} }} }}"
OBJECT = (
    "function(m, e, r) { r.d(e, 'a', () => i); r.d(e, 'b', () => x.b); "
    f"var i = {{ a: 1, b(u) {{ {USE} }} }}, x = {{}} }}"
)
CHUNK = "(self.webpackJsonp = self.webpackJsonp || []).push([[10], { %s }])"
MODULES = {"getters": GETTERS, "properties": PROPERTIES}
READS_OTHER = "function(m, e, r) { var x = r(1); console.log(x.a) }"
CONTEXT = (
    "function(m, e, r) { var map = { './x': KEY }; function f(n) { return r(map[n]) } "
    "f.keys = () => Object.keys(map); m.exports = f; f.id = 2 }"
)


def is_reported(*scripts: str, background: str = "") -> bool:
    """Whether content scripts have a finding for an API whose permission is not requested."""
    files = {f"{at}.js": text for at, text in enumerate(scripts)}
    entry = {"matches": ["https://example.com/*"], "js": [*files]}
    worker = {"background": {"service_worker": "background.js"}} if background else {}
    texts = {**files, **({"background.js": background} if background else {})}
    found = lint(
        {"manifest.json": manifest(content_scripts=[entry], **worker), **texts},
        ("missing-permission",),
        "chrome",
    )
    return bool(found)


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES.keys())
def test_an_export_that_nothing_reads_never_runs(module: str) -> None:
    assert not is_reported(WEBPACK_4 % f"[{READS_OTHER}, {module}]")
    assert not is_reported(RUNTIME, CHUNK % f"0: {READS_OTHER}, 1: {module}")
    assert not is_reported(RUNTIME, CHUNK % f"1: {module}", CHUNK % f"2: {READS_OTHER}")
    assert not is_reported(f"webpackJsonp([9], {{ 0: {READS_OTHER}, 1: {module} }}, [0])")
    other_name = CHUNK.replace("webpackJsonp", "entries")
    assert not is_reported(other_name % f"0: {READS_OTHER}, 1: {module}")


READERS = {
    "a call": "function(m, e, r) { r(1).b('x') }",
    "a variable": "function(m, e, r) { var x = r(1); Object(x.b)('x')() }",
    "a bound require": "function(m, e, r) { r.e(3).then(r.bind(null, 1)).then((x) => x.b()) }",
    "a bound namespace": "function(m, e, r) { r.e(3).then(r.t.bind(null, 1, 7)).then((x) => x.b()) }",
    "a computed name": "function(m, e, r) { r(1)[location.hash]() }",
    "exports passed on": "function(m, e, r) { call(r(1)) }",
    "exports copied": "function(m, e, r) { var x = r(1); for (var k in x) (k => r.d(e, k, () => x[k]))(k) }",
    "exports re-exported": "function(m, e, r) { m.exports = r(1); call(m.exports) }",
    "a context": CONTEXT.replace("KEY", "1"),
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES.keys())
def test_an_export_that_may_be_read_may_run(module: str, reader: str) -> None:
    assert is_reported(WEBPACK_4 % f"[{reader}, {module}]")
    assert is_reported(RUNTIME, CHUNK % f"0: {reader}, 1: {module}")
    assert is_reported(RUNTIME, CHUNK % f"1: {module}", CHUNK % f"2: {reader}")
    assert is_reported(f"webpackJsonp([9], {{ 0: {reader}, 1: {module} }}, [0])")


@pytest.mark.parametrize("use", ["r(location.hash)[name]()", "call(r)", "call(r.m)", "call(r.c)"])
def test_any_module_may_be_required(use: str) -> None:
    assert is_reported(WEBPACK_4 % f"[function(m, e, r) {{ {use} }}, {GETTERS}]")
    assert is_reported(RUNTIME, CHUNK % f"1: {GETTERS}, 2: function(m, e, r) {{ {use} }}")


def test_requires_that_are_all_known() -> None:
    context = CONTEXT.replace("KEY", "[7, 1]")
    for each in (context, "function(m, e, r) { (function() { return 1 }).call(e, r, e, m) }"):
        assert not is_reported(WEBPACK_4 % f"[{READS_OTHER}, {GETTERS}, {each}]")
    passed = "function(m, e, r) { (function(q) { q(1).b() }).call(e, r, e, m) }"
    assert is_reported(WEBPACK_4 % f"[{READS_OTHER}, {GETTERS}, {passed}]")


def test_chunks_in_other_realms_share_no_modules() -> None:
    reader = CHUNK % "2: function(m, e, r) { r(1).b('x') }"
    assert not is_reported(RUNTIME, CHUNK % f"1: {GETTERS}", background=RUNTIME + ";" + reader)
    assert is_reported(RUNTIME, CHUNK % f"1: {GETTERS}", reader)


def test_objects_behind_getters() -> None:
    assert not is_reported(WEBPACK_4 % f"[function(m, e, r) {{ var x = r(1); f(x.a.a) }}, {OBJECT}]")
    assert is_reported(WEBPACK_4 % f"[function(m, e, r) {{ var x = r(1); x.a.b('x') }}, {OBJECT}]")
    assert is_reported(WEBPACK_4 % f"[function(m, e, r) {{ var x = r(1); f(x.a) }}, {OBJECT}]")
