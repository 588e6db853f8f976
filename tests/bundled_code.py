"""The helpers of the bundle tests: a manifest, and the polyfill as bundlers put it into a module."""

from __future__ import annotations

from harness import manifest

MANIFEST = manifest(background={"service_worker": "a.js"}, optional_permissions=["management"])
MODULE_MANIFEST = manifest(
    background={"service_worker": "a.js", "type": "module"}, optional_permissions=["management"]
)

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
