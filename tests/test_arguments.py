"""Inferred values of call arguments."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.values import (
    Api,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
)
from extlint.analysis.values import property_index


def render(value: Value) -> str:
    """Renders a value in the notation of the tables below: `?` is unknown, `…` is an open end."""
    match value:
        case Literal(Kind.NUMBER, float() as amount):
            return f"{amount:g}"
        case Literal(Kind.BIGINT, amount):
            return f"{amount}n"
        case Literal(Kind.NULL | Kind.UNDEFINED as kind):
            return str(kind.value)
        case Literal(_, bool() as truth):
            return str(truth).lower()
        case Literal(_, text):
            return f"'{text}'"
        case Typed(kind):
            return str(kind.value)
        case ObjectValue(fields, is_open):
            listed = [f"{k}{'?' * v.maybe_absent}: {render(v.value)}" for k, v in fields.items()]
            return "{" + ", ".join([*listed, *["…"] * is_open]) + "}"
        case ArrayValue(items, is_open):
            return "[" + ", ".join([*map(render, items), *["…"] * is_open]) + "]"
        case FunctionValue(is_class=True):
            return "class"
        case FunctionValue(parameters, has_rest):
            return f"function({len(parameters or ())}{'…' * has_rest})"
        case InstanceValue(name):
            return f"new {name}"
        case Api(path):
            return ".".join(("api", *path))
        case Union(options):
            return " | ".join(map(render, options))
    return "?"


def rendered_arguments(source: str) -> str:
    """Returns the arguments of the last call of `test.log` in a script."""
    call = [each for each in analyze(source.encode(), "a.js").calls if each.path == ("test", "log")][-1]
    return ", ".join([*map(render, call.arguments), *["…"] * call.open])


EXPRESSIONS = {
    "a string": ("'a'", "'a'"),
    "escapes": (r"'\x41\u0042\u{43}\n\'\z'", "'ABC\n'z'"),
    "a template": ("`a${1 + 1}b`", "'a2b'"),
    "a template with an unknown part": ("`a${x}`", "string"),
    "a tagged template": ("tag`a`", "?"),
    "numbers": ("0x10, 1e3, 1_000, .5, 0b11, 017", "16, 1000, 1000, 0.5, 3, 15"),
    "a bigint": ("12n", "12n"),
    "a negative number": ("-1", "-1"),
    "constants": ("true, null, undefined, NaN, void 0", "true, null, undefined, nan, undefined"),
    "a regular expression": ("/a/g", "new RegExp"),
    "an array": ("[1, 'a', x]", "[1, 'a', ?]"),
    "an array with a spread": ("[1, ...x, 2]", "[1, …]"),
    "an array with a hole": ("[1, , 2]", "[1, …]"),
    "a trailing comma is not a hole": ("[1, 2, ]", "[1, 2]"),
    "an object": ("{a: 1, 'b': x, [`c`]: 2}", "{a: 1, b: ?, c: 2}"),
    "a computed key": ("{a: 1, [x]: 2, b: 3}", "{a: ?, b: 3, …}"),
    "a spread of a literal": ("{a: 1, ...{b: 2}}", "{a: 1, b: 2}"),
    "an unknown spread may overwrite": ("{a: 1, ...x, b: 2}", "{a: ?, b: 2, …}"),
    "a conditional spread": ("{a: 1, ...(x && {b: 2})}", "{a: ?, …}"),
    "a spread of a condition": ("{...(x ? {b: 2} : {})}", "{b?: 2}"),
    "a spread of nothing": ("{...null, ...undefined, a: 1}", "{a: 1}"),
    "methods": ("{m() {}, get g() { return 1 }, async a() {}}", "{m: function(0), g: 1, a: function(0)}"),
    "a prototype": ("{__proto__: x, a: 1}", "{a: 1, …}"),
    "functions": (
        "() => 1, a => a, (a, b) => {}, function (a, ...b) {}, async (a) => {}",
        "function(0), function(1), function(2), function(1…), function(1)",
    ),
    "parameters with a default at the end": (
        "(a, b = 1) => {}, (a = 1, b) => {}, ({a} = {}) => {}",
        "function(1), function(2), function(0)",
    ),
    "a class": ("class A {}", "class"),
    "not": ("!x, !0, !'a'", "boolean, true, false"),
    "typeof": ("typeof x", "string"),
    "comparisons": ("x === y, x < 1, 'a' in x, x instanceof Y", "boolean, boolean, boolean, boolean"),
    "sums": ("1 + 2, 'a' + 1, x + 'a', x + 1", "3, 'a1', string, string | number"),
    "a sum of unknowns": ("x + y", "string | number | bigint"),
    "arithmetic": ("2 * 3, x - 1, x * y", "6, number, number | bigint"),
    "a conversion": ("String(x), Number(x), Boolean(x)", "string, number, boolean"),
    "a shadowed conversion": ("((String) => String(1))(x)", "?"),
    "a ternary": ("x ? 1 : 'a'", "1 | 'a'"),
    "a ternary that is decided": ("true ? 1 : 'a'", "1"),
    "or": ("x || 1, '' || 1, 'a' || 1", "? | 1, 1, 'a'"),
    "and": ("x && 1, 0 && 1, 'a' && 1", "? | 1, 0, 1"),
    "data that depends on a member": ("browser.menus && 1, browser && 'a'", "undefined | 1, undefined | 'a'"),
    "a field that depends on a member": ("{a: 1, ...(browser.menus && {b: 2})}", "{a: 1, b?: 2}"),
    "a member that depends on a member": ("browser.menus && browser.menus.create", "api.menus.create"),
    "a function that depends on a member": ("browser.menus && (() => 1)", "function(0)"),
    "nullish": ("x ?? 1, null ?? 1, 0 ?? 1", "? | 1, 1, 0"),
    "a comma expression": ("(1, 'a')", "'a'"),
    "an assignment": ("y = 1", "1"),
    "an increment": ("y++", "number"),
    "a promise": (
        "Promise.resolve(1), new Promise(f), (async () => 1)()",
        "new Promise, new Promise, new Promise",
    ),
    "an awaited promise": ("await Promise.resolve(1)", "1"),
    "instances": ("new Map(), new RegExp('a'), new Date", "new Map, new RegExp, new Date"),
    "an instance of an unknown class": ("new Thing()", "?"),
    "spread arguments": ("1, ...x, 2", "1, …"),
    "spread of a literal": ("1, ...[2, 3], 4", "1, 2, 3, 4"),
    "the API": ("browser.management.getAll", "api.management.getAll"),
    "the result of an API call": ("browser.management.getAll()", "?"),
    "an unknown name": ("x", "?"),
    "math": ("Math.max(1, 2), Date.now(), Array.isArray(x)", "number, number, boolean"),
    "length": ("'abc'.length, [1].length", "number, number"),
    "an item": ("['a', 'b'][1]", "'b'"),
    "a field": ("({a: {b: 1}}).a.b", "1"),
    "text methods": ("'a'.trim(), `${x}`.toUpperCase()", "string, string"),
}


@pytest.mark.parametrize(("source", "expected"), EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_argument_expression(source: str, expected: str) -> None:
    assert rendered_arguments(f"browser.test.log({source})") == expected


VARIABLES = {
    "a constant": ("const a = 1; browser.test.log(a)", "1"),
    "a variable never written": ("let a; browser.test.log(a)", "undefined"),
    "the last write counts": ("let a = 1; a = 'x'; browser.test.log(a)", "'x'"),
    "a write in a condition": ("let a = 1; if (c) a = 'x'; browser.test.log(a)", "1 | 'x'"),
    "a write in both branches": ("let a; if (c) a = 1; else a = 2; browser.test.log(a)", "undefined | 1 | 2"),
    "a read in the same branch": ("let a = 1; if (c) { a = 2; browser.test.log(a) }", "2"),
    "a read in the other branch": ("let a = 1; if (c) { a = 2 } else { browser.test.log(a) }", "1 | 2"),
    "a write after the read": ("let a = 1; browser.test.log(a); a = 2", "1"),
    "a write later in a loop": ("let a = 1; for (;;) { browser.test.log(a); a = 2 }", "1 | 2"),
    "a `var` later in a loop": ("var a = 1; for (;;) { browser.test.log(a); var a }", "1"),
    "a write in another function": ("let a = 1; function f() { a = 2 } browser.test.log(a)", "1 | 2"),
    "a read in another function": ("let a; a = 1; function f() { browser.test.log(a) }", "1"),
    "a read after a test": ("(() => { let a = null; a && browser.test.log(a); a = 1 })()", "?"),
    "a read in a tested branch": ("let a = false; if (a) browser.test.log(a); a = 1", "?"),
    "a read after an early exit": (
        "function f() { let a; if (!a) return; browser.test.log(a); a = 1 } f()",
        "?",
    ),
    "a read after another test": ("let a = null; if (b) browser.test.log(a); a = 1", "null"),
    "a read after a failed test": ("let a = null; if (!a) browser.test.log(a); a = 1", "null"),
    "a write after the test": ("let a = 1; if (a) { a = null; browser.test.log(a) }", "null"),
    "a tested value that is not falsy": ("let a = c ? null : 1; if (a) browser.test.log(a)", "1"),
    "a loop variable": ("for (const a of [1, 'x']) browser.test.log(a)", "1 | 'x'"),
    "a loop variable of what is known in part": ("for (const a of [1, ...b]) browser.test.log(a)", "?"),
    "a loop variable of what others change": (
        "const b = [1]; f(b); for (const a of b) browser.test.log(a)",
        "?",
    ),
    "a counter": ("for (let i = 0; i < 3; i++) browser.test.log(i)", "0 | number"),
    "a compound assignment": ("let a = 1; a += 1; browser.test.log(a)", "?"),
    "a default by assignment": ("let a = null; a ??= 1; browser.test.log(a)", "null | 1"),
    "destructuring": ("const {a, b: [c]} = {a: 1, b: ['x']}; browser.test.log(a, c)", "1, 'x'"),
    "the rest of an object": ("const {a, ...b} = {a: 1, c: 2}; browser.test.log(b)", "{c: 2}"),
    "the rest after an unknown key": (
        "const {[k]: a, ...b} = {a: 1, c: 2}; browser.test.log(b)",
        "{a?: 1, c?: 2, …}",
    ),
    "a write inside of a write": ("let a = 'x'; a += (a = 1); browser.test.log(a)", "?"),
    "a default": ("const {a = 1} = {}; browser.test.log(a)", "? | 1"),
    "a parameter": ("function f(a) { browser.test.log(a) }", "?"),
    "a parameter of an IIFE": ("((a, b) => browser.test.log(a, b))(1)", "1, undefined"),
    "a parameter of a local function": (
        "(() => { function f(a) { browser.test.log(a) } f(1); f('x') })()",
        "1 | 'x'",
    ),
    "a parameter of a function that escapes": (
        "(() => { function f(a) { browser.test.log(a) } f(1); g(f) })()",
        "1 | ?",
    ),
    "a global function": ("function f(a) { browser.test.log(a) } f(1)", "1"),
    "a global function that is exported": ("export function f(a) { browser.test.log(a) } f(1)", "1 | ?"),
    "a global function that checks its argument type": (
        "function f(a) { if (typeof a === 'string') browser.test.log(a) } f(1)",
        "?",
    ),
    "a function's return value": ("function f() { return 1 } browser.test.log(f())", "1"),
    "a function with two return values": (
        "function f() { if (c) return 1; return 'x' } browser.test.log(f())",
        "1 | 'x'",
    ),
    "a function that gives nothing": ("function f() {} browser.test.log(f())", "undefined"),
    "a function that may end without a value": (
        "function f() { if (c) return 1 } browser.test.log(f())",
        "1 | undefined",
    ),
    "a generator": ("function* f() { return 1 } browser.test.log(f())", "?"),
    "a function's name": ("function f(a) {} browser.test.log(f)", "function(1)"),
    "a recursive constant": ("const a = [a]; browser.test.log(a)", "?"),
    "a value that grows in a loop": ("let a = 1; for (;;) { browser.test.log(a); a = [a] }", "1 | ?"),
    "a sum that grows in a loop": ("let a = 1; for (;;) { browser.test.log(a); a = a + 'x' }", "1 | string"),
    "two functions that call each other": (
        "function f(n) { return n ? g(n) : 1 } function g(n) { return f(n) } browser.test.log(g(1))",
        "1",
    ),
    "a recursive function": ("function f(n) { return n ? f(n - 1) : 1 } browser.test.log(f(3))", "1"),
    "an object": ("const o = {a: 1}; browser.test.log(o)", "{a: 1}"),
    "an object that was read": ("const o = {a: 1}; console.log(o, o.a); browser.test.log(o)", "{a: 1}"),
    "an object with a property set": ("const o = {}; o.a = 1; browser.test.log(o)", "{a: 1}"),
    "a property set in a condition": ("const o = {}; if (c) o.a = 1; browser.test.log(o)", "{a?: 1}"),
    "a property set twice": ("const o = {a: 'x'}; o.a = 1; o.a = 2; browser.test.log(o)", "{a: 'x' | 1 | 2}"),
    "a property set of an object that may have it": (
        "const o = {...x}; if (c) o.a = 1; browser.test.log(o)",
        "{a?: ? | 1, …}",
    ),
    "a spread over an unknown one": ("browser.test.log({...x, ...(c ? {a: 1} : {})})", "{a?: 1 | ?, …}"),
    "a method of an object passed to a function": (
        "const o = {m() {}, a: {b: 1}}; f(o); browser.test.log(o)",
        "{m: function(0), …}",
    ),
    "a method that is replaced": ("const o = {m() {}}; o.m = 1; f(o); browser.test.log(o)", "{…}"),
    "a method that a pattern replaces": ("const o = {m() {}}; [o.m] = [1]; browser.test.log(o)", "{…}"),
    "a property set by an unknown name": ("const o = {a: 1}; o[k] = 2; browser.test.log(o)", "{…}"),
    "an object passed to a function": ("const o = {a: 1}; f(o); browser.test.log(o)", "{…}"),
    "an object with another name": ("const o = {a: 1}; const p = o; p.a = 2; browser.test.log(o)", "{…}"),
    "an object whose method was called": (
        "const o = {a: 1, m() {}}; o.m(); browser.test.log(o)",
        "{m: function(0), …}",
    ),
    "an object used by the API before": ("const o = {a: 1}; browser.x.y(o); browser.test.log(o)", "{a: 1}"),
    "a deleted property": ("const o = {a: 1}; delete o.a; browser.test.log(o)", "{…}"),
    "an array that was pushed to": ("const l = [1]; l.push(2); browser.test.log(l)", "[…]"),
    "an item that was set": ("const l = [1]; l[0] = 'x'; browser.test.log(l)", "[…]"),
    "a frozen object": ("const o = Object.freeze({a: 1}); browser.test.log(o)", "{a: 1}"),
    "a write in a with statement": ("let a = 1; with (o) { a = 'x' } browser.test.log(a)", "1 | 'x'"),
    "a write that a break may pass over": (
        "let a = 1; l: { if (c) break l; a = 'x' } browser.test.log(a)",
        "1 | 'x'",
    ),
    "a direct eval": ("let a = 1; eval(s); browser.test.log(a)", "?"),
    "a direct eval in a function": ("let a = 1; function f() { eval(s) } browser.test.log(a)", "?"),
    "a direct eval elsewhere": ("function f() { eval(s) } { let a = 1; browser.test.log(a) }", "1"),
    "a constant that eval sees": ("const a = 1; eval(s); browser.test.log(a)", "1"),
    "a new function": ("let a = 1; new Function(s)(); browser.test.log(a)", "1"),
    "a field of a class": ("class A { a = 1; m() { browser.test.log(this.a) } }", "?"),
    "a static field": ("class A { static a = 1 } browser.test.log(A.a)", "?"),
    "a private field": ("class A { #a = 1; m() { browser.test.log(this.#a) } }", "1 | undefined"),
    "a private field that others write": (
        "class A { #a = 1; m(o) { o.#a = 'x'; browser.test.log(this.#a) } }",
        "1 | 'x' | undefined",
    ),
    "the API in a field": ("class A { a = browser; m() { browser.test.log(this.a) } }", "api"),
    "a method that a subclass replaces": (
        "class A { m() {} n() { browser.test.log(this.m) } } class B extends A { m = 1 }",
        "?",
    ),
    "a property of an object by its own method": ("x = { a: 1, m() { browser.test.log(this.a) } }", "?"),
    "a global": ("a = 1; browser.test.log(a)", "?"),
    "arguments by call": ("browser.test.log.call(null, 1, 2)", "1, 2"),
    "arguments by apply": ("browser.test.log.apply(null, [1, 2])", "1, 2"),
    "unknown arguments by apply": ("browser.test.log.apply(null, arguments)", "…"),
    "bound arguments": ("const f = browser.test.log.bind(null, 1); f(2)", "1, 2"),
    "an enum of the API": (
        "browser.test.log(browser.management.ExtensionType.EXTENSION)",
        "api.management.ExtensionType.EXTENSION",
    ),
}


@pytest.mark.parametrize(("source", "expected"), VARIABLES.values(), ids=VARIABLES.keys())
def test_argument_variable(source: str, expected: str) -> None:
    assert rendered_arguments(source) == expected


def test_private_field_with_too_many_mentions_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class A { #a = 1; m() { browser.test.log(this.#a) } }" + "x.#a;" * 20
    assert rendered_arguments(source) == "1 | undefined"
    monkeypatch.setattr(property_index, "MAX_PLACES", 20)
    assert rendered_arguments(source) == "?"


def test_argument_span_is_at_call_and_part_spans_at_literal() -> None:
    source = b"const o = {a: 1}; browser.test.log(o)"
    (call,) = analyze(source, "a.js").calls
    (argument,) = call.arguments
    assert isinstance(argument, ObjectValue)
    assert argument.span == (source.rindex(b"o"), source.rindex(b"o") + 1)
    assert argument.fields["a"].key == (11, 12)
    assert argument.fields["a"].value.span == (14, 15)
