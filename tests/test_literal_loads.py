"""Loads that are found without parsing a script, and the cases that are left to the parser."""

from __future__ import annotations

import pytest

from extlint.analysis.facts.other_scripts import NOTHING_SHARED, Demand, no_modules
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.follow import follow
from extlint.analysis.modules.unparsed import facts_without_parsing
from extlint.analysis.syntax.lexer import code_of, is_balanced
from extlint.analysis.syntax.prefilter import candidates


def fast_facts(source: str, path: str = "a.js") -> ScriptFacts | None:
    text = source.encode()
    return facts_without_parsing(text, path, candidates(text), no_modules)


def parsed_facts(source: str) -> ScriptFacts:
    text = source.encode()
    return follow(text, "a.js", candidates(text), no_modules, NOTHING_SHARED, Demand.OF_API)


LITERAL_LOADS = {
    'import "./b.js"': ["./b.js"],
    "import'./b.js';import a from'./c.js'": ["./b.js", "./c.js"],
    'import a, { b as c, d } from "./b.js"': ["./b.js"],
    'import * as all from "./b.js"; import µb, * as more from "./c.js"': ["./b.js", "./c.js"],
    'import {\n  a, // first\n  b, /* "second" */\n} from "./b.js";': ["./b.js"],
    'import data from "./b.json" with { type: "json" }': ["./b.json"],
    'export { a } from "./b.js"; export * from "./c.js"; export * as d from "./d.js"': [
        "./b.js",
        "./c.js",
        "./d.js",
    ],
    'const a = await import("./b.js"); f(import.meta.url)': ["./b.js"],
    'const a = require("./b.js"), c = require("c")': ["./b.js", "c"],
    'list.from("a"); x.import("b"); y.require("c"); const from = 1; export { from };': [],
    '/* import "a" */ // import "b"\nf(\'import "c"\', `import "d"`, /import "e"/)': [],
    "`${`import a`} ${{ a: '}' }.a} from 'b'`": [],
    'a = b / c; import "./d.js"; e = (f) / g / "h"': ["./d.js"],
    "if (a) /'/.test(b); import './c.js'": ["./c.js"],
    "return /[/'\"]/; import './c.js'": ["./c.js"],
    "({ 1: [function (require, module, exports) { require('./b.js'); require(name); }, {}] });": [],
    "define(['require'], (module, require) => { require('b'); }); f(require => { require('c') });": [],
    "f(function (require) { if (a) { require('b'); } }); require('./c.js')": ["./c.js"],
    "a.require = function require(b) { return require.c || require(b); }; require('./d.js')": ["./d.js"],
    "typeof importScripts == typeof Worker; navigator.register(a)": [],
    'f("popup.html", { a: "a.htm?b" }, x ? "c.html" : [`d.html`])': [
        "popup.html",
        "a.htm?b",
        "c.html",
        "d.html",
    ],
    'a = b + "c.html"; if (d && e.f === "g.html") { location = "h.html" + i; }': ["g.html", "h.html"],
    '// the browser says "a.html"\nf("in chrome", "\\n.html", `${a}b.html`)': [],
}


@pytest.mark.parametrize(("source", "names"), LITERAL_LOADS.items())
def test_literal_loads_are_found_without_parsing(source: str, names: list[str]) -> None:
    found = fast_facts(source)
    assert found is not None
    assert [load.name for load in found.loads] == names
    assert found.loads == parsed_facts(source).loads


PARSER_REQUIRED = {
    "the API in code": "chrome.tabs.query({})",
    "the name of a root as a key": 'window["chrome"].tabs',
    "a bracket that is never closed": 'import "./b.js"; f(',
    "brackets that cross": "f([)]",
    "a computed name": "import(name)",
    "a name that is put together": "require(`./${name}.js`)",
    "a function of its own": "require('./b.js'); function require(name) {}",
    "a function of its own around": "f(function () { require('./b.js'); function require(name) {} })",
    "a parameter that ends before": "f(function (require) {}); require(name)",
    "a parameter with a default": "f(function (require = a) { require('./b.js'); })",
    "no parameter": "if (require) { require('./b.js'); }",
    "an argument": "f(require); { require('./b.js'); }",
    "the name of a method": "a = { require(b) { require('./b.js'); } }",
    "scripts of a worker": 'importScripts("./b.js")',
    "a worker": 'new Worker("./b.js")',
    "a service worker": 'navigator.serviceWorker.register("./b.js")',
    "a worklet": 'audio.audioWorklet.addModule("./b.js")',
    "an import of types": 'import type { a } from "./b.js"',
    "an import of another grammar": 'import defer * as a from "./b.js"',
    "an escape in a name": 'import "./\\x62.js"',
    "a page added to what comes before": 'f(a + (b || "c.html"))',
    "a slash after a block": "function a() {} /'/.test(b)",
    "markup": "const a = <p>it's</p>; const b = <br />;",
    "a comment as HTML writes it": "<!-- import './b.js'",
    "a string that does not end": 'import "./b.js',
    "a template that does not end": "import './b.js'; `${a`",
    "a comment that does not end": "import './b.js' /*",
}


@pytest.mark.parametrize("source", PARSER_REQUIRED.values(), ids=PARSER_REQUIRED.keys())
def test_uncertain_script_is_left_to_the_parser(source: str) -> None:
    assert fast_facts(source) is None


@pytest.mark.parametrize("path", ["a.jsx", "a.tsx", "a.vue", "a.svelte"])
def test_files_with_markup_are_parsed(path: str) -> None:
    assert fast_facts('import "./b.js"', path) is None


def test_code_is_as_long_as_the_text() -> None:
    text = b"a('b', /c'/g) // d\n/* e */ f(`g${h('i')}j`)"
    assert code_of(text) == b"a('\x01', \x02\x02\x02\x02g)     \n        f(`\x01${h('\x01')}\x01`)"


@pytest.mark.parametrize(
    "text", [b"a('b)", b'a("b\n")', b"a(`b)", b"a <!-- b", b"a\n --> b", b"'<!--'\n--> b", b"/* a"]
)
def test_code_is_unknown_for_unterminated_literals_and_html_comments(text: bytes) -> None:
    assert code_of(text) is None


@pytest.mark.parametrize(
    ("code", "expected"), [(b"", True), (b"a(b[{c}])", True), (b"(", False), (b")(", False), (b"([)]", False)]
)
def test_brackets_are_balanced_by_kind(code: bytes, expected: bool) -> None:
    assert is_balanced(code) is expected
    assert is_balanced(b"((" * 5_000 + b"))" * 5_000) is False, "nested too deep to say"
