"""Scripts in the shape of each bundler's output, around generated modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from extlint_fuzz.case import Case
from extlint_fuzz.generators.extensions import one_script
from extlint_fuzz.generators.statements import Statements

WEBPACK_4 = """
(function(modules) {
  var cache = {};
  function load(id) {
    if (cache[id]) return cache[id].exports;
    var module = cache[id] = { i: id, l: false, exports: {} };
    modules[id].call(module.exports, module, module.exports, load);
    module.l = true;
    return module.exports;
  }
  load.d = function(exports, name, getter) {
    if (!load.o(exports, name)) Object.defineProperty(exports, name, { enumerable: true, get: getter });
  };
  load.n = function(module) {
    var getter = module && module.__esModule
      ? function() { return module.default }
      : function() { return module };
    load.d(getter, "a", getter);
    return getter;
  };
  return load(load.s = ENTRY);
})([MODULES]);
"""
WEBPACK_5 = """
(() => {
  var all = ({ MODULES });
  var cache = {};
  function load(id) {
    var known = cache[id];
    if (known !== undefined) return known.exports;
    var module = cache[id] = { exports: {} };
    all[id](module, module.exports, load);
    return module.exports;
  }
  load.d = (exports, all) => {
    for (var key in all) Object.defineProperty(exports, key, { enumerable: true, get: all[key] });
  };
  var entry = load(ENTRY);
  entry.api.tabs.query({ actve: 1 });
})();
"""
WEBPACK_CHUNK = '(self["webpackChunk"] = self["webpackChunk"] || []).push([[ENTRY], { MODULES }]);\n'
BROWSERIFY = """
(function run(table, cache, entries) {
  function load(id, jumped) {
    if (!cache[id]) {
      var module = cache[id] = { exports: {} };
      table[id][0].call(module.exports, function(name) {
        var key = table[id][1][name]; return load(key ? key : name)
      }, module, module.exports, run, table, cache, entries);
    }
    return cache[id].exports;
  }
  for (var i = 0; i < entries.length; i++) load(entries[i]);
})({ MODULES }, {}, [ENTRY]);
"""
ESBUILD = """
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
};
var __toESM = (mod) => mod;
MODULES
var entry = __toESM(require_ENTRY());
entry.api.tabs.query({ actve: 1 });
"""
PARCEL = """
parcelRequire = (function (modules, cache, entry) {
  function load(name) {
    var module = cache[name] = { exports: {} };
    modules[name][0].call(module.exports, load, module, module.exports);
    return module.exports;
  }
  return load(entry[0]);
})({ MODULES }, {}, ["ENTRY"], null);
"""
UMD = """
(function (global, factory) {
  typeof exports === "object" && typeof module !== "undefined" ? factory(exports)
    : typeof define === "function" && define.amd ? define(["exports"], factory)
    : factory(global.Lib = {});
})(this, function (exports) {
  MODULES
});
Lib.api.tabs.query(1);
"""
SHAPES: tuple[tuple[str, str, str], ...] = (
    (WEBPACK_4, "function(module, exports, require) {\nBODY\n}", ",\n"),
    (WEBPACK_5, "NUMBER: ((module, exports, require) => {\nBODY\n})", ",\n"),
    (WEBPACK_CHUNK, "NUMBER: (e, t, require) => {\nBODY\n}", ",\n"),
    (BROWSERIFY, "NUMBER: [function(require, module, exports) {\nBODY\n}, { 0: OTHER, 1: 0 }]", ",\n"),
    (
        ESBUILD,
        'var require_NUMBER = __commonJS({ "src/NUMBER.js"(exports, module) {\nBODY\n} });',
        "\n",
    ),
    (PARCEL, "NUMBER: [function(require, module, exports) {\nBODY\n}, {}]", ",\n"),
    (UMD, "BODY", "\n"),
    ("(function () { 'use strict';\nMODULES\n})();\n", "(function (exports) {\nBODY\n})({});", "\n"),
)
"""What is around the modules, what is around each module, and what is between them."""

EXPORTED = ("browser", "chrome", "{ api: browser }", "browser.tabs", "() => chrome", "require", "1")


def bundle(chance: Random) -> Case:
    """A bundle of some modules, which may be cut off or have a part twice."""
    modules = [_module(chance) for _ in range(chance.choice((1, 2, 3, 8)))]
    shape, around, between = chance.choice(SHAPES)
    parts = [_put(around, BODY=each, NUMBER=i, OTHER=chance.randrange(9)) for i, each in enumerate(modules)]
    text = _put(shape, MODULES=between.join(parts), ENTRY=chance.randrange(len(modules)))
    if shape is ESBUILD:
        text = text.replace("require(", "require_").replace(");//", "();//")
    change = chance.choice((*CHANGES, None, None, None, None))
    if change is not None:
        text = change(chance, text)
    return one_script(chance, text.encode(), generator="bundle", well_formed=change is None)


def _put(template: str, **parts: object) -> str:
    """A template with each word in capitals exchanged for what it stands for."""
    for word, part in parts.items():
        template = template.replace(word, str(part))
    return template


def _module(chance: Random) -> str:
    """The body of a CommonJS module that may require others by number."""
    lines = [f"var dep = require({chance.randint(0, 3)});//"]
    lines += ["dep.management.getAll();", "dep.api.tabs.query({ actve: 1 });"]
    kept = [line for line in lines if chance.random() < 0.7]
    body = Statements(chance).script(chance.choice((0, 1, 3)))
    given = chance.choice(("module.exports = VALUE;", "exports.api = VALUE;", "exports.default = VALUE;", ""))
    return "\n".join([*kept, body, _put(given, VALUE=chance.choice(EXPORTED))])


def _cut(chance: Random, text: str) -> str:
    return text[: chance.randrange(len(text))]


def _doubled(chance: Random, text: str) -> str:
    start, end = sorted(chance.randrange(len(text)) for _ in range(2))
    return text[:end] + text[start:]


def _in_one_line(chance: Random, text: str) -> str:  # noqa: ARG001
    return " ".join(text.replace("//", "").split("\n"))


CHANGES: Sequence[Callable[[Random, str], str]] = (_cut, _doubled, _in_one_line)
