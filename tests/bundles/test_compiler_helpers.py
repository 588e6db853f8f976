"""The code that TypeScript and Babel wrap around imports from CommonJS modules."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST
from harness import EXCEPT_IMPORTS, reported

MARKED = 'Object.defineProperty(exports, "__esModule", { value: true });'
DEFAULT_HELPER = (
    "var __importDefault = (this && this.__importDefault) || function (mod) {"
    " return (mod && mod.__esModule) ? mod : { 'default': mod }; };"
)
STAR_HELPER = (
    "function wildcard(e) { if (e && e.__esModule) return e; var to = {};"
    " for (var key in e) if (key !== 'default') to[key] = e[key]; to.default = e; return to; }"
)
FOUND = {
    "a wrapper of the polyfill, compiled": (
        {
            "b.js": f"{DEFAULT_HELPER} {MARKED}"
            'const p = __importDefault(require("webextension-polyfill")); exports.default = p.default;',
            "a.js": f'{DEFAULT_HELPER} const b = __importDefault(require("./b"));'
            "b.default.management.getAll();",
        },
        "b.default.management.getAll",
    ),
    "a namespace by a helper": (
        {
            "b.js": "exports.api = chrome;",
            "a.js": f'{STAR_HELPER} const b = wildcard(require("./b")); b.api.management.getAll();',
        },
        "b.api.management.getAll",
    ),
}


@pytest.mark.parametrize(("files", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_through_import_helpers_is_reported(files: dict[str, str], place: str) -> None:
    assert reported({**files, "manifest.json": MANIFEST}, EXCEPT_IMPORTS) == [("unsupported-api", place)]
