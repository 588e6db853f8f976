"""Fixes of `missing-await`: `await` before the promise, and `async` before its function."""

from __future__ import annotations

import pytest
from fixing import fixed, with_fixes
from harness import Files, manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.parse import parse
from extlint.analysis.syntax.tree import SyntaxTree

SELECTED = ("missing-await", "invalid-syntax")
QUERY = "browser.tabs.query({})"
LENGTH = f"{QUERY}.length"
AWAITED = f"(await {QUERY}).length"


def background(script: str, name: str = "a.js") -> Files:
    keys = {"background": {"scripts": [name], "service_worker": name}}
    permissions = ["storage", "downloads", "webRequest"]
    return {"manifest.json": manifest(permissions=permissions, **keys), name: script}


def fix(script: str, name: str = "a.js") -> str | None:
    """Returns a fixed background script, which has no mistake left, or None if it is not fixed."""
    found = with_fixes(background(script, name), "firefox,chrome", unsafe=True, select=SELECTED)
    assert {each.rule for each in found.before} == {"missing-await"}
    assert not any(each.fix.safe for each in found.before if each.fix), "the fix is unsafe"
    assert not (found.files and found.remaining)
    return found.files.get(name)


def inside(body: str) -> str:
    return f"async function f() {{\n  {body}\n}}\nf();\n"


USES = {
    "a property": (LENGTH, AWAITED),
    "a property in brackets": (f"{QUERY}['length']", f"(await {QUERY})['length']"),
    "an optional property": (f"{QUERY}?.length", f"(await {QUERY})?.length"),
    "an item": (f"{QUERY}[0].id", f"(await {QUERY})[0].id"),
    "a method": (f"{QUERY}.forEach(g)", f"(await {QUERY}).forEach(g)"),
    "parentheses": (f"g(({QUERY}).length)", f"g((await {QUERY}).length)"),
    "an operator": (f"g(-{LENGTH} + 1)", f"g(-{AWAITED} + 1)"),
    "an argument": (f"g({LENGTH}, 1)", f"g({AWAITED}, 1)"),
    "a template": (f"`${{{LENGTH}}}`", f"`${{{AWAITED}}}`"),
    "a variable": (f"const t = {QUERY}; g(t[0]);", f"const t = await {QUERY}; g(t[0]);"),
    "a variable with several uses": (
        f"const t = {QUERY};\n  g(t[0], t.length);\n  for (const x of t) g(x);",
        f"const t = await {QUERY};\n  g(t[0], t.length);\n  for (const x of t) g(x);",
    ),
    "a variable with comments": (
        f"const t = /* a */ {QUERY} // b\n  g(t.length)",
        f"const t = /* a */ await {QUERY} // b\n  g(t.length)",
    ),
    "a variable that is assigned": (
        f"let t; t = {QUERY}; g(t.length);",
        f"let t; t = await {QUERY}; g(t.length);",
    ),
    "a variable that a function uses": (
        f"const t = {QUERY}; x.onclick = () => g(t.length);",
        f"const t = await {QUERY}; x.onclick = () => g(t.length);",
    ),
    "a variable that a function uses before": (
        f"x.onclick = () => {{ g(t.length); }}; const t = {QUERY};",
        f"x.onclick = async () => {{ g((await t).length); }}; const t = {QUERY};",
    ),
    "a variable that declared functions use": (
        f"function h() {{ g(t[0]); }} const t = {QUERY}; h(t.length);",
        f"function h() {{ g(t[0]); }} const t = await {QUERY}; h(t.length);",
    ),
    "a variable that is passed on": (
        f"const t = {QUERY}; g(t); if (!t) g(); g(t.length);",
        f"const t = await {QUERY}; g(t); if (!t) g(); g(t.length);",
    ),
    "a variable that is used as a promise": (
        f"const t = {QUERY}; g(await Promise.all([t, g()])); g(t.length);",
        f"const t = {QUERY}; g(await Promise.all([t, g()])); g((await t).length);",
    ),
    "a handler that is called separately": (
        f"g({LENGTH}); x.addEventListener('click', (e) => {{ e.preventDefault(); }});",
        f"g({AWAITED}); x.addEventListener('click', (e) => {{ e.preventDefault(); }});",
    ),
    "a variable that is awaited later": (
        f"const t = {QUERY}; g(t.length); g(await t);",
        f"const t = await {QUERY}; g(t.length); g(await t);",
    ),
    "the result of a function": (
        f"const t = () => {QUERY}; g(t().length);",
        f"const t = () => {QUERY}; g((await t()).length);",
    ),
    "a pattern of an array": (f"const [t] = {QUERY};", f"const [t] = await {QUERY};"),
    "a pattern of an object": (
        "const { k, n = 1 } = chrome.storage.local.get('k');",
        "const { k, n = 1 } = await chrome.storage.local.get('k');",
    ),
    "a pattern that is assigned": (
        "let k; ({ k } = chrome.storage.local.get('k'));",
        "let k; ({ k } = await chrome.storage.local.get('k'));",
    ),
    "a loop": (f"for (const t of {QUERY}) g(t);", f"for (const t of await {QUERY}) g(t);"),
    "a comparison": (
        "if (browser.storage.local.get('k') === 'on') g();",
        "if (await browser.storage.local.get('k') === 'on') g();",
    ),
    "a comparison on the right": (
        "if (5 == chrome.tabs.get(1)) g();",
        "if (5 == await chrome.tabs.get(1)) g();",
    ),
    "a `switch`": (
        "switch (browser.storage.local.get('k')) { case 'a': g(); }",
        "switch (await browser.storage.local.get('k')) { case 'a': g(); }",
    ),
    "a search in a list": (
        "['a'].includes(browser.storage.local.get('k'));",
        "['a'].includes(await browser.storage.local.get('k'));",
    ),
    "an `await` of a property": (f"g(await {LENGTH});", f"g({AWAITED});"),
    "an `await` of several properties": (f"g(await {QUERY}[0].id);", f"g((await {QUERY})[0].id);"),
    "an `await` of a method": (
        f"await {QUERY}.map(g);",
        f"await (await {QUERY}).map(g);",
    ),
    "a statement after one without a semicolon": (
        f"g()\n  {QUERY}.forEach(g)",
        f"g()\n  ;(await {QUERY}).forEach(g)",
    ),
    "a statement after a block": (
        f"if (x) {{ g() }}\n  {QUERY}.forEach(g)",
        f"if (x) {{ g() }}\n  (await {QUERY}).forEach(g)",
    ),
    "a statement after an object": (
        f"const o = {{}}\n  {QUERY}.forEach(g)",
        f"const o = {{}}\n  ;(await {QUERY}).forEach(g)",
    ),
    "a statement after a branch": (
        f"if (x) g()\n  else {QUERY}.forEach(g)",
        f"if (x) g()\n  else (await {QUERY}).forEach(g)",
    ),
    "the first statement of a case": (
        f"switch (x) {{ case 1: {QUERY}.forEach(g) }}",
        f"switch (x) {{ case 1: (await {QUERY}).forEach(g) }}",
    ),
    "an event that is handled already": (
        f"e.preventDefault(); g({LENGTH});",
        f"e.preventDefault(); g({AWAITED});",
    ),
    "a function that has waited": (
        f"await x; g({LENGTH}); e.preventDefault();",
        f"await x; g({AWAITED}); e.preventDefault();",
    ),
}


@pytest.mark.parametrize(("before", "after"), USES.values(), ids=USES)
def test_use_in_an_async_function(before: str, after: str) -> None:
    assert fix(inside(before)) == inside(after)


def test_line_ends_are_kept() -> None:
    before = inside(f"g()\n\t{QUERY}.forEach(g)").replace("\n", "\r\n")
    assert fix(before) == before.replace(QUERY, f";(await {QUERY})")


MADE_ASYNC = {
    "a listener": ("browser.tabs.onCreated.addListener(() => {{ g({}); }});", "() =>"),
    "a short listener": ("browser.tabs.onCreated.addListener(() => {});", "() =>"),
    "a listener without parentheses": ("browser.tabs.onCreated.addListener(t => {});", "t =>"),
    "a listener that is bound": (
        "browser.tabs.onCreated.addListener(function () {{ g({}); }}.bind(this));",
        "function ()",
    ),
    "a callback of the API": ("chrome.tabs.get(1, (t) => {{ g({}); }});", "(t) =>"),
    "a timer": ("setTimeout(function() {{ g({}); }}, 1);", "function()"),
    "a handler of an event": ("x.addEventListener('click', (e) => {{ g({}); }});", "(e) =>"),
    "a handler in a property": ("x.onclick = () => {{ g({}); }};", "() =>"),
    "a function in a promise chain": ("fetch(x).then((y) => {}).then(g);", "(y) =>"),
    "a function that is called at once": ("(function () {{ g({}); }})();", "function ()"),
    "an arrow function that is called at once": ("(() => {{ g({}); }})();", "() => {"),
    "a minified function": ("!function(){{g({})}}()", "function()"),
    "a function that is called": ("function f() {{ g({}); }}\nf();", "function f"),
    "a function that is awaited": (
        "function f() {{ return {}; }}\n(async () => {{ g(await f()); }})();",
        "function f",
    ),
    "a function that an async one returns": (
        "function f() {{ return {}; }}\n(async () => {{ return f(); }})();",
        "function f",
    ),
    "a function that is called on conditions": (
        "const f = () => {{ g({}); }};\nx && f();\ny ? f() : g();",
        "() =>",
    ),
    "a function that listens": (
        "browser.tabs.onCreated.addListener(f);\nfunction f() {{ g({}); }}\nf();",
        "function f",
    ),
    "a function that a listener calls": (
        "const f = () => {{ g({}); }};\nx.addEventListener('a', () => f());",
        "() => {",
    ),
}
"""Scripts with a place for the promise, and the start of the function that becomes `async`."""


@pytest.mark.parametrize(("script", "start"), MADE_ASYNC.values(), ids=MADE_ASYNC)
def test_function_is_made_async(script: str, start: str) -> None:
    assert fix(script.format(LENGTH)) == script.format(AWAITED).replace(start, f"async {start}", 1)


NOT_FIXED = {
    "the top level of a script": f"g({LENGTH});",
    "a listener of messages": f"browser.runtime.onMessage.addListener(() => {{ g({LENGTH}); }});",
    "a named listener of messages": (
        f"browser.runtime.onMessage.addListener(f);\nfunction f() {{ g({LENGTH}); }}"
    ),
    "a listener of requests": (
        f"browser.webRequest.onBeforeRequest.addListener(() => {{ g({LENGTH}); }}, {{}}, ['blocking']);"
    ),
    "a listener that names files": (
        f"chrome.downloads.onDeterminingFilename.addListener(() => {{ g({LENGTH}); }});"
    ),
    "a listener that answers in a function": (
        f"browser.runtime.onMessage.addListener((m, s, r) => {{ (() => {{ r({LENGTH}); }})(); }});"
    ),
    "a function that calls back": f"function f(done) {{ done({LENGTH}); }}\nf(g);",
    "an event that is still handled": (
        f"x.addEventListener('click', (e) => {{ g({LENGTH}); e.preventDefault(); }});"
    ),
    "an async function that still handles an event": (
        f"x.addEventListener('click', async (e) => {{ g({LENGTH}); e.preventDefault(); }});"
    ),
    "a listener that is added later": (
        f"(async () => {{ g({LENGTH}); browser.tabs.onCreated.addListener(g); }})();"
    ),
    "an event that a function handles": (
        f"x.addEventListener('click', (e) => {{ g({LENGTH}); (() => {{ e.preventDefault(); }})(); }});"
    ),
    "a request that requires a click": (
        f"x.onclick = () => {{ g({LENGTH}); browser.permissions.request({{}}); }};"
    ),
    "an error that is read later": (
        f"chrome.tabs.get(1, () => {{ g({LENGTH}); g(chrome.runtime.lastError); }});"
    ),
    "a handler with a result": f"x.onclick = () => {{ g({LENGTH}); return false; }};",
    "a function for each item": f"[1].forEach((y) => g({LENGTH}));",
    "a function for unknown code": f"$(() => g({LENGTH}));",
    "a function whose result is used": f"function f() {{ return {LENGTH}; }}\ng(f() + 1);",
    "a function that is passed on": f"function f() {{ return {LENGTH}; }}\ng(f);",
    "a function that a condition calls": f"function f() {{ return {LENGTH}; }}\nif (f()) g();",
    "a function that is called at once for its result": f"const x = (() => {LENGTH})();",
    "a promise that is made": f"new Promise((done) => g({LENGTH}));",
    "a function in a block": f"if (x) {{ function f() {{ g({LENGTH}); }} f(); }}",
    "a generator": f"function* f() {{ g({LENGTH}); }}\nfor (const x of f());",
    "a function with a variable named await": f"function f(await) {{ g({LENGTH}); }}\nf();",
    "a constructor": f"class A {{ constructor() {{ g({LENGTH}); }} }}\nnew A();",
    "a method": f"class A {{ m() {{ g({LENGTH}); }} }}\nnew A().m();",
    "a getter": f"const o = {{ get n() {{ return {LENGTH}; }} }};\ng(o.n);",
    "a field": f"(async () => {{ class A {{ n = {LENGTH}; }} new A(); }})();",
    "a static block": f"(async () => {{ class A {{ static {{ g({LENGTH}); }} }} }})();",
    "a default of a parameter": f"async function f(n = {LENGTH}) {{ g(n); }}\nf();",
    "an optional call": "(async () => { g(browser.tabs?.query({}).length); })();",
}


@pytest.mark.parametrize("script", NOT_FIXED.values(), ids=NOT_FIXED)
def test_promise_is_not_awaited_in(script: str) -> None:
    assert fix(script) is None


ASYNC_ALREADY = {
    "a method": "class A {{ async m() {{ g({}); }} }}\nnew A().m();",
    "a generator": "async function* f() {{ g({}); }}\nfor (const x of f());",
    "a listener of messages": "browser.runtime.onMessage.addListener(async () => {{ g({}); }});",
    "a function for each item": "[1].forEach(async (y) => g({}));",
    "a listener that answers later": (
        "browser.runtime.onMessage.addListener((m, s, r) => {{\n"
        "  (async () => {{ r({}); }})();\n  return true;\n}});"
    ),
}


@pytest.mark.parametrize("script", ASYNC_ALREADY.values(), ids=ASYNC_ALREADY)
def test_await_is_added_where_functions_are_async(script: str) -> None:
    assert fix(script.format(LENGTH)) == script.format(AWAITED)


TYPESCRIPT = {
    "a return type": (
        f"function f(): void {{ g({LENGTH}); }}\nf();",
        f"async function f(): Promise<void> {{ g({AWAITED}); }}\nf();",
    ),
    "a return type of an arrow function": (
        f"const f = (x: number): {{ n: number }}[] => {LENGTH};\nf(1);",
        f"const f = async (x: number): Promise<{{ n: number }}[]> => {AWAITED};\nf(1);",
    ),
    "type parameters": (
        f"const f = <T,>(x: T) => {{ g({LENGTH}); }};\nf(1);",
        f"const f = async <T,>(x: T) => {{ g({AWAITED}); }};\nf(1);",
    ),
    "a type of the value": (
        inside(f"const t = {QUERY} as any; g(t[0]);"),
        inside(f"const t = await {QUERY} as any; g(t[0]);"),
    ),
    "a value that is not null": (inside(f"g({QUERY}![0]);"), inside(f"g((await {QUERY}!)[0]);")),
    "a type in parentheses": (
        inside(f"g(({QUERY} as Tab[])[0]);"),
        inside(f"g((await {QUERY} as Tab[])[0]);"),
    ),
    "a type before the value": (inside(f"g((<any>{QUERY})[0]);"), inside(f"g((await <any>{QUERY})[0]);")),
    "a type that the function tests": (f"function f(x: any): x is string {{ g({LENGTH}); }}\nf(1);", None),
}


@pytest.mark.parametrize(("before", "after"), TYPESCRIPT.values(), ids=TYPESCRIPT)
def test_typescript_is_fixed(before: str, after: str | None) -> None:
    assert fix(before, "a.ts") == after


def fixed_page(page: str, script: str, **others: str) -> dict[str, str]:
    files = {"manifest.json": manifest(options_ui={"page": "o.html"}), "o.html": page, "a.js": script}
    files |= {f"{name}.js": text for name, text in others.items()}
    return fixed(files, "firefox,chrome", unsafe=True, select=SELECTED)


def test_module_of_a_page_waits_at_its_top_level() -> None:
    script = f"const tabs = {QUERY};\nfor (const tab of tabs) g(tab);\n"
    after = script.replace("browser", "await browser")
    assert fixed_page("<script type=module src=a.js></script>", script) == {"a.js": after}
    assert fixed_page("<script src=a.js></script>", script) == {}


def test_module_of_a_background_does_not_wait_at_its_top_level() -> None:
    for keys in ({"service_worker": "a.js"}, {"scripts": ["a.js"]}):
        files = {"manifest.json": manifest(background={**keys, "type": "module"}), "a.js": f"g({LENGTH});"}
        assert fixed(files, "chrome" if "service_worker" in keys else "firefox", unsafe=True) == {}


def test_function_that_other_scripts_call_is_not_made_async() -> None:
    page = "<script src=a.js></script><script src=b.js></script>"
    script = f"function f() {{ return {LENGTH}; }}\nf();"
    assert fixed_page(page, script, b="g(f());") == {}
    assert fixed_page(page, script, b="g();") == {"a.js": f"async function f() {{ return {AWAITED}; }}\nf();"}


def test_listener_of_a_page_may_be_added_later() -> None:
    script = f"(async () => {{ g({LENGTH}); browser.tabs.onCreated.addListener(g); }})();"
    assert fix(script) is None
    assert fixed_page("<script src=a.js></script>", script) == {"a.js": script.replace(LENGTH, AWAITED)}


def test_exported_function_is_not_made_async() -> None:
    page = "<script type=module src=a.js></script>"
    assert fixed_page(page, f"export function f() {{ return {LENGTH}; }}\nf();") == {}


def test_inline_script_is_fixed_in_its_page() -> None:
    page = f"<!doctype html>\r\n<p>é</p><script type=module>\r\ng()\r\n{QUERY}.forEach(f)\r\n</script>"
    after = page.replace(QUERY, f";(await {QUERY})")
    assert fixed_page(page, "") == {"o.html": after}


STARTS = st.sampled_from(
    ["", "g()\n", "g();", "x = {}\n", "if (x) g()\n", "if (x) {}\r\n", "// a\n", "x = y /* b */\r\n"]
)
PROMISES = st.sampled_from(
    [
        QUERY,
        f"({QUERY})",
        "browser\n  .tabs\n  .query({})",
        "chrome.storage.local.get('k')",
        "(/* a */ h())",
    ]
)
READS = st.sampled_from(
    [
        "{}.length",
        "{}[0]",
        "{}?.[0].id",
        "g({}.length)",
        "const [a] = {}",
        "for (const a of {}) g(a)",
        "{}.map(g)",
        *(
            "const t = {}; t[0]",
            "let t = {}\ng(t.length, t.id)",
            "{} === 'a'",
            "await {}.k",
            "!{}.k",
            "({}).k.l",
        ),
        *("x.y = {}.k", "return {}.k", "throw {}[0]", "if ({}.k) g()", "while ({}.k) g()", "(() => {}.k)"),
    ]
)
FUNCTIONS = st.sampled_from(
    [
        "async function f() {{{}}}\nf()",
        "browser.tabs.onCreated.addListener(() => {{{}}})",
        "(async () => {{\n{}\n}})()",
        "setTimeout(function(){{{}}},1)",
        "const f = async (a) => {{\r\n\t{}\r\n}}; f()",
    ]
)


@settings(max_examples=examples(300), deadline=None)
@given(STARTS, PROMISES, READS, FUNCTIONS, st.sampled_from(["", ";", "\n", "// c\n"]))
def test_fixed_script_parses_and_keeps_the_rest(
    start: str, promise: str, read: str, function: str, end: str
) -> None:
    """The script parses, has no mistake left, and, whatever its layout, only gets `await` and `async`."""
    script = function.format(start + read.format(promise) + end) + f"\nfunction h() {{ return {QUERY} }}"
    files = background(script)
    found = with_fixes(files, "firefox,chrome", unsafe=True, select=SELECTED)
    if {each.rule for each in found.before} == {"missing-await"} and found.files:
        assert [*found.remaining] == []
        assert _parts(found.files["a.js"]) == _parts(script)


def _parts(script: str) -> list[tuple[str, str]]:
    """Returns the type and, of leaves, the text of each node, without what a fix adds, in source order."""
    parsed = parse(script.encode(), "javascript")
    assert parsed is not None
    tree = SyntaxTree(script.encode(), parsed)
    found: list[tuple[str, str]] = []
    waiting: list[Node] = [tree.root]
    while waiting:
        node = waiting.pop()
        parts = node.named()
        waiting += reversed(parts)
        if node.type not in {"await_expression", "empty_statement", "parenthesized_expression"}:
            found.append((node.type, "" if parts else tree.source(node)))
    return found
