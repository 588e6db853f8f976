"""The API in the output of bundlers, whose modules are functions in tables, calls and getters."""

from __future__ import annotations

import pytest
from harness import lint, manifest, told, under

MANIFEST = manifest(background={"service_worker": "a.js"}, optional_permissions=["management"])

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
  return load(load.s = 0);
})(%s);
"""
WEBPACK_5 = """
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
  load.r = (exports) => { Object.defineProperty(exports, "__esModule", { value: true }) };
  load.n = (module) => {
    var get = module && module.__esModule ? () => module.default : () => module;
    return get;
  };
  %s
})();
"""
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
})({ %s }, {}, [1]);
"""
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
%s
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
%s
"""
POLYFILL = """
(function(global, factory) {
  if (typeof define === "function" && define.amd) define("polyfill", ["module"], factory);
  else if (typeof exports !== "undefined") factory(module);
  else { var made = { exports: {} }; factory(made); global.browser = made.exports; }
})(typeof globalThis !== "undefined" ? globalThis : this, function(module) {
  if (globalThis.browser && globalThis.browser.runtime) module.exports = globalThis.browser;
  else {
    const wrap = (apis) => {
      const table = { tabs: { get: { minArgs: 1, maxArgs: 1 }, query: { minArgs: 1, maxArgs: 1 } } };
      const around = (to, counts) => new Proxy(to, { get: (of, name) => counts[name] ? of[name] : 1 });
      return around(apis, table);
    };
    module.exports = wrap(chrome);
  }
});
"""

PROMISING = """
function Promising(target) {
  return new Proxy(target, {
    get(target, key) {
      if (!target[key]) return;
      if (typeof target[key] !== "function") return %s;
      return (...all) => new Promise((resolve, reject) => {
        target[key](...all, (given) => chrome.runtime.lastError ? reject() : resolve(given));
      });
    },
  });
}
"""
NESTED = PROMISING % "new Promising(target[key])"

FOUND = {
    "a proxy with promises": (
        NESTED + "const api = new Promising(chrome); api.management.getAll();",
        "api.management.getAll",
    ),
    "a proxy with promises, if there is an API": (
        NESTED + "const api = globalThis.chrome && new Promising(chrome); api.management?.getAll();",
        "api.management?.getAll",
    ),
    "a proxy with promises, minified": (
        """function P(e){return new Proxy(e,{get(e,t){if(e[t])return"function"!=typeof e[t]?new P(e[t]):
        (...r)=>new Promise((n,o)=>{e[t](...r,r=>{chrome.runtime.lastError?o():n(r)})})}})}
        const api = new P(chrome); api.management.getAll();""",
        "api.management.getAll",
    ),
    "webpack 4: a whole export": (
        WEBPACK_4 % "[function(m, e, r) { r(1).management.getAll() }, function(m, e) { m.exports = chrome }]",
        "r(1).management.getAll",
    ),
    "webpack 4: a getter": (
        WEBPACK_4
        % """[function(m, e, r) { var x = r(1); x.a.management.getAll() },
            function(m, e, r) { r.d(e, "a", function() { return api }); const api = chrome; }]""",
        "x.a.management.getAll",
    ),
    "webpack 4: holes in the list of modules": (
        WEBPACK_4
        % "[function(m, e, r) { r(2).management.getAll() },, function(m, e) { m.exports = chrome }]",
        "r(2).management.getAll",
    ),
    "webpack 5: modules by path, with comments": (
        WEBPACK_5
        % (
            '"./api.js": ((module, exports) => { exports.api = chrome; })',
            'const { api } = load(/*! ./api */ "./api.js"); api.management.getAll();',
        ),
        "api.management.getAll",
    ),
    "webpack 5: getters in an object": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.r(e); r.d(e, { Z: () => a, x: () => b }); const a = chrome, b = a.management }",
            "var api = load(7); (0, api.x).getAll();",
        ),
        "(0, api.x).getAll",
    ),
    "webpack 5: getters and values in a list": (
        WEBPACK_5
        % (
            '7(m, e, r) { const api = chrome; r.d(e, ["Z", 0, api, "get", () => get]); function get() {} }',
            "var seven = load(7); seven.Z.management.getAll();",
        ),
        "seven.Z.management.getAll",
    ),
    "webpack 5: the default of a CommonJS module": (
        WEBPACK_5
        % ("7(m) { m.exports = chrome }", "var x = load(7), y = load.n(x); y().management.getAll();"),
        "y().management.getAll",
    ),
    "webpack 5: the default of an ES module": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.r(e), r.d(e, { default: () => chrome }) }",
            "var x = load(7), y = load.n(x); y().management.getAll();",
        ),
        "y().management.getAll",
    ),
    "webpack 5: a module passes another on": (
        WEBPACK_5
        % (
            "7(m) { m.exports = chrome }, 8(m, e, r) { m.exports = r(7) }",
            "load(8).management.getAll();",
        ),
        "load(8).management.getAll",
    ),
    "webpack 5: a namespace in a concatenated module": (
        WEBPACK_5
        % (
            "7() {}",
            "var ns = {}; load.d(ns, { api: () => api }); const api = chrome; ns.api.management.getAll();",
        ),
        "ns.api.management.getAll",
    ),
    "webpack 5: a function of another module is given the API": (
        WEBPACK_5
        % (
            "7(m, e, r) { r.d(e, { run: () => run }); function run(api) { api.management.getAll() } }",
            "var seven = load(7); (0, seven.run)(chrome);",
        ),
        "api.management.getAll",
    ),
    "webpack 5: a bundled polyfill": (
        WEBPACK_5
        % (
            "7: function(module, exports) {" + POLYFILL + "}",
            "var x = load(7), y = load.n(x); y().management.getAll();",
        ),
        "y().management.getAll",
    ),
    "browserify": (
        BROWSERIFY
        % """1: [function(require, module, exports) { require("./api").management.getAll() }, { "./api": 2 }],
             2: [function(require, module, exports) { module.exports = chrome }, {}]""",
        'require("./api").management.getAll',
    ),
    "browserify: a bundled polyfill": (
        BROWSERIFY
        % f"""1: [function(require) {{ var b = require("p"); b.management.getAll() }}, {{ p: 2 }}],
             2: [function(require, module, exports) {{ {POLYFILL} }}, {{}}]""",
        "b.management.getAll",
    ),
    "parcel: registered modules": (
        PARCEL
        % """register("aB1", function(module, exports) {
               define(module.exports, "api", () => api); const api = chrome;
             });
             var $aB1 = load("aB1"); (0, $aB1.api).management.getAll();""",
        "(0, $aB1.api).management.getAll",
    ),
    "parcel: a module registered without a name for that": (
        PARCEL
        % """(0, load.register)("aB1", function(module, exports) { module.exports = chrome });
             load("aB1").management.getAll();""",
        'load("aB1").management.getAll',
    ),
    "parcel: the default of a module, awaited": (
        PARCEL
        % """function getDefault(x) { return x && x.__esModule ? x.default : x }
             register("aB1", function(module, exports) { module.exports = chrome });
             var $aB1 = load("aB1");
             async function run() { await (getDefault($aB1)).management.getAll(); }""",
        "(getDefault($aB1)).management.getAll",
    ),
    "parcel: a whole export": (
        PARCEL
        % """register("aB1", function(module, exports) { module.exports = chrome });
             load("aB1").management.getAll();""",
        'load("aB1").management.getAll',
    ),
    "parcel: exports of a module that is not wrapped": (
        PARCEL % 'var $x = {}; define($x, "api", () => api); const api = chrome; $x.api.management.getAll();',
        "$x.api.management.getAll",
    ),
    "esbuild: a CommonJS module": (
        ESBUILD
        % "var api = lazy((exports, module) => { module.exports = chrome }); api().management.getAll();",
        "api().management.getAll",
    ),
    "esbuild: the default of a CommonJS module": (
        ESBUILD
        % "var g = lazy((e, m) => { m.exports = chrome }), x = esm(g()); x.default.management.getAll();",
        "x.default.management.getAll",
    ),
    "esbuild: members of the polyfill as a namespace": (
        ESBUILD % "var get = lazy((e, m) => { m.exports = chrome }), x = esm(get()); x.management.getAll();",
        "x.management.getAll",
    ),
    "esbuild: a namespace": (
        ESBUILD
        % "var ns = {}; getters(ns, { api: () => api }); var api = chrome; ns.api.management.getAll();",
        "ns.api.management.getAll",
    ),
    "esbuild: a bundled polyfill": (
        ESBUILD % ("var get = lazy((exports, module) => {" + POLYFILL + "}); get().management.getAll();"),
        "get().management.getAll",
    ),
    "rollup: a module that runs once": (
        """var done, api = {};
        function load() { if (done) return api; done = 1; api.root = chrome; return api; }
        var root = load().root; root.management.getAll();""",
        "root.management.getAll",
    ),
    "rollup: a module with its own object": (
        """var made = { exports: {} };
        (function(module) { module.exports = chrome })(made);
        var api = made.exports; api.management.getAll();""",
        "api.management.getAll",
    ),
    "rollup: a bundled polyfill": (
        "var made = { exports: {} }; (function(module, exports) {" + POLYFILL + "})(made, made.exports);"
        "function getDefault(x) { return x && x.__esModule && has.call(x, 'default') ? x['default'] : x }"
        "const api = getDefault(made.exports); api.management.getAll();",
        "api.management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_found(text: str, place: str) -> None:
    files = {"manifest.json": MANIFEST, "a.js": text}
    assert [(each.rule, under(files, each)) for each in lint(files)] == [("unsupported-api", place)]


MODULES = manifest(
    background={"service_worker": "a.js", "type": "module"}, optional_permissions=["management"]
)
CHUNK = """
var property = Object.defineProperty;
var lazy = (run, module) => () => (module || run((module = { exports: {} }).exports, module), module.exports);
var getters = (to, all) => { for (var name in all) property(to, name, { get: all[name], enumerable: true }) };
export { lazy as a, getters as b };
"""

FOUND_APART = {
    "esbuild: a namespace in a chunk": (
        'import { b as getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api = chrome; export { ns as a };",
        'import { a as n } from "./c.js"; n.api.management.getAll();',
        "n.api.management.getAll",
    ),
    "esbuild: a namespace whose module runs later": (
        'import { b as getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api, run = () => { api = chrome }; export { ns as a, run as b };",
        'import { a as n, b as run } from "./c.js"; run(); n.api.management.getAll();',
        "n.api.management.getAll",
    ),
    "esbuild: a CommonJS module in a chunk": (
        'import { a as lazy } from "./b.js";'
        "var get = lazy((exports, module) => { module.exports = chrome }); export { get as a };",
        'import { a as get } from "./c.js"; get().management.getAll();',
        "get().management.getAll",
    ),
}


@pytest.mark.parametrize(("chunk", "text", "place"), FOUND_APART.values(), ids=FOUND_APART.keys())
def test_found_in_chunks_that_are_modules(chunk: str, text: str, place: str) -> None:
    files = {"manifest.json": MODULES, "a.js": text, "b.js": CHUNK, "c.js": chunk}
    assert [(each.rule, under(files, each)) for each in lint(files)] == [("unsupported-api", place)]


CHUNKS = {
    "manifest.json": MANIFEST,
    "a.js": """(self.webpackChunkx = self.webpackChunkx || []).push([[1], {
        7(module, exports, load) { var x = load(8); x.api.management.getAll(); }
    }, (load) => { load.O(0, [2], () => load(7)) }]);""",
    "b.js": """(self.webpackChunkx = self.webpackChunkx || []).push([[2], {
        8: (module, exports, load) => { load.d(exports, { api: () => api }); const api = chrome; }
    }]);""",
}


def test_found_in_another_chunk() -> None:
    assert told(CHUNKS) == [("unsupported-api", "x.api.management.getAll")]


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
    "by chunks that need each other": {
        "b.js": CHUNKS["b.js"].replace("const api", "load(7); const api"),
    },
}


@pytest.mark.parametrize("files", IN_OTHER_CHUNKS.values(), ids=IN_OTHER_CHUNKS.keys())
def test_given_by_another_chunk(files: dict[str, str]) -> None:
    assert [rule for rule, text in told({**CHUNKS, **files}) if "management" in text] == ["unsupported-api"]


NOT_IN_OTHER_CHUNKS = {
    "another key": {"b.js": CHUNKS["b.js"].replace("8:", "9:")},
    "the chunks of another script": {"b.js": CHUNKS["b.js"].replace("webpackChunkx", "webpackChunky")},
    "the same key in two chunks": {"c.js": CHUNKS["b.js"]},
    "a chunk in another folder": {"b.js": "", "other/b.js": CHUNKS["b.js"]},
    "what is no chunk": {"b.js": CHUNKS["b.js"].replace(".push(", ".add(")},
}


@pytest.mark.parametrize("files", NOT_IN_OTHER_CHUNKS.values(), ids=NOT_IN_OTHER_CHUNKS.keys())
def test_not_given_by_another_chunk(files: dict[str, str]) -> None:
    assert told({**CHUNKS, **files}) == []


def test_a_helper_that_does_more_than_define_getters_is_none() -> None:
    helper = "(to, all) => { for (var name in all) define(to, name, { get: wrapped(all[name]) }) }"
    files = {
        "manifest.json": MODULES,
        "a.js": 'import { a as n } from "./c.js"; n.api.management.getAll();',
        "b.js": f"export const getters = {helper};",
        "c.js": 'import { getters } from "./b.js"; var ns = {}; getters(ns, { api: () => api });'
        "var api = chrome; export { ns as a };",
    }
    assert lint(files) == []


SILENT = {
    "a proxy that is not of members all the way": (
        PROMISING % "other(target[key])" + "new Promising(chrome).management.getAll();"
    ),
    "a proxy with a member of its own": (
        NESTED.replace("if (!", 'if (key === "management") return other; if (!')
        + "new Promising(chrome).management.getAll();"
    ),
    "a proxy of something else": NESTED + "new Promising(other).management.getAll();",
    "a module that exports one thing or another": WEBPACK_5
    % ("7(m) { if (x) m.exports = chrome; else m.exports = other(); }", "load(7).management.getAll();"),
    "a table whose entries are called by something else": """
        var table = { 7(m) { m.exports = chrome } };
        function load(id) { return table[id]({ exports: {} }) }
        load(7).management.getAll();""",
    "a key that is not known": WEBPACK_5 % ("7(m) { m.exports = chrome }", "load(key).management.getAll();"),
    "another module": WEBPACK_5
    % ("7(m) { m.exports = chrome }, 8(m) { m.exports = {} }", "load(8).management.getAll();"),
    "a function that gives a Proxy of something else": """
        const wrap = (x) => { const t = { minArgs: 1, maxArgs: 1 }; return new Proxy(x, t) };
        const api = wrap(other); api.management.getAll();""",
    "the default of a namespace that has another": ESBUILD
    % "var ns = {}; getters(ns, { default: () => other }); esm(ns).default.management.getAll();",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_silent(text: str) -> None:
    assert lint({"manifest.json": MANIFEST, "a.js": text}) == []
