"""The code that bundlers put around modules, with shortened names.

The words in capitals are placeholders: `MODULES` for the modules, in the form of the shape,
`ENTRY` for the key of the first one, and `BODY` for the code after them. `fill` replaces them.
"""

from __future__ import annotations

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
    var es = module && module.__esModule;
    var getter = es ? function() { return module.default } : function() { return module };
    load.d(getter, "a", getter);
    return getter;
  };
  return load(load.s = ENTRY);
})(MODULES);
"""
"""The modules are an array or an object of functions of `module`, `exports` and `load`, under any names."""

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
  load.r = (exports) => { Object.defineProperty(exports, "__esModule", { value: true }) };
  load.n = (module) => {
    var get = module && module.__esModule ? () => module.default : () => module;
    return get;
  };
  BODY
})();
"""
"""The modules are properties, by key."""

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
"""The modules are pairs, by key: a function of `require`, `module` and `exports`, and the keys by name."""

PARCEL = """
var modules = {}, inits = {}, load = globalThis["parcelRequire1"];
if (load == null) {
  load = function(id) {
    if (id in modules) return modules[id].exports;
    var init = inits[id];
    var module = { id: id, exports: {} };
    modules[id] = module;
    init.call(module.exports, module, module.exports);
    return module.exports;
  };
  load.register = function(id, init) { inits[id] = init };
  globalThis["parcelRequire1"] = load;
}
function define(to, name, get, set) {
  Object.defineProperty(to, name, { get: get, set: set, enumerable: true, configurable: true });
}
var register = load.register;
BODY
"""
"""The body calls `register` with each module's key and function."""

PARCEL_1 = """
parcelRequire = (function (modules, cache, entry) {
  function load(name) {
    var module = cache[name] = { exports: {} };
    modules[name][0].call(module.exports, load, module, module.exports);
    return module.exports;
  }
  return load(entry[0]);
})({ MODULES }, {}, ["ENTRY"], null);
"""

ESBUILD = """
var property = Object.defineProperty;
var lazy = (run, module) => () => (module || run((module = { exports: {} }).exports, module), module.exports);
var getters = (to, all) => { for (var name in all) property(to, name, { get: all[name], enumerable: true }) };
var copy = (to, from) => {
  for (let key of Object.getOwnPropertyNames(from)) property(to, key, { get: () => from[key] });
  return to;
};
var esm = (mod, node, to) => (to = mod != null ? {} : {}, copy(
  node || !mod || !mod.__esModule ? property(to, "default", { value: mod, enumerable: true }) : to, mod));
BODY
"""
"""The body calls `lazy` with the function of each module, which takes `exports` and `module`."""

ESBUILD_NAMED = """
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
};
var __toESM = (mod) => mod;
MODULES
BODY
"""
"""The modules call `__commonJS` with an object that has one function, under the name of its file."""

UMD = """
(function (global, factory) {
  typeof exports === "object" && typeof module !== "undefined" ? factory(exports)
    : typeof define === "function" && define.amd ? define(["exports"], factory)
    : factory(global.Lib = {});
})(this, function (exports) {
  MODULES
});
BODY
"""


def fill(shape: str, **parts: object) -> str:
    """Returns a shape with each placeholder replaced."""
    for word, part in parts.items():
        shape = shape.replace(word, str(part))
    return shape
