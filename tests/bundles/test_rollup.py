"""Rollup: modules merged into one, and the namespaces of Rolldown."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST, POLYFILL
from harness import reported

ROLLDOWN = """
var property = Object.defineProperty;
var make = (all) => {
  let to = {};
  for (var name in all) property(to, name, { get: all[name], enumerable: true });
  return to;
};
%s
"""
FOUND = {
    "Rolldown: a namespace": (
        ROLLDOWN % "var ns = make({ api: () => api }); const api = chrome; ns.api.management.getAll();",
        "ns.api.management.getAll",
    ),
    "a module that runs once": (
        """var done, api = {};
        function load() { if (done) return api; done = 1; api.root = chrome; return api; }
        var root = load().root; root.management.getAll();""",
        "root.management.getAll",
    ),
    "a module with its own object": (
        """var made = { exports: {} };
        (function(module) { module.exports = chrome })(made);
        var api = made.exports; api.management.getAll();""",
        "api.management.getAll",
    ),
    "a bundled polyfill": (
        "var made = { exports: {} }; (function(module, exports) {" + POLYFILL + "})(made, made.exports);"
        "function getDefault(x) { return x && x.__esModule && has.call(x, 'default') ? x['default'] : x }"
        "const api = getDefault(made.exports); api.management.getAll();",
        "api.management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_in_rollup_bundle_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "another name in a namespace": ROLLDOWN
    % "var ns = make({ api: () => api }); const api = chrome; ns.other.management.getAll();",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_other_use_in_rollup_bundle_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == []
