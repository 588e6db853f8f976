"""Bundles with a given number of modules, in the shapes of several bundlers, each with a use of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from extlint_fuzz.bundle_shapes import BROWSERIFY, ESBUILD, PARCEL, WEBPACK_4, WEBPACK_5, fill


def esbuild(modules: int) -> str:
    """Returns CommonJS modules in functions. Each requires the first, which exports the API."""
    first = "var get0 = lazy((exports, module) => { module.exports = chrome });\n"
    rest = (
        f"var get{i} = lazy((exports, module) => {{ var api = get0();"
        f" exports.f{i} = () => api.tabs.nope(); }});\n"
        f"var x{i} = esm(get{i}()); x{i}.f{i}();\n"
        for i in range(1, modules)
    )
    return fill(ESBUILD, BODY=first + "".join(rest))


def webpack_4(modules: int) -> str:
    """Returns modules in an array."""
    first = "function(m, e, r) { r.d(e, 'a', function() { return api }); const api = chrome; }"
    rest = (
        f"function(m, e, r) {{ var x = r(0), y = r({i // 2}); e.f = function() {{ x.a.tabs.nope() }} }}"
        for i in range(1, modules)
    )
    return fill(WEBPACK_4, ENTRY=0, MODULES=f"[{_joined(first, rest)}]")


def webpack_5(modules: int) -> str:
    """Returns modules in an object."""
    first = "0(m, e, r) { r.d(e, { a: () => api }); const api = chrome; }"
    rest = (
        f"{i}(m, e, r) {{ r.d(e, {{ f: () => f }}); var x = r(0), y = r({i // 2});"
        f" function f() {{ x.a.tabs.nope() }} }}"
        for i in range(1, modules)
    )
    return fill(WEBPACK_5, BODY="load(0);", MODULES=_joined(first, rest))


def browserify(modules: int) -> str:
    """Returns modules by number, each with a map from names to numbers."""
    first = "0: [function(require, module) { module.exports = chrome }, {}]"
    rest = (
        f'{i}: [function(require, module, exports) {{ exports.f = () => require("./a").tabs.nope() }},'
        f' {{ "./a": 0, "./b": {i // 2} }}]'
        for i in range(1, modules)
    )
    return fill(BROWSERIFY, ENTRY=0, MODULES=_joined(first, rest))


def parcel(modules: int) -> str:
    """Returns modules that are registered one by one."""
    first = 'register("m0", function(module, exports) { module.exports = chrome });\n'
    rest = (
        f'register("m{i}", function(module, exports) {{ define(exports, "f", () => f);'
        f' var api = load("m0"); function f() {{ api.tabs.nope() }} }});\n'
        for i in range(1, modules)
    )
    return fill(PARCEL, BODY=first + "".join(rest))


def _joined(first: str, rest: Iterable[str]) -> str:
    return ",\n".join((first, *rest))


BUNDLES: dict[str, Callable[[int], str]] = {
    "modules of esbuild": esbuild,
    "modules of webpack 4": webpack_4,
    "modules of webpack 5": webpack_5,
    "modules of browserify": browserify,
    "modules of parcel": parcel,
}
