"""Modules that a development build puts into strings are analyzed like other code."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from fixing import fixed
from harness import Files, lint, reported, text_under
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.analysis.syntax.eval_code import decoded_in_place, with_eval_code
from extlint.analysis.syntax.parse import parse
from extlint.analysis.syntax.source import parsable
from extlint.finding import Finding
from extlint.text.positions import Position
from extlint_fuzz import bundle_shapes
from extlint_fuzz.bundle_shapes import fill

RULES = ("unknown-api", "invalid-argument", "incomplete-analysis", "invalid-syntax", "string-code")
MISTAKE = "chrome.tabs.qury({});"


def webpack_literal(code: str) -> str:
    """Returns a module as a webpack string literal."""
    return json.dumps(code, ensure_ascii=False)


def manifest_of(
    version: int = 2, policy: str | None = "script-src 'self' 'unsafe-eval'", **keys: object
) -> str:
    named = {} if policy is None else {"content_security_policy": policy}
    return json.dumps({"manifest_version": version, "name": "Test", "version": "1.0", **named, **keys})


def with_background(script: str) -> Files:
    return {"manifest.json": manifest_of(background={"scripts": ["a.js"]}), "a.js": script}


def module(statement: str) -> str:
    return f"({{'./a.js': function(module, exports, __webpack_require__) {{{statement}}}}});"


ESCAPED = {
    "a();\nb();": "a(); \nb();",
    "a('x');": "a('x');",
    'a("x");': 'a( "x" );',
    'a("");': 'a( "" );',
    'a("x\\ny");b': 'a( "x\\ny"  );b',
    "a('it\\'s', \"\\\"\")": "a('it\\'s' ,  \"\\\"\"   )",
    'a(`"${"x"}"\n`, 1)': 'a(`"${  "x" }"\n`  , 1)',
    'a = /["\\/]/g.test(b)': 'a = /["\\/]/g  .test(b)',
    "a / b / c": "a / b / c",
    'a("\x01", "\\\\")': 'a( "\x01"      ,  "\\\\"   )',
    '// "x\nb': '//  "x \nb',
    '/* "\n */b': '/*  " \n */b',
    "\ta('\t')": " \ta('\t' )",
}


@pytest.mark.parametrize(("code", "decoded"), ESCAPED.items())
def test_decoding_pads_tokens_with_spaces(code: str, decoded: str) -> None:
    content = webpack_literal(code)[1:-1].encode()
    found = decoded_in_place(content)
    assert found == decoded.encode()
    assert len(found) == len(content)


@pytest.mark.parametrize(
    "code", ["a(", "a)", "a('", "`${a", "/* a", "\\u0061()", "/* \\\x01 */", "} /a'/.test(b); {"]
)
def test_incomplete_code_is_not_decoded(code: str) -> None:
    assert decoded_in_place(webpack_literal(code)[1:-1].encode()) is None


CODE = 'chrome.tabs.qury({});\n\nvar text = "chrome";\n\n//# sourceURL=webpack:///./a.js?'

DECODED = {
    "a statement": module(f"eval({webpack_literal(CODE)});"),
    "no semicolon": module(f"eval({webpack_literal(CODE)})"),
    "behind comments": module(f"\n/*! a */\n// b\neval({webpack_literal(CODE)});\n\n/***/ "),
    "behind a directive": module(f'\n\n"use strict";\neval({webpack_literal(CODE)});\n'),
    "an arrow": f"const m = {{a: (module) => {{ eval({webpack_literal(CODE)}) }}}};",
    "Trusted Types": module(f"eval(__webpack_require__.ts({webpack_literal(CODE)}));"),
    "an inner block": module(f"eval({webpack_literal('{' + CODE + chr(10) + '}')});"),
    "single quotes": module("eval('" + CODE.replace("\n", "\\n") + "');"),
}


@pytest.mark.parametrize("script", DECODED.values(), ids=DECODED.keys())
def test_module_in_string_is_analyzed(script: str) -> None:
    assert reported(with_background(script), RULES) == [("unknown-api", "chrome.tabs.qury")]


NOT_DECODED = {
    "one of several statements": module(f"before(); eval({webpack_literal(CODE)});"),
    "not a statement": module(f"return eval({webpack_literal(CODE)});"),
    "no block": f"eval({webpack_literal(CODE)});",
    "two strings": module(f"eval({webpack_literal(CODE)} + 'x');"),
    "two arguments": module(f"eval({webpack_literal(CODE)}, 1);"),
    "a template": module(f"eval(`{MISTAKE}`);"),
    "not a whole piece": module(f"eval({webpack_literal(CODE + chr(10) + 'a(')});"),
    "a mistake in its syntax": module(f"eval({webpack_literal(CODE + chr(10) + 'x = ;')});"),
    "a name that is declared twice": module(f"eval({webpack_literal('let a; let a; ' + CODE)});"),
    "an escape in a name": module(f"eval({webpack_literal('chrome.tabs.q' + chr(92) + 'u0075ry({});')});"),
}


@pytest.mark.parametrize("script", NOT_DECODED.values(), ids=NOT_DECODED.keys())
def test_string_that_is_not_analyzed_is_reported(script: str) -> None:
    assert [each.rule for each in lint(with_background(script), RULES)] == ["incomplete-analysis"]


@pytest.mark.parametrize(
    "script",
    [
        f"const text = '{module(f'eval({MISTAKE!r});')}';".replace("'./a.js'", "a").replace('"', "`"),
        f"// {module(f'eval({webpack_literal(MISTAKE)});')}",
        f"`{module(f'eval({webpack_literal(MISTAKE)});')}`;",
    ],
)
def test_text_that_resembles_a_call_is_unchanged(script: str) -> None:
    assert with_eval_code(script.encode(), "javascript") == script.encode()


def test_modules_in_strings_import_each_other() -> None:
    exporting = "r.r(e);\nr.d(e, { api: () => api });\nconst api = chrome;\n//# sourceURL=[module]\n"
    importing = 'r.r(e);\nvar x = r("./a.js");\nx.api.tabs.qury({});\n//# sourceURL=[module]\n'
    modules = (("./a.js", exporting), ("./b.js", importing))
    table = ",\n".join(
        f'"{name}": ((m, e, r) => {{ eval({webpack_literal(code)}); }})' for name, code in modules
    )
    script = fill(bundle_shapes.WEBPACK_5, MODULES=table, BODY='load("./b.js")')
    assert reported(with_background(script), RULES) == [("unknown-api", "x.api.tabs.qury")]


def test_fix_is_applied_inside_the_string() -> None:
    code = 'chrome.tabs.query({\n  "activ": true\n});'
    script = module(f"eval({webpack_literal(code)});")
    expected = script.replace("activ", "active")
    assert fixed(with_background(script), "chrome", select=["invalid-argument"]) == {"a.js": expected}


def test_suppression_comments_in_strings_are_ignored() -> None:
    code = f"// extlint-disable-next-line unknown-api -- a\n{MISTAKE}"
    assert reported(with_background(module(f"eval({webpack_literal(code)});")), RULES) == [
        ("unknown-api", "chrome.tabs.qury")
    ]


BLOCKED = ["incomplete-analysis", "string-code"]
ANALYZED = ["unknown-api"]
PAGE = {"page.html": "<script src='a.js'></script>"}
CONTENT = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]}

POLICIES: dict[str, tuple[str, list[str]]] = {
    "a worker": (manifest_of(3, None, background={"service_worker": "a.js"}), BLOCKED),
    "a Manifest V3 content script": (manifest_of(3, None, **CONTENT), BLOCKED),
    "a page that runs strings": (manifest_of(browser_action={"default_popup": "page.html"}), ANALYZED),
    "a page that runs none": (manifest_of(2, None, browser_action={"default_popup": "page.html"}), BLOCKED),
    "a background that runs none": (manifest_of(2, None, background={"scripts": ["a.js"]}), BLOCKED),
    "a Manifest V2 content script": (manifest_of(2, None, **CONTENT), ANALYZED),
    "one that is in the background too": (
        manifest_of(2, None, background={"scripts": ["a.js"]}, **CONTENT),
        BLOCKED,
    ),
}


@pytest.mark.parametrize(("manifest_file", "rules"), POLICIES.values(), ids=POLICIES.keys())
def test_strings_are_analyzed_only_if_policy_allows_eval(manifest_file: str, rules: list[str]) -> None:
    script = f"(function(module) {{ eval({webpack_literal('chrome.runtime.getUrl();')}); }})({{}});"
    files = {"manifest.json": manifest_file, "a.js": script, **PAGE}
    assert sorted({each.rule for each in lint(files, RULES, "chrome<=138")}) == rules


TEXT = st.text(
    st.sampled_from("ab chrome\"'`\\/${}()[]\n\t\r\x00\x01\u00e9\u2028\U0001f600019*"), max_size=12
)


def quoted(text: str, quote: str) -> str:
    """Returns a string literal with as few escapes as JavaScript allows."""
    found = text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return quote + found.replace("\n", "\\n").replace("\r", "\\r") + quote


def template(before: str, expression: str, after: str) -> str:
    escaped = [
        each.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$").replace("\r", "")
        for each in (before, after)
    ]
    return f"`{escaped[0]}${{{expression}}}{escaped[1]}`"


STRINGS = st.builds(quoted, TEXT, st.sampled_from("\"'"))
REGEXES = st.sampled_from([r"/\d+\"\//g", r"/[\"'`/\\]+/", r"/a\n\t\\/u", r"/(?:x|'y')/"])
VALUES = st.recursive(
    STRINGS | REGEXES,
    lambda inner: st.builds(template, TEXT, inner, TEXT) | st.builds("[{}, {}]".format, inner, inner),
    max_leaves=4,
)
STATEMENTS = st.one_of(
    st.builds("use({});".format, VALUES),
    st.builds("var x = {}, y = z / 2 / 3;".format, VALUES),
    st.builds("chrome.tabs.qury({});".format, VALUES),
    st.builds("chrome.tabs.query({{{}: 1}});".format, STRINGS.filter(lambda each: len(each) > 2)),
    st.builds("if (x) {{ chrome.runtime.getUrl({}); }}".format, VALUES),
    st.just('chrome["tabs"].creat({"url": "https://example.org/"});'),
    st.just('chrome.tabs.create({"ur": "https://example.org/", active: 1});'),
    st.builds("/* {} */".format, TEXT.map(lambda each: re.sub(r"[*\x00\x01]", "", each))),
    st.builds("// {}\n".format, TEXT.map(lambda each: re.sub(r"[\s\x00\x01]", " ", each))),
)
MODULES = st.lists(
    st.tuples(STATEMENTS, st.sampled_from(["\n", "", "\n\n\t", " "])), min_size=1, max_size=6
).map(lambda each: "".join(statement + space for statement, space in each) + "\n//# sourceURL=[module]")

BEFORE, AFTER = "var m = {a: function(module, exports) {", "\n}}; m.a({}, {});"


def found_in(script: str) -> Sequence[Finding]:
    return lint(with_background(script), RULES)


def offset_of(text: str, position: Position) -> int:
    """Returns the number of code points before a position."""
    lines = text.replace("\r\n", " \n").replace("\r", "\n").split("\n")
    return sum(len(each) + 1 for each in lines[: position.line - 1]) + position.column - 1


@settings(max_examples=examples(150))
@given(MODULES)
def test_string_has_the_same_findings_as_its_code(code: str) -> None:
    plain = BEFORE + code + AFTER
    written = f"{BEFORE}eval({webpack_literal(code)}){AFTER}"
    read = with_eval_code(written.encode(), "javascript")
    assert len(read) == len(written.encode())
    assert b"eval" not in read
    trees = [parse(parsable(text), "javascript") for text in (plain.encode(), read)]
    assert [tree is not None and tree.root_node.has_error for tree in trees] == [False, False]
    expected = []
    for each in found_in(plain):
        at = offset_of(plain, each.span.start)
        escaped = len(webpack_literal(code[: at - len(BEFORE)])) - 2
        starts_string = plain[at] == '"'
        expected.append((each.rule, each.message, len(BEFORE) + len('eval("') + escaped + starts_string))
    found = [(each.rule, each.message, offset_of(written, each.span.start)) for each in found_in(written)]
    assert found == expected
    assert all(text_under(with_background(written), each) for each in found_in(written))
