"""Webpack: modules in a table, and in chunks that are separate files."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST, POLYFILL
from harness import reported

from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

WEBPACK_4 = fill(bundle_shapes.WEBPACK_4, ENTRY=0, MODULES="%s")
WEBPACK_5 = fill(bundle_shapes.WEBPACK_5, MODULES="%s", BODY="%s")

FOUND = {
    "version 4: a whole export": (
        WEBPACK_4 % "[function(m, e, r) { r(1).management.getAll() }, function(m, e) { m.exports = chrome }]",
        "r(1).management.getAll",
    ),
    "version 4: a getter": (
        WEBPACK_4
        % """[function(m, e, r) { var x = r(1); x.a.management.getAll() },
            function(m, e, r) { r.d(e, "a", function() { return api }); const api = chrome; }]""",
        "x.a.management.getAll",
    ),
    "version 4: holes in the list of modules": (
        WEBPACK_4
        % "[function(m, e, r) { r(2).management.getAll() },, function(m, e) { m.exports = chrome }]",
        "r(2).management.getAll",
    ),
    "version 5: modules by path, with comments": (
        WEBPACK_5
        % (
            '"./api.js": ((module, exports) => { exports.api = chrome; })',
            'const { api } = load(/*! ./api */ "./api.js"); api.management.getAll();',
        ),
        "api.management.getAll",
    ),
    "version 5: getters in an object": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.r(e); r.d(e, { Z: () => a, x: () => b }); const a = chrome, b = a.management }",
            "var api = load(7); (0, api.x).getAll();",
        ),
        "(0, api.x).getAll",
    ),
    "version 5: getters and values in a list": (
        WEBPACK_5
        % (
            '7(m, e, r) { const api = chrome; r.d(e, ["Z", 0, api, "get", () => get]); function get() {} }',
            "var seven = load(7); seven.Z.management.getAll();",
        ),
        "seven.Z.management.getAll",
    ),
    "version 5: the default of a CommonJS module": (
        WEBPACK_5
        % ("7(m) { m.exports = chrome }", "var x = load(7), y = load.n(x); y().management.getAll();"),
        "y().management.getAll",
    ),
    "version 5: the default of an ES module": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.r(e), r.d(e, { default: () => chrome }) }",
            "var x = load(7), y = load.n(x); y().management.getAll();",
        ),
        "y().management.getAll",
    ),
    "version 5: an import that is called": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.r(e), r.d(e, { api: () => chrome }) }",
            "(async () => { const x = await load.e(1).then(load.bind(load, 7));"
            " x.api.management.getAll() })();",
        ),
        "x.api.management.getAll",
    ),
    "version 5: a module passes another on": (
        WEBPACK_5
        % (
            "7(m) { m.exports = chrome }, 8(m, e, r) { m.exports = r(7) }",
            "load(8).management.getAll();",
        ),
        "load(8).management.getAll",
    ),
    "version 5: a namespace in a concatenated module": (
        WEBPACK_5
        % (
            "7() {}",
            "var ns = {}; load.d(ns, { api: () => api }); const api = chrome; ns.api.management.getAll();",
        ),
        "ns.api.management.getAll",
    ),
    "version 5: a function of another module is given the API": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.d(e, { run: () => run }); function run(api) { api.management.getAll() } }",
            "var seven = load(7); (0, seven.run)(chrome);",
        ),
        "api.management.getAll",
    ),
    "version 5: a bundled polyfill": (
        WEBPACK_5
        % (
            "7: function(module, exports) {" + POLYFILL + "}",
            "var x = load(7), y = load.n(x); y().management.getAll();",
        ),
        "y().management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_in_webpack_bundle_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "a module that exports one thing or another": WEBPACK_5
    % ("7(m) { if (x) m.exports = chrome; else m.exports = other(); }", "load(7).management.getAll();"),
    "a table whose entries are called by something else": """
        var table = { 7(m) { m.exports = chrome } };
        function load(id) { return table[id]({ exports: {} }) }
        load(7).management.getAll();""",
    "a key that is not known": WEBPACK_5 % ("7(m) { m.exports = chrome }", "load(key).management.getAll();"),
    "another module": WEBPACK_5
    % ("7(m) { m.exports = chrome }, 8(m) { m.exports = {} }", "load(8).management.getAll();"),
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_other_use_in_webpack_bundle_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == []


CHUNKS = {
    "manifest.json": MANIFEST,
    "a.js": """(self.webpackChunkx = self.webpackChunkx || []).push([[1], {
        7(module, exports, load) { var x = load(8); x.api.management.getAll(); }
    }, (load) => { load.O(0, [2], () => load(7)) }]);""",
    "b.js": """(self.webpackChunkx = self.webpackChunkx || []).push([[2], {
        8: (module, exports, load) => { load.d(exports, { api: () => api }); const api = chrome; }
    }]);""",
}


def test_api_use_through_another_chunk_is_reported() -> None:
    assert reported(CHUNKS) == [("unsupported-api", "x.api.management.getAll")]


IN_OTHER_CHUNKS = {
    "of a script with a table of its own": {
        "a.js": WEBPACK_5
        % ('7() {}, "./c": () => {}', "self.webpackChunkx.push = 1; load(8).api.management.getAll();")
    },
    "as a chunk with keys that are paths": {
        "a.js": CHUNKS["a.js"].replace("load(8)", "load(/*! x */ './8.js')"),
        "b.js": CHUNKS["b.js"].replace("8:", "'./8.js':"),
    },
    "by a chunk that passes on what another has": {
        "b.js": CHUNKS["b.js"].replace("8:", "9:"),
        "c.js": """(self.webpackChunkx = self.webpackChunkx || []).push([[3], {
            8(module, exports, load) { load.d(exports, { api: () => nine.api }); var nine = load(9); }
        }]);""",
    },
    "chunks that load each other": {
        "b.js": CHUNKS["b.js"].replace("const api", "load(7); const api"),
    },
}


@pytest.mark.parametrize("files", IN_OTHER_CHUNKS.values(), ids=IN_OTHER_CHUNKS.keys())
def test_module_in_another_chunk_is_resolved(files: dict[str, str]) -> None:
    assert [rule for rule, text in reported({**CHUNKS, **files}) if "management" in text] == [
        "unsupported-api"
    ]


NOT_IN_OTHER_CHUNKS = {
    "another key": {"b.js": CHUNKS["b.js"].replace("8:", "9:")},
    "the chunks of another script": {"b.js": CHUNKS["b.js"].replace("webpackChunkx", "webpackChunky")},
    "the same key in two chunks": {"c.js": CHUNKS["b.js"]},
    "a chunk in another folder": {"b.js": "", "other/b.js": CHUNKS["b.js"]},
    "call without a chunk push": {"b.js": CHUNKS["b.js"].replace(".push(", ".add(")},
}


@pytest.mark.parametrize("files", NOT_IN_OTHER_CHUNKS.values(), ids=NOT_IN_OTHER_CHUNKS.keys())
def test_module_in_unrelated_chunk_is_not_resolved(files: dict[str, str]) -> None:
    assert reported({**CHUNKS, **files}) == []
