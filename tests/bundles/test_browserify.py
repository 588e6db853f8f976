"""Browserify: modules in a table, each with a map from names to keys."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST, POLYFILL
from harness import reported

from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

BROWSERIFY = fill(bundle_shapes.BROWSERIFY, ENTRY=1, MODULES="%s")

RETURNED = """
(function () {
  function run(table, cache, entries) {
    function load(id, jumped) {
      if (!cache[id]) {
        var module = cache[id] = { exports: {} };
        table[id][0].call(module.exports, function (name) {
          var key = table[id][1][name]; return load(key || name)
        }, module, module.exports, run, table, cache, entries);
      }
      return cache[id].exports;
    }
    for (var i = 0; i < entries.length; i++) load(entries[i]);
    return load;
  }
  return run;
})()({ %s }, {}, [1]);
"""
FOUND = {
    "a function around gives the one that runs modules": (
        RETURNED
        % """1: [function (require) { require("./api").management.getAll() }, { "./api": 2 }],
             2: [function (require, module) { module.exports = chrome }, {}]""",
        'require("./api").management.getAll',
    ),
    "a bundled polyfill": (
        BROWSERIFY
        % f"""1: [function(require) {{ var b = require("p"); b.management.getAll() }}, {{ p: 2 }}],
             2: [function(require, module, exports) {{ {POLYFILL} }}, {{}}]""",
        "b.management.getAll",
    ),
    "a module requires another": (
        BROWSERIFY
        % """1: [function(require, module, exports) { require("./api").management.getAll() }, { "./api": 2 }],
             2: [function(require, module, exports) { module.exports = chrome }, {}]""",
        'require("./api").management.getAll',
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_in_browserify_bundle_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "a name that the map of another module has": BROWSERIFY
    % """1: [function(require, module, exports) { require("./api").management.getAll() }, {}],
         2: [function(require, module, exports) { module.exports = chrome }, { "./api": 2 }]""",
    "another module": BROWSERIFY
    % """1: [function(require, module, exports) { require("./x").management.getAll() }, { "./x": 3 }],
         2: [function(require, module, exports) { module.exports = chrome }, {}],
         3: [function(require, module, exports) { module.exports = {} }, {}]""",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_other_use_in_browserify_bundle_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == []
