"""Functions in object members that no code reads, so that they never run."""

from __future__ import annotations

import pytest
from harness import lint, manifest

USE = "chrome.storage.local.clear()"
LIB = "const lib = { a() { USE }, b: 1 };"
BOX = "class Box { a() { USE } b() {} }"
MADE = "class Box {} const box = new Box(); box.a = () => USE;"
MADE_BY_FUNCTION = "function Box() {} const box = new Box(); box.a = () => USE;"
PROTOTYPE = "function Box() {} Box.prototype.a = () => USE;"
STORED = "const lib = {}; lib.Box = function () {}; lib.Box.prototype.a = () => USE;"


def is_reported(source: str, other_script: str = "") -> bool:
    """Whether a content script's use of an API whose permission is not requested is reported."""
    scripts = {"matches": ["<all_urls>"], "js": ["a.js", "b.js"]}
    files = {
        "manifest.json": manifest(content_scripts=[scripts]),
        "a.js": source.replace("USE", USE),
        "b.js": other_script,
    }
    return len(lint(files, ["missing-permission"], "chrome")) > source.count("chrome.storage")


def called_function(body: str) -> str:
    """Returns the code in a function that is called."""
    return f"(() => {{ {body} }})();"


UNREAD = {
    "a method": f"{LIB} title = lib.b",
    "a function": "const lib = { a: () => USE }; f(lib.b)",
    "a function with a name": "function a() { USE } const lib = { a }; f(lib.b)",
    "a function with two names": "function a() { USE } const b = a, lib = { a: b }",
    "a function called in an unused member": "function a() { USE } const lib = { a() { a() } }; lib.b = 1",
    "an added member": "const lib = {}; lib.a = () => USE; lib.b = 2; f(lib.b)",
    "a defined member": "const lib = {}; Object.defineProperty(lib, 'a', { get: () => USE }); f(lib.b)",
    "a part of a member": "const lib = { in: { a() { USE }, b: 1 } }; f(lib.in.b)",
    "a member in brackets": f"{LIB} f(lib['b'])",
    "a pattern": f"{LIB} const {{ b }} = lib; f(b)",
    "another variable": f"{LIB} const other = lib; f(other.b)",
    "a member of another object": f"{LIB} const all = {{ lib }}; f(all.lib.b)",
    "a frozen object": "const lib = Object.freeze({ a() { USE }, b: 1 }); f(lib.b)",
    "passed to a function that is seen": f"{LIB} function g(x) {{ return x.b }} f(g(lib))",
    "returned by one": f"{LIB} function g(x) {{ return x }} f(g(lib).b)",
    "only tested": f"{LIB} if (lib && typeof lib === 'object' && 'a' in lib) f()",
    "another method with `this`": "const lib = { a() { USE }, b() { f(this.c) }, c: 1 }; lib.b()",
    "read in what nothing calls": f"{LIB} function g() {{ lib.a() }}",
    "used only in another unused member": "const lib = { a() { USE }, b() { lib.a() } }; f(lib.c)",
    "read for a variable that nothing uses": f"{LIB} const a = lib.a",
    "a method of a class": f"{BOX} new Box().b()",
    "one of an instance with a name": f"{BOX} const box = new Box(); box.b(); f(box instanceof Box)",
    "a private method": "class Box { #a() { USE } b() {} } f(new Box().b())",
    "sent as a message": f"{BOX} const box = new Box(); chrome.runtime.sendMessage(box); box.b()",
    "sent by itself": "class Box { a() { USE } b() { chrome.runtime.sendMessage(this) } } new Box().b()",
    "stored": f"{LIB} chrome.storage.local.set(lib)",
    "next to a method called `eval`": f"{LIB} chrome.devtools.inspectedWindow?.eval('x')",
    "a field": "class Box { a = () => USE; b = 1 } f(new Box().b)",
    "added to an instance": f"{MADE} f(box.b)",
    "added to one in an object": "class Box {} const lib = {}; lib.b = new Box(); lib.b.a = () => USE",
    "added to what a function makes": f"{MADE_BY_FUNCTION} box.b()",
    "of a prototype without instances": f"{PROTOTYPE} x.a()",
    "of a prototype that is a literal": "function Box() {} Box.prototype = { a() { USE } }; x.a()",
    "of the prototype of a member": f"{STORED} x.a()",
}


@pytest.mark.parametrize("body", UNREAD.values(), ids=UNREAD.keys())
def test_unused_member_never_runs(body: str) -> None:
    assert not is_reported(called_function(body))


READ = {
    "called": f"{LIB} lib.a()",
    "passed to a function": f"{LIB} on(lib.a)",
    "in brackets": f"{LIB} lib['a']()",
    "by a name that is not known": f"{LIB} lib[x]()",
    "in a pattern": f"{LIB} const {{ a }} = lib; a()",
    "as one of the rest": f"{LIB} const {{ b, ...more }} = lib; f(more)",
    "by another variable": f"{LIB} const other = lib; other.a()",
    "by one that is assigned": f"let other; {LIB} other = lib; other.a()",
    "in another object": f"{LIB} const all = {{ lib }}; all.lib.a()",
    "in another object, which escapes": f"{LIB} const all = {{ lib }}; f(all)",
    "where it is made": "({ a() { USE } }).a()",
    "by unknown code": f"{LIB} f(lib)",
    "by code that a global names": f"{LIB} window.lib = lib; f(window)['lib']; f(window.lib)",
    "by a function that is seen": f"{LIB} function g(x) {{ x.a() }} g(lib)",
    "by one with any arguments": f"{LIB} function g(...x) {{ x[0].a() }} g(lib)",
    "by one that reads `arguments`": f"{LIB} function g() {{ arguments[0].a() }} g(lib)",
    "of what a function returns": f"{LIB} function g(x) {{ return x }} g(lib).a()",
    "of what a function without arguments returns": f"{LIB} function g() {{ return lib }} g().a()",
    "when it is awaited": f"{LIB} async function g() {{ return lib }} g().then((x) => x.a())",
    "of a copy": f"{LIB} const copy = {{ ...lib }}; copy.a()",
    "of a choice": f"{LIB} (x ? lib : other).a()",
    "in a loop": f"{LIB} for (const each of [lib]) each.a()",
    "by another method, as `this`": "const lib = { a() { USE }, b() { this.a() } }; lib.b()",
    "by a function that becomes one": (
        "function b() { this.a() } const lib = { a() { USE } }; lib.b = b; lib.b()"
    ),
    "by another method, which hands `this` on": "const lib = { a() { USE }, b() { f(this) } }; lib.b()",
    "by code in a text": f"{LIB} eval(x)",
    "by code in a text that is global": f"{LIB} window.eval(x)",
    "of a frozen object": "const lib = Object.freeze({ a() { USE } }); lib.a()",
    "a getter": "const lib = { get a() { return USE } }; f(lib.a)",
    "a defined getter": "const lib = {}; Object.defineProperty(lib, 'a', { get: () => USE }); f(lib.a)",
    "read in a getter of the same object": (
        "const lib = { a() { USE }, get b() { return this.a() } }; chrome.runtime.sendMessage(lib)"
    ),
    "a member passed as the callback of sendMessage": f"{LIB} chrome.runtime.sendMessage(lib, lib.a)",
    "a setter": "const lib = { set a(x) { USE } }; lib.a = 1",
    "a defined setter": "const lib = {}; Object.defineProperty(lib, 'a', { set: () => USE }); lib.a = 1",
    "a setter of a class": "class Box { set a(x) { USE } } new Box().a = 1",
    "by a definer that calls what it is passed": (
        "function lazy(to, key, make) { const value = make(); Object.defineProperty(to, key, { value }) } "
        "const lib = {}; lazy(lib, 'a', () => USE)"
    ),
    "the value of an assignment": "const lib = {}; on(lib.a = () => USE)",
    "of an instance": f"{BOX} new Box().a()",
    "of an instance that escapes": f"{BOX} f(new Box())",
    "of an instance of an escaping class": f"{BOX} f(Box); new Box().b()",
    "of an instance of a class that extends it": f"{BOX} class More extends Box {{}} new More().a()",
    "by its constructor": "class Box { constructor() { this.a() } a() { USE } } new Box()",
    "by a class that it extends": "class Box extends Base { a() { USE } } new Box()",
    "by a static method": "class Box { static a() { USE } } Box.a()",
    "added to an instance": f"{MADE} box.a()",
    "added to an instance that is awaited": f"{MADE.replace('box.a', 'box.then')} (async () => await box)()",
    "added to an instance of a subclass": "class Box { b() { this.a() } } class More extends Box {} "
    "const more = new More(); more.a = () => USE; more.b()",
    "added to what a function makes": f"{MADE_BY_FUNCTION} box.a()",
    "added to an object of the browser": "const box = new XMLHttpRequest(); box.onload = () => USE",
    "of a prototype with instances": f"{PROTOTYPE} new Box().a()",
    "of a prototype that another inherits": (
        f"{PROTOTYPE} function More() {{}} More.prototype = Object.create(Box.prototype); new More().a()"
    ),
    "of the prototype of a function that escapes": f"{PROTOTYPE} f(Box); x.a()",
    "of the prototype of a member": f"{STORED} new lib.Box().a()",
    "by a function that may only add members": f"{LIB} extend(lib, x)",
    "of what a class makes of itself": (
        "class Box { a() { USE } static make() { return new this() } } Box.make().a()"
    ),
}


@pytest.mark.parametrize("body", READ.values(), ids=READ.keys())
def test_member_that_may_be_read_may_run(body: str) -> None:
    assert is_reported(called_function(body))


@pytest.mark.parametrize(
    ("body", "is_used"),
    [
        ("private a() { USE }", False),
        ("private a() { USE } private b() { this.a() }", False),
        ("private a() { USE } b() { this.a() }", True),
        ("private a() { USE } b() { this['a']() }", True),
        ("#a() { USE }", False),
        ("#a() { USE } b() { this.#a() }", True),
        ("@log() private a() { USE }", True),
        ("@log() b() {} private a() { USE }", False),
        ("a() { USE }", True),
        ("private constructor() { USE }", True),
        ("private [Symbol.iterator]() { USE }", True),
    ],
)
def test_private_method_of_a_decorated_class(body: str, is_used: bool) -> None:
    files = {
        "manifest.json": manifest(content_scripts=[{"matches": ["<all_urls>"], "js": ["a.ts"]}]),
        "a.ts": f"@Injectable() export class Box {{ {body.replace('USE', USE)} }}",
    }
    assert bool(lint(files, ["missing-permission"], "chrome")) is is_used


WRAPS = "export const log = () => (t, k, d) => d; export const on = (name) => (t, k, d) => f(name, t);"


@pytest.mark.parametrize(
    ("decorator", "source", "is_used"),
    [
        ("@log()", "./d", False),
        ("@log", "./d", False),
        ("@on('load')", "./d", True),
        ("@log() @on('load')", "./d", True),
        ("@log()", "library", True),
        ("@own()", "./d", False),
        ("@d.log()", "./d", True),
    ],
)
def test_method_that_a_decorator_of_the_program_may_wrap(decorator: str, source: str, is_used: bool) -> None:
    script = f"""
    import {{ log, on }} from "{source}"; import * as d from "{source}";
    function own() {{ return (target, key, descriptor) => descriptor; }}
    class Box {{ {decorator} a() {{ {USE} }} b() {{}} }}
    new Box().b();
    """
    files = {
        "manifest.json": manifest(background={"service_worker": "a.ts", "type": "module"}),
        "a.ts": script,
        "d.ts": WRAPS,
        "package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "5"}}',
    }
    assert bool(lint(files, ["missing-permission"], "chrome")) is is_used


@pytest.mark.parametrize("declared", [LIB, f"var {LIB.removeprefix('const')}"])
def test_member_of_a_shared_variable_is_unused_without_a_reader(declared: str) -> None:
    for unread in ("", "f(lib.b)", "const { b } = lib; f(b)", "const a = { a() {} }; a.a()", "// lib.a()"):
        assert not is_reported(declared, unread), unread
    for read in ("lib.a()", "const { a } = lib; a()", "f(lib)", "lib[x]()", "const l = lib; on(l.a)"):
        assert is_reported(declared, read), read


ESBUILD = """
  var put = Object.defineProperty;
  var define = (to, all) => { for (var name in all) put(to, name, { get: all[name], enumerable: true }) };
  var lib = {}; define(lib, { a: () => a, b: () => b }); function a() { USE } function b() {}
"""


def test_unused_export_of_a_namespace_never_runs() -> None:
    assert not is_reported(called_function(f"{ESBUILD} lib.b()"))


@pytest.mark.parametrize("code", ["lib.a()", "f(lib)"])
def test_export_of_a_namespace_may_run(code: str) -> None:
    assert is_reported(called_function(f"{ESBUILD} {code}"))


IN_COMPONENT = "import { Box } from './box.js'; const box = new Box(); box.b();"


@pytest.mark.parametrize(
    ("component", "other", "is_reported"),
    [
        pytest.param(IN_COMPONENT, "", False, id="another method"),
        pytest.param(f"// box.erase()\n{IN_COMPONENT}", "", True, id="a comment in a component has its name"),
        pytest.param(f"{IN_COMPONENT} box.erase()", "", True, id="the method"),
        pytest.param(f"{IN_COMPONENT} box[name]()", "", True, id="a computed name"),
        pytest.param(f"{IN_COMPONENT} give(box)", "take((box) => box.erase())", True, id="passed on"),
    ],
)
def test_method_of_a_class_that_a_component_uses(component: str, other: str, is_reported: bool) -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": "<script type=module src=p.js></script>",
        "p.js": f"import './c.vue'; {other}",
        "c.vue": f"<script>{component}</script>",
        "box.js": "export class Box { b() {} erase() { chrome.storage.local.clear() } }",
    }
    assert bool(lint(files, ["missing-permission"], "chrome")) is is_reported
