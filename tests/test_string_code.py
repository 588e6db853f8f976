"""Strings that are run as code although the policy blocks it: `string-code`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest, reported

RULES = ("string-code",)
PAGE = {"options_ui": {"page": "o.html"}}
WORKER = {"background": {"service_worker": "a.js"}}
CONTENT = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]}
UNSAFE = "script-src 'self' 'unsafe-eval'"


def finding_texts(script: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a script, which runs in a page by default."""
    files = {
        "manifest.json": manifest(**(keys or PAGE)),
        "o.html": "<script src=a.js></script>",
        "a.js": script,
    }
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("eval(text)", ["eval"]),
        ("eval('1 + 1')", ["eval"]),
        ("window.eval(text)", ["window.eval"]),
        ("new Function('a', 'return a')", ["Function"]),
        ("Function(body)()", ["Function"]),
        ("setTimeout('f()', 1)", ["setTimeout"]),
        ("setInterval(`f(${x})`, 1)", ["setInterval"]),
        ("addEventListener('click', () => {}); chrome.tabs.onCreated.addListener(() => eval(x))", ["eval"]),
        ("document.body.addEventListener('change', (event) => { eval(event.x) })", ["eval"]),
        ("document.body.onclick = () => eval(x)", ["eval"]),
        ("eval(1); eval(); eval(true)", []),
        ("setTimeout(f, 1); setTimeout(() => f('x'), 1); setTimeout(x, 1)", []),
        ("Function('return this')()", []),
        ("const root = globalThis || new Function('return this')()", []),
        ("x instanceof Function; Function.prototype.call; typeof eval", []),
        ("function f() { eval(x) }", []),
        ("try { eval(x) } catch { f() }", []),
        ("const eval2 = 1; x.eval(y); math.eval('1')", []),
        ("import { Function } from './f.js'; new Function('a')", []),
        ("// eval(x)\n'eval(x)'", []),
    ],
)
def test_string_code_in_a_page_is_reported(script: str, expected: list[str]) -> None:
    assert finding_texts(script) == expected


@pytest.mark.parametrize(
    "script",
    [
        'if (typeof process !== "undefined") eval(text)',
        "globalThis.process?.versions?.node ? eval(text) : f()",
        "const load = () => eval(text); if (Boolean(globalThis.process)) load()",
        'function isNode() { return typeof process !== "undefined" } if (isNode()) eval(text)',
        "const isNode = typeof module === 'object' && module.exports; if (isNode) eval(text)",
        "function hasRequire() { return typeof require === 'function' } hasRequire() && eval(text)",
    ],
)
def test_string_code_for_node_is_not_reported(script: str) -> None:
    assert finding_texts(script) == []
    assert finding_texts(f"{script}\neval(text)") == ["eval"]


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        ("if (window.safari) eval(text)", False),
        ("if (window.safari && window.top === window) eval(text)", False),
        ("if (self.ActiveXObject) eval(text)", False),
        ("window.opera ? eval(text) : f()", False),
        ("const run = () => eval(text); window.netscape && addEventListener('message', run)", False),
        ("if (window.app) eval(text)", False),
        ("if (window.app) eval(text); window.app = f()", True),
        ("var app = f(); if (window.app) eval(text)", True),
        ("if (window.fetch) eval(text)", True),
        ("if (x.safari) f(); eval(text)", True),
    ],
)
def test_string_code_behind_a_test_of_a_global(script: str, is_reported: bool) -> None:
    assert finding_texts(script) == ["eval"] * is_reported


@pytest.mark.parametrize(
    ("target", "keys", "is_blocked"),
    [
        ("chrome", PAGE, True),
        ("firefox", PAGE, True),
        ("chrome", WORKER, True),
        ("chrome", CONTENT, True),
        ("firefox", CONTENT, True),
        ("chrome", {"content_scripts": [{**CONTENT["content_scripts"][0], "world": "MAIN"}]}, False),
        ("chrome", {"sandbox": {"pages": ["o.html"]}}, False),
        ("chrome", {**PAGE, "sandbox": {"pages": ["o.html"]}}, False),
        ("firefox", {"manifest_version": 2, **PAGE}, True),
        ("firefox", {"manifest_version": 2, **PAGE, "content_security_policy": UNSAFE}, False),
        ("firefox", {"manifest_version": 2, **PAGE, "content_security_policy": "default-src 'self'"}, True),
        ("chrome<=138", {"manifest_version": 2, **PAGE}, True),
        (
            "chrome<=138",
            {"manifest_version": 2, **PAGE, "content_security_policy": UNSAFE + "; object-src 'self'"},
            False,
        ),
        ("firefox", {"manifest_version": 2, **CONTENT}, False),
        ("reference", PAGE, True),
        ("safari", PAGE, False),
    ],
)
def test_string_code_depends_on_target_and_policy(
    target: str, keys: Mapping[str, object], is_blocked: bool
) -> None:
    assert finding_texts("eval(text)", target, **keys) == ["eval"] * is_blocked


def test_string_code_in_content_scripts_is_not_reported() -> None:
    assert finding_texts("window.eval(x)", "firefox", **CONTENT) == []
    assert finding_texts("setTimeout('f()', 1)", "firefox", **CONTENT) == []


def test_string_code_in_functions_called_by_other_scripts() -> None:
    files = {
        "manifest.json": manifest(**PAGE),
        "o.html": "<script src=a.js></script><script src=b.js></script>",
        "a.js": "var tool = { run: function (x) { return new Function(x) }, rest: (x) => eval(x) }",
        "b.js": "document.title = tool.run('1')",
    }
    assert reported(files, RULES, "chrome") == [("string-code", "Function")]
    as_module = {
        **files,
        "o.html": "<script src=b.js type=module></script>",
        "a.js": "export const tool = { run: (x) => new Function(x), rest: (x) => eval(x) }",
        "b.js": "import { tool } from './a.js'; document.title = tool.run('1')",
    }
    assert reported(as_module, RULES, "chrome") == [("string-code", "Function")]


@pytest.mark.parametrize(
    ("keys", "script", "message", "help_"),
    [
        (
            PAGE,
            "eval(x)",
            "`eval` fails: the content security policy blocks strings that are run as code",
            "write it as a function, parse JSON with `JSON.parse`, or evaluate it in a sandboxed page",
        ),
        (
            {"manifest_version": 2, **PAGE},
            "new Function(x)",
            "`Function` fails: the content security policy blocks strings that are run as code",
            "write it as a function, or add `'unsafe-eval'` to `script-src` in `content_security_policy`",
        ),
        (
            PAGE,
            "setTimeout('f()', 1)",
            "`setTimeout` does not run a string: "
            "the content security policy blocks strings that are run as code",
            "pass a function",
        ),
    ],
)
def test_finding_has_message_and_help(
    keys: Mapping[str, object], script: str, message: str, help_: str
) -> None:
    files = {"manifest.json": manifest(**keys), "o.html": "<script src=a.js></script>", "a.js": script}
    (finding,) = lint(files, RULES, "firefox")
    assert (finding.message, finding.help) == (message, help_)
