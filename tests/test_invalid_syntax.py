"""Scripts with syntax errors in every browser: `invalid-syntax`."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported

USE = "chrome.tabs.query({});"


def found(script: str, name: str = "a.js", **files: str) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"service_worker": name}
    package = {"manifest.json": manifest(background=background, permissions=["tabs"]), name: script, **files}
    return [text for _, text in reported(package, ["invalid-syntax"], "chrome")]


BROKEN = {
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


@pytest.mark.parametrize(("script", "place"), BROKEN.values(), ids=BROKEN)
def test_syntax_error_is_reported(script: str, place: str) -> None:
    assert found(f"{USE} {script}") == [place]


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
        pytest.param("", "a.js", True, id="no suffix of a video"),
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
