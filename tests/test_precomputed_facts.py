"""Facts precomputed for large scripts: rules report the same as for small ones without such facts."""

from __future__ import annotations

from typing import Any

import pytest
from harness import manifest, reported

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.context import WORKERS
from extlint.analysis.facts.platform_globals import DOCUMENT_PARTS
from extlint.analysis.facts.script_facts import PrefetchedResults
from extlint.analysis.possible_uses import predicted_globals
from extlint.analysis.syntax.tree_cache import MIN_KEPT_BYTES
from extlint.checks.api.absent_globals import _TOO_COMMON
from extlint_schemas import globals_absent_outside

RULES = ("string-code", "missing-global", "long-timer", "misplaced-import")
PAGE = {"options_ui": {"page": "o.html"}}
WORKER = {"background": {"service_worker": "a.js"}}
CONTENT = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]}
SMALL = "/*! bundle */chrome.runtime.id;"
LARGE = "/*! bundle " + "-" * MIN_KEPT_BYTES + "*/chrome.runtime.id;"


def found(script: str, keys: dict[str, Any], target: str, **others: str) -> list[tuple[str, str]]:
    files = {"manifest.json": manifest(**keys), "o.html": "<script src=a.js></script>", "a.js": script}
    files |= {f"{name}.js": text for name, text in others.items()}
    return reported(files, RULES, target)


def precomputed(script: str) -> PrefetchedResults | None:
    return analyze(script.encode(), "a.js").ahead


WEBPACK = """
    (() => {
      var modules = { "./a.js": (module, exports, require) => { new Function(a) } }, cache = {};
      function require(id) {
        if (cache[id]) return cache[id].exports;
        var module = (cache[id] = { exports: {} });
        modules[id](module, module.exports, require);
        return module.exports;
      }
      require("./a.js");
    })();
"""
ESBUILD = """
    var common = (f, m) => () => (m || f((m = { exports: {} }).exports, m), m.exports);
    var required = common((exports, module) => { eval(a) });
    required();
"""

USED = {
    "eval": ("eval(a)", PAGE, "eval"),
    "a member of the global object": ("window.eval(a)", PAGE, "window.eval"),
    "a constructor": ("new Function('a', 'return a')", PAGE, "Function"),
    "a string for a timer": ("setTimeout('f()', 1)", PAGE, "setTimeout"),
    "a string for a timer of the global object": ("self.setInterval(`f()`, 1)", PAGE, "self.setInterval"),
    "a name in parentheses": ("(clients).claim()", PAGE, "clients"),
    "a function that runs at once": ("(() => { eval(a) })()", PAGE, "eval"),
    "a function that is called": ("function f() { eval(a) } f()", PAGE, "eval"),
    "functions that call each other": ("const f = () => g(), g = () => { eval(a); f() }; g()", PAGE, "eval"),
    "a function that is passed on": ("const f = (then) => then(); f(() => eval(a))", PAGE, "eval"),
    "a callback": ("[1].forEach((each) => eval(each))", PAGE, "eval"),
    "a promise": ("new Promise((done) => { done(eval(a)) })", PAGE, "eval"),
    "a timer": ("setTimeout(() => eval(a), 1)", PAGE, "eval"),
    "a listener": ("addEventListener('click', () => eval(a))", PAGE, "eval"),
    "a listener of the API": ("chrome.tabs.onCreated.addListener(() => eval(a))", PAGE, "eval"),
    "a handler": ("document.body.onclick = () => eval(a)", PAGE, "eval"),
    "a constructor of a class": ("class A { constructor() { eval(a) } } new A()", PAGE, "eval"),
    "a field of a class": ("class A { b = eval(c) } new A()", PAGE, "eval"),
    "a method of an object": ("const o = { f() { eval(a) } }; o.f()", PAGE, "eval"),
    "a method by a string": ("const o = { 'f'() { eval(a) } }; o['f']()", PAGE, "eval"),
    "a method of its own": ("class A { constructor() { this.f() } f() { eval(a) } } new A()", PAGE, "eval"),
    "a getter": ("const o = { get f() { return eval(a) } }; o.f", PAGE, "eval"),
    "a wrapped function": ("const f = debounce(() => eval(a)); f()", PAGE, "eval"),
    "a module of webpack": (WEBPACK, PAGE, "Function"),
    "a module of esbuild": (ESBUILD, PAGE, "eval"),
    "a global of workers": ("clients.claim()", PAGE, "clients"),
    "a global of workers, in a content script": ("clients.claim()", CONTENT, "clients"),
    "a class of workers": ("new WorkerGlobalScope()", PAGE, "WorkerGlobalScope"),
    "a global that is null": ("customElements.define('a-b', class {})", CONTENT, "customElements"),
    "scripts that a worker imports": ("importScripts('b.js')", PAGE, "importScripts"),
    "a module of Node": ("const z = require('z')", PAGE, "require"),
    "an import in a worker": ("import('./b.js')", WORKER, "import('./b.js')"),
    "a long timer": ("setTimeout(() => chrome.runtime.reload(), 60000)", WORKER, "setTimeout"),
    "a global of pages": ("document.title", WORKER, "document"),
    "an import in a script": ("import.meta.url", PAGE, "import.meta"),
}


@pytest.mark.parametrize(("script", "keys", "expected"), USED.values(), ids=USED.keys())
def test_large_scripts_have_the_same_findings(script: str, keys: dict[str, Any], expected: str) -> None:
    assert precomputed(SMALL + script) is None
    assert precomputed(LARGE + script) is not None
    small = found(SMALL + script, keys, "chrome", b="")
    assert expected in {text for _, text in small}
    assert found(LARGE + script, keys, "chrome", b="") == small


def test_missing_global_members_are_found_in_large_scripts() -> None:
    script = "navigator.serviceWorker.register('b.js')"
    small = found(SMALL + script, PAGE, "firefox", b="")
    assert ("missing-global", "navigator.serviceWorker") in small
    assert found(LARGE + script, PAGE, "firefox", b="") == small


def test_code_called_by_other_scripts_is_found_in_large_scripts() -> None:
    def of(before: str) -> list[tuple[str, str]]:
        page = {"o.html": "<script src=a.js></script><script src=b.js></script>"}
        script = f"{before}const own = {{ f() {{ eval(a) }} }}; class A {{ constructor() {{ eval(b) }} }}"
        files = {"manifest.json": manifest(**PAGE), "a.js": script, "b.js": "own.f(); new A()", **page}
        return reported(files, RULES, "chrome")

    assert of(SMALL) == of(LARGE) == [("string-code", "eval")] * 2


def test_large_unbundled_scripts_are_parsed_again() -> None:
    script = "chrome.runtime.id;\n" + "// a line\n" * MIN_KEPT_BYTES + "new WorkerGlobalScope();"
    answers = precomputed(script)
    assert answers is not None
    assert answers.possible_uses is None
    assert ("missing-global", "WorkerGlobalScope") in found(script, PAGE, "chrome")


POSSIBLE = {
    "nothing": ("f()", set()),
    "uses that do not fail": ("typeof clients; delete clients; self.clients?.claim(); window.clients", set()),
    "a use that fails": ("f(clients)", {"clients"}),
    "a string, a comment, a key": ("f('clients'/* clients */, { clients: 1 }, a.clients.b)", set()),
    "a variable": ("const clients = []; clients.push(1)", set()),
    "a condition": ("if (a) clients.claim(); b && clients.claim(); try { eval(c) } catch {}", set()),
    "functions without a visible caller": ("const f = () => clients.claim(); g({ h() { eval(i) } })", set()),
    "functions possibly called by other scripts": ("const o = { f() { eval(a) } }", {"eval"}),
    "only calls": ("eval(a); Function.call; setTimeout(b)", {"eval", "setTimeout"}),
    "a member": ("navigator.serviceWorker.ready; navigator.clients.a", {"navigator.serviceWorker"}),
    "an unknown member": ("navigator[a].ready", {"navigator.clipboard", "navigator.serviceWorker"}),
    "an unknown method": ("a[b](() => eval(c))", {"eval"}),
    "an import whose failure is handled": ("import('./a.js').catch(f)", set()),
    "an import": ("import('./a.js')", {"import()"}),
    "globals missing in workers": ("document.title; localStorage.a", set()),
}


@pytest.mark.parametrize(("script", "names"), POSSIBLE.values(), ids=POSSIBLE.keys())
def test_possible_uses_of_globals(script: str, names: set[str]) -> None:
    answers = precomputed(f"(() => {{ {LARGE} }})(); {script}")
    assert answers is not None
    assert set(answers.possible_uses or ()) == names


def test_globals_missing_in_pages_are_precomputed() -> None:
    absent = globals_absent_outside(frozenset(each.value for each in WORKERS))
    unpredicted = _TOO_COMMON | DOCUMENT_PARTS
    expected = {each for each in absent if each not in unpredicted and not each.startswith("on")}
    assert expected <= predicted_globals()
