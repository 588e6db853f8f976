"""The API under names that CommonJS modules export."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST
from harness import EXCEPT_IMPORTS, reported

FOUND = {
    "module.exports": (
        {"b.js": "module.exports = chrome;", "a.js": 'const api = require("./b"); api.management.getAll();'},
        "api.management.getAll",
    ),
    "an object": (
        {
            "b.js": "module.exports = { api: chrome, other: 1 };",
            "a.js": 'const { management } = require("./b.js").api; management.getAll();',
        },
        "management.getAll",
    ),
    "a property of exports": (
        {"b.js": "exports.api = chrome;", "a.js": 'require("./b").api.management.getAll();'},
        'require("./b").api.management.getAll',
    ),
    "a property of module.exports": (
        {
            "b.js": "module.exports.api = globalThis.browser || chrome;",
            "a.js": 'const { api: x } = require("./b"); x.management.getAll();',
        },
        "x.management.getAll",
    ),
    "a function that gives the API": (
        {
            "b.js": "exports.get = function () { return chrome; };",
            "a.js": 'const { get } = require("./b"); get().management.getAll();',
        },
        "get().management.getAll",
    ),
    "a module that passes another on": (
        {
            "c.js": "module.exports = { api: chrome };",
            "b.js": 'module.exports = require("./c");',
            "a.js": 'const b = require("./b"); b.api.management.getAll();',
        },
        "b.api.management.getAll",
    ),
    "a property that is first made empty": (
        {
            "b.js": "exports.api = void 0; exports.api = chrome;",
            "a.js": 'const b = require("./b"); b.api.management.getAll();',
        },
        "b.api.management.getAll",
    ),
    "a getter": (
        {
            "c.js": "exports.api = chrome;",
            "b.js": 'var c = require("./c"); Object.defineProperty(exports, "x",'
            " { enumerable: true, get: function () { return c.api; } });",
            "a.js": 'const b = require("./b"); b.x.management.getAll();',
        },
        "b.x.management.getAll",
    ),
    "an import of a CommonJS module": (
        {"b.js": "module.exports = chrome;", "a.js": 'import b from "./b.js"; b.management.getAll();'},
        "b.management.getAll",
    ),
    "a named import of a CommonJS module": (
        {"b.js": "exports.api = chrome;", "a.js": 'import { api } from "./b.js"; api.management.getAll();'},
        "api.management.getAll",
    ),
    "require of an ES module": (
        {"b.js": "export default chrome;", "a.js": 'require("./b").default.management.getAll();'},
        'require("./b").default.management.getAll',
    ),
    "TypeScript's own import and export": (
        {
            "b.ts": "export = chrome;",
            "a.js": 'import { x } from "./x"; x();',
            "x.ts": 'import b = require("./b"); export function x() { b.management.getAll(); }',
        },
        "b.management.getAll",
    ),
    "a function of an ES module that gives the API": (
        {
            "b.js": "export function get() { return chrome; }",
            "a.js": 'import { get } from "./b.js"; get().management.getAll();',
        },
        "get().management.getAll",
    ),
}


@pytest.mark.parametrize(("files", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_through_commonjs_exports_is_reported(files: dict[str, str], place: str) -> None:
    assert reported({**files, "manifest.json": MANIFEST}, EXCEPT_IMPORTS) == [("unsupported-api", place)]


SILENT = {
    "one thing or another": {
        "b.js": "if (x) module.exports = chrome; else module.exports = fake;",
        "a.js": 'require("./b").management.getAll();',
    },
    "another property": {
        "b.js": "exports.api = chrome; exports.other = make();",
        "a.js": 'require("./b").other.management.getAll();',
    },
    "a local require": {
        "b.js": "module.exports = chrome;",
        "a.js": 'function f(require) { require("./b").management.getAll(); }',
    },
    "a local module": {
        "b.js": "(function (module) { module.exports = chrome; })({});",
        "a.js": 'require("./b").management.getAll();',
    },
    "modules that require each other": {
        "b.js": 'module.exports = require("./a");',
        "a.js": 'module.exports = require("./b"); require("./b").management.getAll();',
    },
}


@pytest.mark.parametrize("files", SILENT.values(), ids=SILENT.keys())
def test_uncertain_commonjs_export_is_not_reported(files: dict[str, str]) -> None:
    assert reported({**files, "manifest.json": MANIFEST}, EXCEPT_IMPORTS) == []
