"""Bundles of so many modules, in the shapes of several bundlers, with a use of the API in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_ESBUILD = """
var property = Object.defineProperty;
var lazy = (run, module) => () => (module || run((module = { exports: {} }).exports, module), module.exports);
var getters = (to, all) => { for (var name in all) property(to, name, { get: all[name], enumerable: true }) };
var copy = (to, from) => {
  for (let key of Object.getOwnPropertyNames(from)) property(to, key, { get: () => from[key] });
  return to;
};
var esm = (mod, node, to) => (to = mod != null ? {} : {}, copy(
  node || !mod || !mod.__esModule ? property(to, "default", { value: mod, enumerable: true }) : to, mod));
"""
_WEBPACK_4 = """
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
  return load(load.s = 0);
})([%s]);
"""
_WEBPACK_5 = """
(() => {
  var all = ({ %s });
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
  load(0);
})();
"""
_BROWSERIFY = """
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
})({ %s }, {}, [0]);
"""
_PARCEL = """
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
"""


def esbuild(modules: int) -> str:
    """CommonJS modules in functions; each requires the first, which exports the API."""
    first = "var get0 = lazy((exports, module) => { module.exports = chrome });\n"
    rest = (
        f"var get{i} = lazy((exports, module) => {{ var api = get0();"
        f" exports.f{i} = () => api.tabs.nope(); }});\n"
        f"var x{i} = esm(get{i}()); x{i}.f{i}();\n"
        for i in range(1, modules)
    )
    return _ESBUILD + first + "".join(rest)


def webpack_4(modules: int) -> str:
    """Modules in an array."""
    first = "function(m, e, r) { r.d(e, 'a', function() { return api }); const api = chrome; }"
    rest = (
        f"function(m, e, r) {{ var x = r(0), y = r({i // 2}); e.f = function() {{ x.a.tabs.nope() }} }}"
        for i in range(1, modules)
    )
    return _WEBPACK_4 % ",\n".join((first, *rest))


def webpack_5(modules: int) -> str:
    """Modules in an object."""
    first = "0(m, e, r) { r.d(e, { a: () => api }); const api = chrome; }"
    rest = (
        f"{i}(m, e, r) {{ r.d(e, {{ f: () => f }}); var x = r(0), y = r({i // 2});"
        f" function f() {{ x.a.tabs.nope() }} }}"
        for i in range(1, modules)
    )
    return _WEBPACK_5 % ",\n".join((first, *rest))


def browserify(modules: int) -> str:
    """Modules by number, each with a map from names to numbers."""
    first = "0: [function(require, module) { module.exports = chrome }, {}]"
    rest = (
        f'{i}: [function(require, module, exports) {{ exports.f = () => require("./a").tabs.nope() }},'
        f' {{ "./a": 0, "./b": {i // 2} }}]'
        for i in range(1, modules)
    )
    return _BROWSERIFY % ",\n".join((first, *rest))


def parcel(modules: int) -> str:
    """Modules that are registered one by one."""
    first = 'register("m0", function(module, exports) { module.exports = chrome });\n'
    rest = (
        f'register("m{i}", function(module, exports) {{ define(exports, "f", () => f);'
        f' var api = load("m0"); function f() {{ api.tabs.nope() }} }});\n'
        for i in range(1, modules)
    )
    return _PARCEL + first + "".join(rest)


BUNDLES: Mapping[str, Callable[[int], str]] = {
    "modules of esbuild": esbuild,
    "modules of webpack 4": webpack_4,
    "modules of webpack 5": webpack_5,
    "modules of browserify": browserify,
    "modules of parcel": parcel,
}
