"""Parcel: modules that are registered one by one."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST
from harness import reported

from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

PARCEL = fill(bundle_shapes.PARCEL, BODY="%s")

FOUND = {
    "registered modules": (
        PARCEL
        % """register("aB1", function(module, exports) {
               define(module.exports, "api", () => api); const api = chrome;
             });
             var $aB1 = load("aB1"); (0, $aB1.api).management.getAll();""",
        "(0, $aB1.api).management.getAll",
    ),
    "a module registered without a name for that": (
        PARCEL
        % """(0, load.register)("aB1", function(module, exports) { module.exports = chrome });
             load("aB1").management.getAll();""",
        'load("aB1").management.getAll',
    ),
    "the default of a module, awaited": (
        PARCEL
        % """function getDefault(x) { return x && x.__esModule ? x.default : x }
             register("aB1", function(module, exports) { module.exports = chrome });
             var $aB1 = load("aB1");
             async function run() { await (getDefault($aB1)).management.getAll(); }""",
        "(getDefault($aB1)).management.getAll",
    ),
    "export with an uncalled setter": (
        PARCEL
        % """register("aB1", function(module, exports) {
               define(module.exports, "api", () => api, (given) => given.management.getAll());
               let api = chrome;
             });
             var $aB1 = load("aB1"); (0, $aB1.api).management.getAll();""",
        "(0, $aB1.api).management.getAll",
    ),
    "a whole export": (
        PARCEL
        % """register("aB1", function(module, exports) { module.exports = chrome });
             load("aB1").management.getAll();""",
        'load("aB1").management.getAll',
    ),
    "exports of a module that is not wrapped": (
        PARCEL % 'var $x = {}; define($x, "api", () => api); const api = chrome; $x.api.management.getAll();',
        "$x.api.management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_in_parcel_bundle_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "another key": PARCEL
    % """register("aB1", function(module, exports) { module.exports = chrome });
         load("aB2").management.getAll();""",
    "a function that registers elsewhere": PARCEL
    % """other.register("aB1", function(module, exports) { module.exports = chrome });
         load("aB1").management.getAll();""",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_other_use_in_parcel_bundle_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == []
