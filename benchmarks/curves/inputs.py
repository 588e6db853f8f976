"""Extensions that each grow in one dimension: calls, modules, globals, keys …"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate, repeat
from math import isqrt
from typing import NamedTuple

from curves.bundles import BUNDLES
from curves.scripts import SCRIPTS

Files = dict[str, str]
"""An extension: texts by path."""


class Curve(NamedTuple):
    """A function that generates an extension of a size, and the smallest size, from which it is doubled."""

    make: Callable[[int], Files]
    min_size: int


def _joined(piece: Callable[[int], str], size: int, around: tuple[str, str] = ("", "")) -> str:
    return around[0] + "".join(map(piece, range(size))) + around[1]


def _extension(files: Files, **keys: object) -> Files:
    whole = {"manifest_version": 3, "name": "growing", "version": "1", **keys}
    return {"manifest.json": json.dumps(whole), **files}


def _worker(script: str, **keys: object) -> Files:
    return _extension({"a.js": script}, background={"service_worker": "a.js", "type": "module"}, **keys)


def _script(piece: Callable[[int], str], size: int, around: tuple[str, str] = ("", "")) -> Files:
    return _worker(_joined(piece, size, around))


def _inert(number: int) -> str:
    return (
        f"!function(){{function a{number}(e,t){{for(var r=[],o=0;o<e.length;o++)r.push(t(e[o]));return r}}"
        f'var i{number}={{name:"part{number}",of:function(e){{return a{number}(e,this.name)}}}};'
        f"i{number}.of([1,2,3]).map((e=>e+1)).filter((e=>e>{number}))}}();\n"
    )


def _using(number: int) -> str:
    return (
        f"async function use{number}(list) {{ const found = await chrome.management.getSelf();"
        f" show{number}(found.name, list.map((each) => each + {number})); }}\n"
    )


def _chain(step: str, size: int) -> Files:
    return _worker(f"chrome.tabs.query({{}}){step * size};")


def _nested(opening: str, closing: str, inner: str, size: int) -> Files:
    return _worker(f"{opening * size}{inner}{closing * size};")


def _guards(size: int) -> Files:
    return _script(
        lambda i: f"if (chrome.tabs && chrome.tabs.nope{i % 7}) {{ chrome.tabs.nope{i % 7}({i}); }}\n", size
    )


def _aliases(size: int) -> Files:
    return _script(lambda i: f"const a{i} = chrome.tabs; a{i}.nope({i});\n", size)


def _alias_chain(size: int) -> Files:
    return _script(
        lambda i: f"const a{i + 1} = a{i};\n", size, ("const a0 = chrome;\n", f"a{size}.tabs.x();")
    )


def _address_uses(size: int) -> Files:
    """Returns a chain of variables, each with the previous one's value in `size` alternatives."""
    row = "".join(f"const a{i + 1} = {' || '.join(repeat(f'a{i}', size))};\n" for i in range(4))
    return _worker(f"const a0 = chrome.runtime.getURL('b.js');\n{row}fetch(a4);")


def _listeners(size: int) -> Files:
    return _script(
        lambda i: f"chrome.runtime.onMessage.addListener((a, sender) => {{ use(a.a{i}, sender.tab); }});\n",
        size,
    )


def _complete_graph(size: int) -> Files:
    """Returns functions that each call all of them, `size` calls in total."""
    functions = range(isqrt(size))
    calls = _joined(lambda i: f"f{i}(a); ", len(functions))
    return _script(
        lambda i: f"function f{i}(a) {{ {calls}chrome.sidePanel.open({{ tabId: a }}); }}\n", len(functions)
    )


def _pages(size: int) -> Files:
    pages = {f"page{i}.html": f'<script src="page{i}.js"></script>' for i in range(size)}
    scripts = {f"page{i}.js": f"const at{i} = 1; chrome.tabs.nope({i});" for i in range(size)}
    links = _joined(lambda i: f'<a href="page{i}.html">.</a>', size)
    return _extension({**pages, **scripts, "all.html": links}, options_page="all.html")


def _modules(size: int) -> Files:
    files = {f"m{i}.js": f"export function f{i}() {{ return chrome.tabs.nope({i}); }}\n" for i in range(size)}
    main = _joined(lambda i: f'import {{ f{i} }} from "./m{i}.js"; f{i}();\n', size)
    return {**_worker(main), **files}


def _importers(size: int) -> Files:
    one = "export const api = chrome; export function get() { return api.tabs; }\n"
    files = {
        f"m{i}.js": f'import {{ api, get }} from "./one.js"; api.tabs.nope({i}); get().query({{}});\n'
        for i in range(size)
    }
    return {**_worker(_joined(lambda i: f'import "./m{i}.js";\n', size)), "one.js": one, **files}


def _module_chain(size: int) -> Files:
    files = {f"m{i}.js": f'export {{ api }} from "./m{i + 1}.js";\n' for i in range(size)}
    last = {f"m{size}.js": "export const api = chrome;\n"}
    return {**_worker('import { api } from "./m0.js"; api.tabs.nope();\n'), **files, **last}


def _globals(size: int) -> Files:
    names = [f"s{i}.js" for i in range(size)]
    files = {
        name: f"var own{i} = chrome.tabs; own{i}.nope({i}); own{max(0, i - 1)}.query({{}});\n"
        for i, name in enumerate(names)
    }
    return _extension(files, content_scripts=[{"matches": ["https://a.example/*"], "js": names}])


def _globals_of_one(size: int) -> Files:
    first = _joined(lambda i: f"globalThis.g{i} = chrome.tabs;\n", size)
    second = _joined(lambda i: f"g{i}.nope({i});\n", size)
    scripts = [{"matches": ["https://a.example/*"], "js": ["a.js", "b.js"]}]
    return _extension({"a.js": first, "b.js": second}, content_scripts=scripts)


def _content_scripts(size: int) -> Files:
    scripts = [{"matches": [f"https://a{i}.example/*"], "js": ["a.js"], "run": i} for i in range(size)]
    return _extension({"a.js": "chrome.tabs.nope();"}, content_scripts=scripts)


def _rules(size: int) -> Files:
    rules = [
        {"id": i, "priority": 0, "action": {"type": "block"}, "condition": {"urlFilter": f"||a{i}.example^"}}
        for i in range(1, size + 1)
    ]
    sets = {"rule_resources": [{"id": "one", "enabled": True, "path": "rules.json"}]}
    files = {"rules.json": json.dumps(rules)}
    return _extension(files, declarative_net_request=sets, permissions=["declarativeNetRequest"])


def _messages(size: int) -> Files:
    messages = {f"m{i}": {"message": "Hello $who$", "descripton": "a"} for i in range(size)}
    used = _joined(lambda i: f'chrome.i18n.getMessage("m{i}");\n', size)
    files = {"_locales/en/messages.json": json.dumps(messages)}
    return {**_worker(used, default_locale="en"), **files}


def _long_manifest(size: int) -> Files:
    return _extension({}, **{f"unknown{i}": {"a": i} for i in range(size)})


def _namespace(size: int) -> Files:
    """Uses of many exports through the namespace object of their module."""
    uses = "".join(f"all.b{i}.tabs.nope();\n" for i in range(size))
    exports = "".join(f"export const b{i} = chrome;\n" for i in range(size))
    return {**_worker(f"import * as all from './b.js';\n{uses}"), "b.js": exports}


def _scripts_of_page(size: int) -> Files:
    page = "".join(f"<script src='s{i}.js'></script>" for i in range(size))
    scripts = {f"s{i}.js": f"var g{i} = chrome.tabs; g{i // 2}.nope();" for i in range(size)}
    return _extension({"p.html": page, **scripts}, action={"default_popup": "p.html"})


def _permissions(size: int) -> Files:
    return _extension({}, permissions=[f"nothing{i}" for i in range(size)])


CURVES: Mapping[str, Curve] = {
    "inert code": Curve(partial(_script, _inert, around=("chrome.tabs.nope();", "")), 500),
    "uses of the API": Curve(partial(_script, _using), 50),
    "findings": Curve(partial(_script, lambda i: f"chrome.tabs.nope({i});\n"), 100),
    "names that nothing defines": Curve(partial(_script, lambda i: f"name{i}();\n"), 100),
    "findings in one line": Curve(partial(_script, lambda i: f"chrome.tabs.nope({i});"), 100),
    "targets at one place": Curve(
        partial(_script, lambda i: f"chrome.tabs.create({{ a{i}: 1, url: {i} }});\n"), 50
    ),
    "files": Curve(
        lambda size: _extension(
            {f"s{i}.js": f"chrome.tabs.nope({i});" for i in range(size)},
            content_scripts=[
                {"matches": [f"https://a{i}.example/*"], "js": [f"s{i}.js"]} for i in range(size)
            ],
        ),
        20,
    ),
    "modules": Curve(_modules, 20),
    "importers of one module": Curve(_importers, 20),
    "members of a namespace": Curve(_namespace, 500),
    "modules in a chain": Curve(_module_chain, 20),
    **{
        name: Curve(lambda size, script=script: _worker(script(size)), 20)  # type: ignore[misc]
        for name, script in (BUNDLES | SCRIPTS).items()
    },
    "globals of many scripts": Curve(_globals, 10),
    "globals of one script": Curve(_globals_of_one, 20),
    "then after then": Curve(partial(_chain, ".then((found) => found)"), 50),
    "catch after catch": Curve(partial(_chain, ".catch(() => [])"), 50),
    "calls in calls": Curve(partial(_nested, "f(", ")", "chrome.tabs.nope()"), 100),
    "functions in functions": Curve(
        partial(_nested, "function f() { chrome.tabs.nope(); ", "}", "chrome.tabs.nope()"), 50
    ),
    "try in try": Curve(partial(_nested, "try { ", "} catch {}", "chrome.tabs.nope()"), 100),
    "try in try, with a test after each": Curve(
        partial(_nested, "try { a = f(); ", "} catch {} if (a) g(a);", "chrome.tabs.nope()"), 100
    ),
    "calls on calls": Curve(partial(_chain, ".f()"), 100),
    "a long sum": Curve(partial(_nested, "chrome.tabs.nope() + ", "", "1"), 50),
    "methods of a class": Curve(
        partial(
            _script,
            lambda i: f"m{i}(a) {{ this.m{i // 2}(a); return chrome.tabs.nope(a); }}\n",
            around=("class A {\n", "}\nnew A().m0();"),
        ),
        25,
    ),
    "functions in an object": Curve(
        partial(
            _script,
            lambda i: f"f{i}(a) {{ return chrome.tabs.nope(a); }},\n",
            around=("const all = {\n", "};\nall.f0(); all.f1();"),
        ),
        25,
    ),
    "properties of an object": Curve(
        partial(
            _script,
            lambda i: f"p{i}: chrome.tabs,\n",
            around=("const all = {\n", "};\nall.p0.nope(); all.p7.nope();"),
        ),
        50,
    ),
    "reads of one object": Curve(
        partial(_script, lambda i: f"all.p.nope({i});\n", around=("const all = { p: chrome.tabs };\n", "")),
        50,
    ),
    "properties written to an object": Curve(
        partial(
            _script, lambda i: f"all.p{i} = chrome.tabs; all.p{i}.nope();\n", around=("const all = {};\n", "")
        ),
        250,
    ),
    "members added to the API": Curve(
        partial(_script, lambda i: f"chrome.added{i} = () => {i}; chrome.added{i}();\n"), 25
    ),
    "writes to one variable": Curve(
        partial(_script, lambda i: f"one = chrome.tabs; one.nope({i});\n", around=("let one;\n", "")), 200
    ),
    "blocks that declare one name": Curve(
        partial(_script, lambda i: f"{{ const chrome = {i}; use(chrome); }}\n"), 100
    ),
    "reads of one variable": Curve(
        partial(_script, lambda i: f"one.nope({i});\n", around=("const one = chrome.tabs;\n", "")), 100
    ),
    "aliases": Curve(_aliases, 50),
    "an alias of an alias": Curve(_alias_chain, 100),
    "elements taken from one another": Curve(
        partial(
            _script, lambda _: "a.next = b.next;\n", around=("", "c.next.src = chrome.runtime.getURL('');")
        ),
        10,
    ),
    "uses of an address": Curve(_address_uses, 16),
    "guards": Curve(_guards, 50),
    "else if": Curve(
        partial(
            _script,
            lambda i: f"if (x === {i}) chrome.tabs.nope({i}); else ",
            around=("function f(x) { ", "; } f(1);"),
        ),
        50,
    ),
    "conditional expressions": Curve(
        lambda size: _worker(f"x = {'a ? chrome : ' * size}b; x.tabs.nope();"), 1600
    ),
    "cases of a switch": Curve(
        partial(
            _script,
            lambda i: f"case {i}: chrome.tabs.nope({i}); break;\n",
            around=("function f(x) { switch (x) {\n", "} }\nf(1);"),
        ),
        50,
    ),
    "statements in a try": Curve(
        partial(_script, lambda i: f"chrome.tabs.nope({i});\n", around=("try {\n", "} catch {}")), 200
    ),
    "operands that test members": Curve(
        partial(_script, lambda i: f"chrome.nope{i % 7} || ", around=("api = ", "other;")), 100
    ),
    "event listeners": Curve(_listeners, 50),
    "branches of a listener": Curve(
        partial(
            _script,
            lambda i: f"if (m.a === {i}) {{ const t = await chrome.tabs.get({i}); answer(t); return; }}\n",
            around=("chrome.runtime.onMessage.addListener(async (m, sender, answer) => {\n", "});"),
        ),
        50,
    ),
    "awaits in a function": Curve(
        partial(
            _script,
            lambda i: f"await chrome.tabs.get({i}); await chrome.permissions.request({{}});\n",
            around=("chrome.action.onClicked.addListener(async () => {\n", "});"),
        ),
        50,
    ),
    "callers of one function": Curve(
        partial(_script, lambda i: f"use({i});\n", around=("function use(a) { chrome.tabs.nope(a); }\n", "")),
        100,
    ),
    "functions that call the next": Curve(
        partial(_script, lambda i: f"function f{i}(a) {{ chrome.tabs.nope(a); f{i + 1}(a); }}\n"), 25
    ),
    "functions that call each other": Curve(
        partial(
            _script,
            lambda i: (
                f"function f{i}(a) {{ if (a) chrome.tabs.nope(); f{i // 2}(a); f{i + 1}(a); f{i + 2}(a); }}\n"
            ),
        ),
        25,
    ),
    "functions that all call each other": Curve(_complete_graph, 50),
    "pages": Curve(_pages, 10),
    "scripts of one page": Curve(_scripts_of_page, 80),
    "manifest keys": Curve(_long_manifest, 50),
    "permissions": Curve(_permissions, 25),
    "content scripts": Curve(_content_scripts, 25),
    "rules in a rule set": Curve(_rules, 120),
    "messages in a locale": Curve(_messages, 25),
}

DOUBLINGS = 5


def sizes(curve: Curve) -> list[int]:
    """Returns the sizes of a curve: the smallest one, and five doublings."""
    return list(accumulate(repeat(2, DOUBLINGS), int.__mul__, initial=curve.min_size))
