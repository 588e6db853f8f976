"""The API as an argument, including calls of functions in other scripts, and in object fields."""

from __future__ import annotations

import pytest
from harness import manifest, reported

_MANIFEST = manifest(permissions=["storage", "tabs"], background={"service_worker": "b.js", "type": "module"})
_QUERY = "tabs.query({ activ: true })"


def found(scripts: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the findings about arguments and names in Chrome, with the source text of each."""
    files = {"manifest.json": _MANIFEST, **scripts}
    return reported(files, ("invalid-argument", "unknown-api"), "chrome")


FOLLOWED = {
    "a constructor": "class A { constructor(c) { c.QUERY } } new A(chrome)",
    "a field that it sets": "class A { constructor(c) { this.c = c } f() { this.c.QUERY } } new A(chrome)",
    "a private field": "class A { #c; constructor(c) { this.#c = c } f() { this.#c.QUERY } } new A(chrome)",
    "options": "class A { constructor({ a }) { this.a = a } f() { this.a.QUERY } } new A({ a: chrome })",
    "a class in a variable": "const A = class { constructor(c) { c.QUERY } }; new A(chrome)",
    "a function that makes": "function A(c) { c.QUERY } new A(chrome)",
    "made twice": "class A { constructor(c) { c.QUERY } } new A(chrome); new A(chrome)",
    "a part": "class A { constructor(t) { t.query({ activ: true }) } } new A(chrome.tabs)",
    "a field of an object": "app.api = chrome; app.api.QUERY",
    "a field of a field": "app.of.api = chrome; function f() { app.of.api.QUERY }",
    "a field of a parameter": "function f(o) { o.api = chrome; o.api.QUERY }",
    "a name that esbuild keeps": (
        "var d = Object.defineProperty; var n = (t, v) => d(t, 'name', { value: v, configurable: true });"
        " var f = n((api) => { api.QUERY }, 'f'); f(chrome)"
    ),
    "a minified name that esbuild keeps": (
        "var d=Object.defineProperty;var n=(t,v)=>d(t,`name`,{value:v,configurable:!0});"
        "var f=n(function(){return chrome},`f`);f().QUERY"
    ),
}


@pytest.mark.parametrize("source", FOLLOWED.values(), ids=FOLLOWED.keys())
def test_passed_api_is_followed(source: str) -> None:
    assert found({"b.js": source.replace("QUERY", _QUERY)}) == [("invalid-argument", "activ")]


IMPORTED = {
    "a function": ("import { f } from './m.js'; f(chrome)", "export function f(api) { api.QUERY }"),
    "a default": ("import f from './m.js'; f(chrome)", "export default function (api) { api.QUERY }"),
    "an arrow function": ("import { f } from './m.js'; f(chrome)", "export const f = (api) => api.QUERY"),
    "by another name": (
        "import { f as g } from './m.js'; g(chrome)",
        "const h = (a) => a.QUERY; export { h as f }",
    ),
    "of a namespace": ("import * as m from './m.js'; m.f(chrome)", "export function f(api) { api.QUERY }"),
    "the second argument": (
        "import { f } from './m.js'; f(1, chrome)",
        "export const f = (n, api) => api.QUERY",
    ),
    "in options": (
        "import { f } from './m.js'; f({ api: chrome })",
        "export const f = ({ api }) => api.QUERY",
    ),
    "a class": (
        "import { A } from './m.js'; new A(chrome)",
        "export class A { constructor(api) { this.api = api } f() { this.api.QUERY } }",
    ),
    "a part": (
        "import { f } from './m.js'; f(chrome.tabs)",
        "export const f = (t) => t.query({ activ: true })",
    ),
    "on to a third": (
        "import { f } from './m.js'; f(chrome)",
        "import { g } from './n.js'; export const f = (api) => g(api)",
    ),
}


@pytest.mark.parametrize(("source", "module"), IMPORTED.values(), ids=IMPORTED.keys())
def test_passed_api_is_followed_into_modules(source: str, module: str) -> None:
    scripts = {"b.js": source, "m.js": module, "n.js": "export const g = (api) => api.QUERY"}
    scripts = {path: text.replace("QUERY", _QUERY) for path, text in scripts.items()}
    assert found(scripts) == [("invalid-argument", "activ")]


NOT_FOLLOWED = {
    "something else too": "class A { constructor(c) { c.QUERY } } new A(chrome); new A(mock)",
    "another argument": "class A { constructor(c, d) { d.QUERY } } new A(chrome, mock)",
    "another field": "class A { constructor(c) { this.c = c } f() { this.d.QUERY } } new A(chrome)",
    "an object of the same field": "app.api = chrome; other.api.QUERY",
    "another variable of the name": (
        "function f(app) { app.api = chrome } function g(app) { app.api.QUERY } g(mock)"
    ),
    "a field that is something else too": "app.api = chrome; app.api = mock; app.api.QUERY",
    "a function that does more than keep a name": (
        "var d = Object.defineProperty; var n = (t, v) => { d(t, 'name', { value: v }); return wrap(t) };"
        " var f = n((api) => { api.QUERY }, 'f'); f(chrome).QUERY"
    ),
}


@pytest.mark.parametrize("source", NOT_FOLLOWED.values(), ids=NOT_FOLLOWED.keys())
def test_uncertain_value_is_not_followed(source: str) -> None:
    assert found({"b.js": source.replace("QUERY", _QUERY)}) == []


IMPORTED_NOT_FOLLOWED = {
    "another function": ("import { f } from './m.js'; f(chrome)", "export function g(api) { api.QUERY }"),
    "another argument": ("import { f } from './m.js'; f(chrome)", "export function f(a, api) { api.QUERY }"),
    "another module": ("import { f } from './n.js'; f(chrome)", "export function f(api) { api.QUERY }"),
    "something else too": (
        "import { f } from './m.js'; f(chrome)",
        "export function f(api) { api.QUERY } f(mock)",
    ),
    "not its own name": (
        "import { f } from './m.js'; f(chrome)",
        "function f(api) { api.QUERY } export { g as f }",
    ),
}


@pytest.mark.parametrize(
    ("source", "module"), IMPORTED_NOT_FOLLOWED.values(), ids=IMPORTED_NOT_FOLLOWED.keys()
)
def test_uncertain_value_is_not_followed_into_modules(source: str, module: str) -> None:
    assert found({"b.js": source, "m.js": module.replace("QUERY", _QUERY), "n.js": "export {}"}) == []
