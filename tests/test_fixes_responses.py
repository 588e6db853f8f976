"""Fixes of `lost-response`: `return true` on the paths on which a listener responds later."""

from __future__ import annotations

import pytest
from fixing import fixed, with_fixes
from harness import SENDER, manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

BACKGROUND = {"background": {"scripts": ["a.js"], "service_worker": "a.js"}}
SELECTED = ("lost-response", "invalid-syntax")
LATE = "load(m).then(r)"
TAIL = "async function load(m) {}\n"


def fix(script: str, name: str = "a.js", target: str = "firefox,chrome") -> str | None:
    """Returns a fixed background script, which has no mistake left, or None if it is not fixed."""
    background = {"scripts": [name], "service_worker": name}
    files = {
        **SENDER,
        "manifest.json": manifest(permissions=["storage"], background=background),
        name: script,
    }
    found = with_fixes(files, target, unsafe=True, select=SELECTED)
    assert [each.rule for each in found.before] == ["lost-response"], "it has one mistake"
    assert not any(each.fix.safe for each in found.before if each.fix), "the fix is unsafe"
    assert not (found.files and found.remaining)
    return found.files.get(name)


def listener(body: str) -> str:
    return f"chrome.runtime.onMessage.addListener((m, s, r) => {{{body}}});\n{TAIL}"


BODIES = {
    "the end of the listener": (f" {LATE}; ", f" {LATE}; return true; "),
    "a line of its own": (f"\n  {LATE};\n", f"\n  {LATE};\n  return true;\n"),
    "no semicolons": (f"\n  {LATE}\n", f"\n  {LATE}\n  return true\n"),
    "no semicolon on the line": (f" {LATE} ", f" {LATE}; return true; "),
    "minified": (f"{LATE}", f"{LATE}; return true;"),
    "tabs": (f"\n\t{LATE};\n", f"\n\t{LATE};\n\treturn true;\n"),
    "carriage returns": (f"\r\n  {LATE};\r\n", f"\r\n  {LATE};\r\n  return true;\r\n"),
    "a comment on the line": (
        f"\n  {LATE}; /* a */ // b\n  // c\n",
        f"\n  {LATE}; /* a */ // b\n  return true;\n  // c\n",
    ),
    "a statement on the line of the brace": (f" {LATE};\n", f" {LATE}; return true;\n"),
    "later statements": (
        f"\n  {LATE};\n  console.log(m);\n",
        f"\n  {LATE};\n  console.log(m);\n  return true;\n",
    ),
    "a function below": (
        f"\n  {LATE}\n  function f() {{}}\n",
        f"\n  {LATE}\n  function f() {{}}\n  return true\n",
    ),
    "a handler without a semicolon": (
        " const x = new XMLHttpRequest(); x.onload = function () { r(1) } ",
        " const x = new XMLHttpRequest(); x.onload = function () { r(1) }; return true; ",
    ),
    "a variable": (f"\n  const p = {LATE};\n", f"\n  const p = {LATE};\n  return true;\n"),
    "a function that is called at once": (
        "\n  (async () => {\n    r(await load(m));\n  })();\n",
        "\n  (async () => {\n    r(await load(m));\n  })();\n  return true;\n",
    ),
    "a block": (
        f" if (m) {{ {LATE}; }} ",
        f" if (m) {{ {LATE}; return true; }} ",
    ),
    "a branch without braces": (
        f" if (m) {LATE}; else r(1); ",
        f" if (m) {{ {LATE}; return true; }} else r(1); ",
    ),
    "a branch on a line": (
        f"\n  if (m)\n    {LATE};\n  else\n    r(1);\n",
        f"\n  if (m) {{\n    {LATE};\n    return true;\n  }}\n  else\n    r(1);\n",
    ),
    "a branch on a line with carriage returns": (
        f"\r\n\tif (m)\r\n\t\t{LATE}\r\n",
        f"\r\n\tif (m) {{\r\n\t\t{LATE}\r\n\t\treturn true\r\n\t}}\r\n",
    ),
    "an `else`": (
        f" if (m) r(1); else {LATE} ",
        f" if (m) r(1); else {{ {LATE}; return true; }} ",
    ),
    "several branches": (
        f" if (m.a === 1) {{ {LATE}; }} else if (m.a === 2) {{ {LATE}; return; }} else {{ r(0); }} ",
        f" if (m.a === 1) {{ {LATE}; return true; }} else if (m.a === 2) {{ {LATE}; return true; }}"
        " else { r(0); } ",
    ),
    "a branch before others that exclude it": (
        f" if (m.a === 1) {{ {LATE}; }} if (m.a === 2) {{ g(); }} else if (m.a === 3) g(); ",
        f" if (m.a === 1) {{ {LATE}; return true; }} if (m.a === 2) {{ g(); }} else if (m.a === 3) g(); ",
    ),
    "a branch before `return false`": (
        f" if (m) {{ {LATE}; }} return false; ",
        f" if (m) {{ {LATE}; return true; }} return false; ",
    ),
    "`return false`": (f" {LATE}; return false; ", f" {LATE}; return true; "),
    "`return` without a value": (f" {LATE}; return; ", f" {LATE}; return true; "),
    "minified `return false`": (f"{LATE};return!1", f"{LATE};return true"),
    "`return` on some paths": (
        f" {LATE}; if (m.b) return; g(); ",
        f" {LATE}; if (m.b) return true; g(); return true; ",
    ),
    "an earlier exit": (
        f" if (m) {{ r(0); return; }} {LATE}; ",
        f" if (m) {{ r(0); return; }} {LATE}; return true; ",
    ),
    "the call of a function with a callback": (
        " return chrome.tabs.query({}, r); ",
        " chrome.tabs.query({}, r); return true; ",
    ),
    "such a call in a branch": (
        " if (m) return chrome.tabs.query({}, r)\n ",
        " if (m) { chrome.tabs.query({}, r); return true; }\n ",
    ),
    "`void`": (f" return void {LATE}; ", f" void {LATE}; return true; "),
    "a case": (
        f"\n  switch (m) {{\n    case 1:\n      {LATE};\n      break;\n    case 2:\n      r(1);\n  }}\n",
        f"\n  switch (m) {{\n    case 1:\n      {LATE};\n      return true;\n"
        "    case 2:\n      r(1);\n  }\n",
    ),
    "a case with a block": (
        f" switch (m) {{ case 1: {{ {LATE}; break; }} default: r(1); }} return false; ",
        f" switch (m) {{ case 1: {{ {LATE}; return true; }} default: r(1); }} return false; ",
    ),
    "a branch in a case with a block": (
        f" switch (m) {{ case 1: {{ if (s) {{ {LATE}; }} break; }} default: r(1); }} ",
        f" switch (m) {{ case 1: {{ if (s) {{ {LATE}; return true; }} break; }} default: r(1); }} ",
    ),
    "the last case": (
        f" switch (m) {{ case 1: r(1); break; default: {LATE}; }} ",
        f" switch (m) {{ case 1: r(1); break; default: {LATE}; return true; }} ",
    ),
    "a case before empty ones": (
        f" switch (m) {{ case 1: {LATE}; case 2: default: }} ",
        f" switch (m) {{ case 1: {LATE}; return true; case 2: default: }} ",
    ),
    "a case that falls through to `break`": (
        f" switch (m) {{ case 1: {LATE}; case 2: break; default: }} ",
        f" switch (m) {{ case 1: {LATE}; return true; case 2: break; default: }} ",
    ),
    "all cases": (
        f" switch (m) {{ case 1: {LATE}; break; case 2: {LATE}; break }} ",
        f" switch (m) {{ case 1: {LATE}; return true; case 2: {LATE}; return true }} ",
    ),
    "a `try` block": (
        f" try {{ {LATE}; }} catch (e) {{ console.log(e); }} ",
        f" try {{ {LATE}; return true; }} catch (e) {{ console.log(e); }} ",
    ),
    "a `catch` block": (
        f" try {{ g(); }} catch (e) {{ {LATE}; }} ",
        f" try {{ g(); }} catch (e) {{ {LATE}; return true; }} ",
    ),
}
"""Bodies of a listener, and what they become."""


@pytest.mark.parametrize(("before", "after"), BODIES.values(), ids=BODIES)
def test_listener_returns_true_after(before: str, after: str) -> None:
    assert fix(listener(before)) == listener(after)


UNSURE = {
    "code that the statement would skip": f" if (m) {{ {LATE}; }} console.log(m); ",
    "code after a `switch`": f" switch (m) {{ case 1: {LATE}; break; }} console.log(m); ",
    "code in the next case": f" switch (m) {{ case 1: {LATE}; case 2: g(); }} ",
    "a `break` on some paths": f" switch (m) {{ case 1: {LATE}; if (m.b) break; g(); }} ",
    "another condition": f" if (m.a === 1) {{ {LATE}; }} if (m.b === 2) {{ g(); }} ",
    "an `else` that also runs": f" if (m.a === 1) {{ {LATE}; }} if (m.a === 2) {{}} else {{ g(); }} ",
    "a loop": f" for (const x of m) {{ {LATE}; }} ",
    "a label": f" x: {{ {LATE}; break x; }} ",
    "a condition within the statement": f" m.a && {LATE}; return; ",
    "a choice within the statement": f" m.a ? {LATE} : r(0); return; ",
    "an optional call": " load?.(m).then(r); return; ",
    "another value that is returned": f" {LATE}; return 'true'; ",
    "a comma": f" return {LATE}, undefined; ",
    "a `finally` block that returns": f" try {{ {LATE}; }} finally {{ return; }} ",
    "a condition": f" if ({LATE}) {{ g(); }} ",
}


@pytest.mark.parametrize("body", UNSURE.values(), ids=UNSURE)
def test_listener_is_not_fixed_with(body: str) -> None:
    assert fix(listener(body)) is None


EVENT = "chrome.runtime.onMessage.addListener"
FORMS = {
    "a short arrow function with a callback": (
        f"{EVENT}((m, s, r) => chrome.tabs.query({{}}, r));",
        f"{EVENT}((m, s, r) => {{ chrome.tabs.query({{}}, r); return true; }});",
    ),
    "a short arrow function in lines": (
        f"{EVENT}((m, s, r) =>\n  chrome.tabs.query({{}}, (t) => {{\n    r(t);\n  }}) // a\n);",
        f"{EVENT}((m, s, r) =>\n  {{ chrome.tabs.query({{}}, (t) => {{\n    r(t);\n  }});"
        " return true; } // a\n);",
    ),
    "a short arrow function with `void`": (
        f"{EVENT}((m, s, r) => void {LATE});",
        f"{EVENT}((m, s, r) => {{ void {LATE}; return true; }});",
    ),
    "a short arrow function with parentheses": (
        f"{EVENT}((m, s, r) => (chrome.tabs.query({{}}, r)));",
        f"{EVENT}((m, s, r) => {{ (chrome.tabs.query({{}}, r)); return true; }});",
    ),
    "a function expression": (
        f"{EVENT}(function (m, s, r) {{ {LATE}; }});",
        f"{EVENT}(function (m, s, r) {{ {LATE}; return true; }});",
    ),
    "a function that is bound": (
        f"{EVENT}(function (m, s, r) {{ {LATE}; }}.bind(this));",
        f"{EVENT}(function (m, s, r) {{ {LATE}; return true; }}.bind(this));",
    ),
    "a function with a name": (
        f"{EVENT}(on);\nfunction on(m, s, r) {{ {LATE}; }}",
        f"{EVENT}(on);\nfunction on(m, s, r) {{ {LATE}; return true; }}",
    ),
    "a constant": (
        f"const on = (m, s, r) => {{ {LATE}; }};\n{EVENT}(on);",
        f"const on = (m, s, r) => {{ {LATE}; return true; }};\n{EVENT}(on);",
    ),
    "a method": (
        f"class A {{ on(m, s, r) {{ {LATE}; }} a() {{ {EVENT}(this.on); }} }}\nnew A().a();",
        f"class A {{ on(m, s, r) {{ {LATE}; return true; }} a() {{ {EVENT}(this.on); }} }}\nnew A().a();",
    ),
    "a function that is called elsewhere": (
        f"function on(m, s, r) {{ {LATE}; }}\n{EVENT}(on);\nif (on(1, 2, g)) g();",
        None,
    ),
    "a function that responds for it": (
        f"{EVENT}((m, s, r) => {{ answer(m, r); }});\n"
        "async function answer(m, done) { done(await load(m)); }",
        f"{EVENT}((m, s, r) => {{ answer(m, r); return true; }});\n"
        "async function answer(m, done) { done(await load(m)); }",
    ),
    "an `async` function": (f"{EVENT}(async (m, s, r) => {{ r(await load(m)); return true; }});", None),
    "a function that returns a promise": (
        f"{EVENT}((m, s, r) => other(m, r));\n"
        "async function other(m, r) { r(await load(m)); return true; }",
        None,
    ),
}
"""Listeners, and what they become, or None if they are not fixed."""


@pytest.mark.parametrize(("before", "after"), FORMS.values(), ids=FORMS)
def test_listener_form(before: str, after: str | None) -> None:
    tail = f"\n{TAIL}"
    assert fix(before + tail, target="firefox") == (None if after is None else after + tail)


TYPES = {
    "void": ("void", "true | void"),
    "boolean": ("boolean", "boolean"),
    "boolean or nothing": ("boolean | undefined", "boolean | undefined"),
    "any": ("any", "any"),
    "undefined": ("undefined", None),
    "a name": ("Answer", None),
}


@pytest.mark.parametrize(("before", "after"), TYPES.values(), ids=TYPES)
def test_return_type_of_the_listener(before: str, after: str | None) -> None:
    def script(result: str, end: str) -> str:
        return f"{EVENT}((m: any, s, r): {result} => {{\n  chrome.tabs.query({{}}, r);\n{end}}});\n"

    expected = None if after is None else script(after, "  return true;\n")
    assert fix(script(before, ""), "a.ts") == expected


def test_listener_of_another_module_is_fixed_there() -> None:
    files = {
        **SENDER,
        "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
        "a.js": f"import {{ on }} from './b.js';\n{EVENT}(on);\n",
        "b.js": "export function on(m, s, r) {\n\tfetch(m).then(r);\n}\n",
    }
    after = fixed(files, "chrome", unsafe=True, select=SELECTED)
    assert after == {"b.js": files["b.js"].replace("(r);\n", "(r);\n\treturn true;\n")}


def test_listener_in_a_page_is_fixed_in_the_page() -> None:
    body = "\n  fetch(m).then(r);\n"
    script = f"browser.runtime.onMessage.addListener((m, s, r) => {{{body}}});"
    page = f"<!doctype html>\n<p>é</p><script>\n{script}\n</script>\n"
    files = {**SENDER, "manifest.json": manifest(action={"default_popup": "p.html"}), "p.html": page}
    after = fixed(files, "firefox", unsafe=True, select=SELECTED)
    assert after == {"p.html": page.replace("(r);\n", "(r);\n  return true;\n")}


def test_all_late_responses_of_a_listener_are_fixed_together() -> None:
    body = f"\n  if (m.a)\n    {LATE}\n  else {{\n    chrome.tabs.query({{}}, r)\n  }}\n"
    assert fix(listener(body)) == listener(
        f"\n  if (m.a) {{\n    {LATE}\n    return true\n  }}\n  else {{\n    chrome.tabs.query({{}}, r)\n"
        "    return true\n  }\n"
    )


SPACES = st.sampled_from(["", " ", "\n", "\r\n", "\n\t", "\r\n    ", " /* a */ ", " // a\n", "\r"])
ENDS = st.sampled_from([";", "; ", "\n", ";\r\n", " // b\n", "; /* c */\n", ";\r"])
STATEMENTS = st.sampled_from(
    [
        LATE,
        "chrome.tabs.query({}, (t) => { r(t) })",
        "setTimeout(() => r(1))",
        "const p = load(m).then(r)",
        "return chrome.tabs.query({}, r)",
        "(async () => { r(await load(m)) })()",
        "new Promise((done) => chrome.tabs.query({}, (t) => { r(t); done() }))",
    ]
)
AROUND = st.sampled_from(
    [
        "{}",
        "if (m) {{{}}}",
        "if (m.a === 1) {{{}}} if (m.a === 2) g()",
        "if (m) {{ r(0) }} else {{{}}}",
        "switch (m) {{ case 1: {} break; case 2: r(1) }}",
        "switch (m) {{ case 1: {{{} break }} default: }} return false",
        "try {{{}}} catch (e) {{ g(e) }}",
        "{} g()",
        "if (m) {{{} return }}",
        "{} return!1",
    ]
)


@settings(max_examples=examples(300), deadline=None)
@given(STATEMENTS, AROUND, SPACES, ENDS, SPACES)
def test_fixed_listener_parses_and_keeps_the_rest(
    statement: str, around: str, before: str, end: str, after: str
) -> None:
    """The script parses, has no mistake left, and only gets `return true` and braces."""
    body = around.format(f"{before}{statement}{end}{after}")
    script = listener(body)
    files = {**SENDER, "manifest.json": manifest(**BACKGROUND), "a.js": script}
    found = with_fixes(files, "firefox", unsafe=True, select=SELECTED)
    if [each.rule for each in found.before] == ["lost-response"] and found.files:
        assert [*found.remaining] == []
        assert _without_new(found.files["a.js"]) == _without_new(script)


def _without_new(script: str) -> str:
    for each in ("return true", "return!1", "return", "break", "{", "}", ";", " ", "\n", "\r", "\t"):
        script = script.replace(each, "")
    return script
