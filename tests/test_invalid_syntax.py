"""Scripts with syntax errors in every browser: `invalid-syntax`."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest, reported
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target

USE = "chrome.tabs.query({});"


def found(script: str, name: str = "a.js", **files: str) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"service_worker": name}
    package = {"manifest.json": manifest(background=background, permissions=["tabs"]), name: script, **files}
    return [text for _, text in reported(package, ["invalid-syntax"], "chrome")]


BROKEN = {
    "a missing name": ("var = 3;", "="),
    "two values": ("var x = 3 3;", "3"),
    "a constant without a value": ("const y;", ";"),
    "two names": ("a b;", "b"),
    "else without if": ("else { }", "else"),
    "if without brackets": ("if a { }", "a"),
    "a string that is not closed": ("'unclosed\n", "'"),
    "break outside of a loop": ("break;", "break"),
    "break in a callback in a loop": ("for (const a of b) a.forEach(() => { break; });", "break"),
    "continue in a callback": ("list.forEach((each) => { if (each) continue; });", "continue"),
    "async without a function": ("async () { }", "{"),
    "case without switch": ("case 1:", "case"),
    "a missing comma in a pattern": ("const {a b} = c;", "b"),
    "a missing comma in an object": ("f({ a: 1 b: 2 });", "b"),
    "two parameters in strict code": ("function f(a, a) { 'use strict'; }", "a"),
    "yield as a name in a generator": ("function* g() { yield = 2; }", "="),
    "assignment to an optional member": ("a?.b = 1;", "="),
    "assignment in a condition": ("if (a && b = c) f();", "="),
    "two names in a pattern": ("let [a, a] = [1,2];", "a"),
    "a pattern and a constant": ("const { a } = f(); const a = 1;", "a"),
    "a parameter and a constant": ("function f(tab) { const tab = 1; }", "tab"),
    "a pattern and a variable": ("const { a } = f; function g() {} let a;", "a"),
    "try without catch": ("try { }", "try"),
    "throw without a value": ("throw\n1;", "throw"),
    "markup": ("const x = <div>;", "<"),
    "a decorator": ("\n@dec class A {}", "@"),
    "an octal bigint": ("0123n;", "n"),
    "a number that ends with an underscore": ("1_;", "_"),
    "enum": ("enum X { A }", "enum"),
    "interface": ("interface A { b: string }", "interface"),
    "a type": ("let a: string = b;", ":"),
    "a cast": ("x = <any>y;", "<"),
    "a regular expression": ("const x = /(/;", ";"),
    "twice the same flag": ("const x = /a/gg;", ";"),
    "typographic quotes": ("const x = \u201ca\u201d;", "\u201c"),
    "a merge conflict": ("\n<<<<<<< HEAD\nf();\n", "<<<<<<<"),
    "a merge conflict in a function": (
        "f(() => {\n<<<<<<< HEAD\n  if (a) {\n=======\n  if (b) {\n>>>>>>> c\n  }\n});",
        "<<<<<<<",
    ),
    "the text of a merge conflict": ("const x = `\n<<<<<<< HEAD\n`; let y = ;", "= ;"),
    "await at the top": ("await f();", "await"),
    "mixed operators": ("x = a ?? b || c;", "??"),
    "an argument is missing": ("f(, a);", ","),
    "the end is missing in a condition": ("if (a) f(b;", "("),
    "a bracket too many": ("f(() => { g(); } });", "}"),
    "no value": ("let x = ;", "= ;"),
    "no value on the next line": ("let x =\n;", "=\n;"),
    "no value of a parameter": ("function f(x = ) {}", "= )"),
    "no value of a property": ("f({ a: b + })", "+ }"),
    "no second operand": ("if (a && ) f();", "&& )"),
    "no body of an arrow function": ("[1].map((x) => );", "=> )"),
    "no value of an addition": ("x += ;", "+= ;"),
    "no item": ("f([a || ])", "|| ]"),
    "nothing to compare with": ("if (a === ) f();", "=== )"),
    "await in a function": ("function f() { const x = await g(); }", "await"),
    "await in a callback": ("async function f() { list.forEach((each) => { await each; }); }", "await"),
    "await in a listener": ("chrome.tabs.onCreated.addListener((tab) => { await f(tab); });", "await"),
    "await in a method": ("class A { run() { await this.x; } }", "await"),
    "two constants": ("const tab = 1;\nconst tab = 2;", "tab"),
    "a constant and a variable": ("var tab = 1; const tab = 2;", "tab"),
    "a function and a constant": ("function tab() {} const tab = 2;", "tab"),
    "two classes": ("class Tab {} class Tab {}", "Tab"),
    "two in a function": ("function f() { let tab = 1; let tab = 2; }", "tab"),
    "two in a block": ("if (a) { let tab = 1; let tab = 2; }", "tab"),
    "two exports": ("const tab = 1; export const tab = 2;", "tab"),
    "return": ("if (self.done) return; self.done = true;", "return"),
    "return in a block": ("try { if (a) { return; } } catch {}", "return"),
}

VALID = {
    "assignment to a call, which fails later": "f() = 1;",
    "using": "{ using x = f(); } async function g() { await using y = f(); }",
    "HTML comments": "<!-- x\nf();\n--> y\n",
    "with": "with (a) { f(); } var x = 010; delete x; arguments = 1;",
    "functions that conditions declare": "if (a) function f() {} label: for (;;) { break label; }",
    "contextual keywords": "var let_, async, of, get, set; async = 1; let x = async; for (of of []) ;",
    "regular expressions": "const x = [/[/(]/, /(?<a>.)\\k<a>/u, /[\\p{L}--a]/v, /(?i:a)/, /]{/, /a{,5}/];",
    "breaks": "switch (a) { case 1: break; } for (;;) { if (a) break; else continue; } a: { break a; }",
    "classes": "class A extends B { static { f(); } #a = 1; get b() { return #a in this; } accessor; }",
    "numbers": "f(1_000n, 0x1f, .5, 5., 0b1, 09.5, 'a_', a1_);",
    "operators": "x ??= a ?? (b || c); y ||= (-a) ** 2; z = a?.b?.[c]?.(d);",
    "a throw that spans lines": "function f() { throw `a\nb`; }",
    "a loop without a declared value": "for (const a of b) for (let c in d) for (var e;;) ;",
    "a value": "let x = 0;",
    "a comment that a build replaces": "let x = /* VERSION */;",
    "in a string": "const x = 'let x = ;'; const y = `= ${1} ;`;",
    "in a regular expression": "const x = /[=;]|= ;/.test(a); f(/ = \\) /);",
    "in a comment": "// let x = ;\n/* x = ; */",
    "increments": "x++; y--; [a++]; f(b--)",
    "optional arguments": "f(a, b,); [a, , b]; const [, x] = a;",
    "await in an async function": "async function f() { await g(); const h = async () => await g(); }",
    "await in async methods": "class A { async run() { await f(); } static async *go() { await f(); } }",
    "await as a name": "function f(await) { return await (1) + await; }",
    "await in strings": "function f() { return 'await me'; } // await you",
    "names that begin alike": "const café = 1; const cafè = 2; const $a = 1; const $a\\u{62} = 2;",
    "two blocks": "{ const tab = 1; } { const tab = 2; } function f() { const tab = 3; }",
    "comments that end with a keyword": "// the first class\nconst a = 1; // a second class\nconst b = 2;",
    "comments with other keywords": "/* let */ function f() {} /* const */ function g() {} // let\nvar x;",
    "two cases": "switch (a) { case 1: { let tab = 1; break; } case 2: { let tab = 2; } }",
    "two loops": "for (let tab = 0; ;) {} for (let tab = 0; ;) {} for (const tab of a) {}",
    "two variables": "var tab = 1; var tab = 2; function f() {} function f() {}",
    "a variable in a block": "{ let tab = 1; { let tab = 2; } }",
    "a name in another role": "const tab = 1; const x = { tab: 1 }; f(class tab {}); const { y: z } = tab;",
    "a build that chooses": "// #if FIREFOX\nconst tab = 1;\n// #else\nconst tab = 2;\n// #endif",
    "return in functions": "function f() { return; } const g = () => { return 1; }; ({ m() { return; } });",
}


RARE = {
    "a class without a name": ("class { }", "f(class { }); x = class { }"),
    "an arrow function that is called": ("() => { f() }()", "(() => { f() })(); x = function () {}()"),
    "a function without a name that is called": ("function () { }();", "(function () { })();"),
    "a generator without a name": ("async function* () { }", "(async function* () { })();"),
    "a number that is incremented": ("1++;", "a1++; b = a\n++c;"),
    "new.target outside a function": ("new.target;", "function F() { return new.target }"),
    "await without a value": ("async function f() { await; }", "async function f() { await (a); }"),
    "a code point that does not exist": ("x = '\\u{110000}';", "x = '\\u{10FFFF}';"),
    "the path of a file": ('x = "C:\\users";', 'x = "C:\\\\users"; y = /\\u/; // \\u'),
    "an incomplete escape": ("x = '\\x4';", "x = '\\x41'; y = String.raw`\\x4`;"),
    "two private fields": ("class A { #a; #a; }", "class A { #a; } class B { get #a() {} set #a(x) {} }"),
    "a private name outside a class": ("a.#b;", "class A { #b; c() { return this.#b } } x = '.#b'"),
    "for await over keys": (
        "async () => { for await (x in y) { } };",
        "async () => { for await (x of y) ; };",
    ),
    "for await in a function": (
        "() => { for await (const x of y) { } };",
        "async () => { for await (x of y); }",
    ),
    "an optional constructor": ("new a?.b();", "new (a?.b)();"),
    "JSON": ('{ "a": 1, "b": 2 }', '({ "a": 1, "b": 2 }); { a: 1 }'),
    "one name in two cases": (
        "switch (a) { case 1: let x; case 2: let x; }",
        "switch (a) { case 1: { let x } default: let x; }",
    ),
    "the error and a variable": ("try { } catch (e) { let e; }", "try { } catch (e) { var e; f(e) }"),
    "a negation and a power": ("!a ** 2;", "!(a ** 2); b - a ** 2;"),
    "the rest before another": ("let { ...a, b } = c;", "let { b, ...a } = c; [...a, b];"),
    "super in a function": ("function f() { super.x; }", "class A { f() { super.x; } }"),
}


@pytest.mark.parametrize(("broken", "valid"), RARE.values(), ids=RARE)
def test_rare_syntax_error_is_reported(broken: str, valid: str) -> None:
    assert len(found(f"{USE}\n{broken}\n")) == 1
    assert found(f"{USE}\n{valid}\n") == []


@pytest.mark.parametrize("broken", [broken for broken, _ in RARE.values()], ids=RARE)
def test_rare_syntax_error_at_the_start_is_reported(broken: str) -> None:
    assert len(found(f"{broken}\n{USE}\n")) == 1


@pytest.mark.parametrize(("script", "place"), BROKEN.values(), ids=BROKEN)
def test_syntax_error_is_reported(script: str, place: str) -> None:
    assert found(f"{USE} {script}") == [place]


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        ("chrome.runtime.onInstalled.addListener(() => {\n f();\n} });", ["invalid-syntax"]),
        ("chrome.tabs.create(1, 2 3);", ["invalid-argument", "invalid-syntax"]),
    ],
)
def test_arguments_after_a_syntax_error_are_unknown(script: str, rules: list[str]) -> None:
    package = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}
    selected = ["invalid-syntax", "invalid-argument", "wrong-argument-count"]
    assert sorted(each.rule for each in lint(package, selected, "chrome")) == rules


@pytest.mark.parametrize("script", VALID.values(), ids=VALID)
def test_valid_syntax_is_accepted(script: str) -> None:
    assert found(f"{USE} {script}") == []


@pytest.mark.parametrize(
    "script",
    [
        "const x = <p>a = ; b</p>;",
        "const x = <p>don't {a} && </p>; f(;",
        "let x: Array<*> = a; let y: ?string; type A = {| +a: * |}; f((a, b?) => a ?? b);",
        "const a = {{ a }}; <% if (b) { %> let x = <%= c -%>; <% } %>",
    ],
)
def test_syntax_removed_by_a_build_is_not_reported(script: str) -> None:
    """A build removes markup, types and templates."""
    assert [text for text in found(f"{USE} {script}") if text.startswith(("=", "&&"))] == []


def test_top_level_return_is_accepted_in_bundled_modules() -> None:
    own = f"{USE} if (self.done) return; module.exports = 1;"
    assert found("import './b.js';" + USE, **{"b.js": own}) == []
    assert found("require('./b.js');" + USE, **{"b.js": own}) == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("abstract class A { abstract run(): void } declare const tab: number; type B = A | undefined;", []),
        ("const a = [1] as const\n\nconst b = [2] as const\n\nconst c = [3] as const", []),
        ("const a = [1] as const\nconst a = [2]", ["a"]),
        ("const enum A { B } const enum C { B }", []),
    ],
)
def test_typescript_declarations(script: str, expected: list[str]) -> None:
    assert found(f"import './b'; {USE}", **{"b.ts": f"{USE} {script}"}) == expected


RULES = ["invalid-syntax", "missing-global", "incomplete-analysis"]
STREAM = b"G@\x11\x10\x00B\xf0" + b"\xff" * 181


@pytest.mark.parametrize(
    ("worker", "name", "is_reported"),
    [
        pytest.param("", "a.ts", False, id="a video that nothing loads"),
        pytest.param("", "a.mts", False, id="another kind of video"),
        pytest.param("fetch('a.ts');", "a.ts", False, id="a video that a script fetches"),
        pytest.param("import './a.ts';", "a.ts", True, id="a script loads it"),
        pytest.param("f('a.js');", "a.js", True, id="no suffix of a video"),
    ],
)
def test_video_with_a_script_suffix_is_reported_only_if_imported(
    worker: str, name: str, is_reported: bool
) -> None:
    package: Files = {
        "manifest.json": manifest(background={"service_worker": "w.js"}),
        "w.js": worker,
        name: STREAM,
    }
    assert [each.path for each in lint(package, RULES, "chrome")] == ([name] if is_reported else [])


def test_video_does_not_suppress_unused_permission() -> None:
    keys = {"background": {"service_worker": "w.js"}, "permissions": ["cookies"]}
    package: Files = {"manifest.json": manifest(**keys), "w.js": "", "a.ts": STREAM}
    assert [each.rule for each in lint(package, ["unused-permission"], "chrome")] == ["unused-permission"]


LOADED: Files = {
    "manifest.json": manifest(background={"service_worker": "w.js", "type": "module"}, action={}),
    "w.js": "import './m.js';",
    "m.js": "const y;",
    "c.js": "var = 3;",
    "p.html": "<script src=p.js></script>",
}


def places(files: Files, target: str = "chrome") -> list[str]:
    return [each.path for each in lint(files, ["invalid-syntax"], target)]


def test_scripts_that_do_not_name_the_api_are_checked() -> None:
    assert places(LOADED) == ["m.js"]
    content = [{"matches": ["<all_urls>"], "js": ["c.js"]}]
    package: Files = {
        "manifest.json": manifest(content_scripts=content),
        "c.js": "var = 3;",
        "d.js": "var = 3;",
    }
    assert places(package) == ["c.js"]
    assert places(package, "reference") == ["c.js"]


@pytest.mark.parametrize(
    ("use", "is_reported"),
    [
        ("document.body.innerHTML = '<button onclick=\"buy()\">';", False),
        ("import './w.js';", False),
        ("chrome.runtime.reload();", True),
        ("import browser from 'webextension-polyfill';", True),
    ],
)
def test_script_that_may_be_loaded_must_name_the_api(use: str, is_reported: bool) -> None:
    script = f"{use} const a = 1; const a = 2;"
    package: Files = {"manifest.json": manifest(background={"service_worker": "w.js"}), "w.js": "load('d')"}
    assert bool(places({**package, "d.js": script})) is is_reported


DIRECTIVES = "#ifdef CHROME\nfunction f() {\n#else\nasync function f() {\n#endif\n}"


@pytest.mark.parametrize(
    ("around", "script", "is_reported"),
    [
        ({"Makefile": ""}, DIRECTIVES, False),
        ({"Makefile": ""}, "class A { #if = 1; f() {", True),
        ({}, DIRECTIVES, True),
    ],
)
def test_script_for_the_preprocessor_of_c(around: dict[str, str], script: str, is_reported: bool) -> None:
    own = manifest(background={"service_worker": "a.js"})
    files = {"manifest.json": own, "a.js": f"chrome.runtime.reload();\n{script}", **around}
    found = check_package(package_in(files, ""), [Target("chrome")], ["invalid-syntax"]).findings
    assert bool(found) is is_reported


@pytest.mark.parametrize(
    ("name", "is_reported"), [("a.tmpl.js", False), ("a-template.js", False), ("templates.js", True)]
)
def test_script_that_a_build_fills_in(name: str, is_reported: bool) -> None:
    own = manifest(background={"service_worker": name})
    files = {"manifest.json": own, name: "chrome.runtime.reload(); if (a) {", "Makefile": ""}
    found = check_package(package_in(files, ""), [Target("chrome")], ["invalid-syntax"]).findings
    assert bool(found) is is_reported


@pytest.mark.parametrize(
    ("other", "is_reported"),
    [
        ("// import { a } from './broken';", False),
        ("import { a } from './broken';", True),
        ("const all = import.meta.glob('./*.ts');", True),
        ("load('broken');", True),
    ],
)
def test_script_that_a_build_leaves_out_is_not_checked(other: str, is_reported: bool) -> None:
    package: Files = {
        "manifest.json": manifest(background={"service_worker": "background.js"}),
        "package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "1"}}',
        "vite.config.ts": "export default {build: {rollupOptions: {input: {background: 'src/index.ts'}}}};",
        "src/index.ts": f"{other} chrome.runtime.reload();",
        "src/broken.ts": "chrome.runtime.reload(); const a = ;",
    }
    report = check_package(package_in(package, ""), [Target("chrome")], ["invalid-syntax"])
    assert [each.path for each in report.findings] == ["src/broken.ts"] * is_reported


@pytest.mark.parametrize(
    ("script", "is_classic_error", "is_module_error"),
    [
        ("await f();", True, False),
        ("with (a) { f(); }", False, True),
        ("var x = 010;", False, True),
        ("a b;", True, True),
        ("var await;", False, True),
        ("import a from './b.js'; import a from './b.js';", True, True),
        ("import { a } from './b.js'; let a;", True, True),
    ],
)
def test_modules_and_classic_scripts_differ(
    script: str, is_classic_error: bool, is_module_error: bool
) -> None:
    for kind, is_error in (("classic", is_classic_error), ("module", is_module_error)):
        background = {"service_worker": "a.js", "type": kind}
        package: Files = {"manifest.json": manifest(background=background), "a.js": script}
        assert places(package) == (["a.js"] if is_error else []), kind
    both: Files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": "<script src=a.js></script><script type=module src=a.js></script>",
        "a.js": script,
    }
    assert places(both) == (["a.js"] if is_classic_error and is_module_error else [])


def test_import_in_a_classic_script_is_another_mistake() -> None:
    package: Files = {"manifest.json": manifest(background={"service_worker": "a.js"})}
    assert places({**package, "a.js": "import './b.js';", "b.js": ""}) == []
    assert places({**package, "a.js": "import './b.js'; a b;", "b.js": ""}) == ["a.js"]


@pytest.mark.parametrize(
    "script",
    [
        "const a = {{ value }};",
        "<% if (x) { %>f();<% } %>",
        "#include 'b.js'\nf();",
        "const version = @@VERSION;",
    ],
)
def test_placeholders_of_a_template_are_not_reported(script: str) -> None:
    package: Files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}
    assert places(package) == []


def test_generated_and_large_scripts_are_not_searched_for_signs() -> None:
    package: Files = {"manifest.json": manifest(background={"service_worker": "a.js"})}
    assert places({**package, "a.js": "/*! library */\nconst y;"}) == []
    assert places({**package, "a.js": f"const y;{'f();' * 400}"}) == []
    assert places({**package, "a.js": "const y;\n" + "f();\n" * 60_000}) == []


@pytest.mark.parametrize("script", ["const x = <div/>;", "let x: string = '';", "await f();"])
def test_syntax_that_a_build_may_compile_is_not_reported(script: str) -> None:
    files: Files = {
        "src/manifest.json": manifest(background={"service_worker": "a.js"}),
        "src/a.js": f"{USE} {script}",
        "src/b.ts": script,
    }
    project: Files = {"package.json": json.dumps({"scripts": {"build": "esbuild a.js"}})}
    for package, count in ((files, 1), ({**files, **project}, 0)):
        report = check_package(package_in(package, "src/"), [Target("chrome")], ["invalid-syntax"])
        assert len(report.findings) == count


AWAITS = {
    "at the top": ("await chrome.tabs.query({});", 1),
    "in a block": ("if (a) { await chrome.tabs.query({}) }", 1),
    "in a function": ("async function f() { await chrome.tabs.query({}) } f();", 0),
    "in a method": ("class A { async f() { await chrome.tabs.query({}) } }", 0),
}


@pytest.mark.parametrize(("script", "count"), AWAITS.values(), ids=AWAITS.keys())
def test_await_at_the_top_of_a_service_worker(script: str, count: int) -> None:
    worker: dict[str, object] = {"service_worker": "a.js", "type": "module"}
    package: Files = {"manifest.json": manifest(background=worker), "a.js": script}
    assert places(package) == ["a.js"] * count
    imported: Files = {**package, "a.js": "import './b.js'", "b.js": script}
    assert places(imported) == ["b.js"] * count
    page: dict[str, object] = {"scripts": ["a.js"], "type": "module"}
    assert places({**package, "manifest.json": manifest(background=page)}, "firefox") == []
    popup = {"manifest.json": manifest(action={"default_popup": "p.html"}), "a.js": script}
    assert places({**popup, "p.html": "<script type=module src=a.js></script>"}) == []


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({"a.js": ""}, False, id="nothing loads it"),
        pytest.param({"a.js": "// b.js"}, False, id="a comment names it"),
        pytest.param({"a.js": "", "old/c.js": "importScripts('b.js')"}, False, id="nothing loads its loader"),
        pytest.param({"a.js": "importScripts('b.js')"}, True, id="the background loads it"),
        pytest.param({"a.js": "importScripts(name)"}, False, id="the background loads an unknown script"),
        pytest.param({"a.js": "importScripts(name); f('b.js')"}, True, id="and has its name"),
        pytest.param({"a.js": "load('b')"}, True, id="the background has its name"),
    ],
)
def test_script_that_nothing_names(files: Files, is_reported: bool) -> None:
    resources = [{"resources": ["*.js"], "matches": ["https://a.example/*"]}]
    keys = manifest(background={"service_worker": "a.js"}, web_accessible_resources=resources)
    assert (
        bool(places({"manifest.json": keys, "b.js": f"{USE} const a = 1; const a = 2;", **files}))
        is is_reported
    )


@pytest.mark.parametrize(
    ("worker", "is_reported"),
    [("", False), ("// old/a.js", False), ("load('old')", True), ("load('old/a.js')", True)],
)
def test_copy_of_a_script_in_a_folder_that_nothing_names(worker: str, is_reported: bool) -> None:
    keys = manifest(background={"service_worker": "js/a.js"})
    package = {"manifest.json": keys, "js/a.js": worker, "old/a.js": f"{USE} const a = 1; const a = 2;"}
    assert bool(places(package)) is is_reported
