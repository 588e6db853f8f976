"""Generates scripts that are not programs: words in any order, deep nesting, odd encodings, random bytes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from extlint_fuzz.case import Case
from extlint_fuzz.generators.extensions import one_script
from extlint_fuzz.generators.statements import script

WORDS = """
browser chrome .management .test .getAll .log .tabs .query ( ) ( ) { } { } [ ] ; ; , = => ? : ?. ... const
let var function class return if else for while do switch case break continue try catch finally throw new
async await yield ` ${ } ` 'x' "y" 1 0x 1n /* */ // /a/ <a> </a> <!-- --> import from as export default this
super static get set # @ && || ?? ! typeof in instanceof of void delete == === < > + - ++ -- * ** % & | ^ ~
>> label: \\u0062rowser with debugger enum interface type namespace declare abstract private readonly
satisfies <T> : any = as const using eval arguments
""".split()
SUFFIXES = (".js", ".js", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte")
USE = "browser.management.getAll();"


def soup(chance: Random) -> Case:
    """Returns words in any order."""
    number = chance.choice((5, 20, 60, 200, 1000))
    gaps = chance.choice((" ", "", "\n", " \n"))
    words = [chance.choice(WORDS) for _ in range(number)]
    text = gaps.join(words) if gaps.strip(" ") or gaps else " ".join(words)
    if chance.random() < 0.5:
        text = USE + text + USE
    return one_script(chance, text.encode(), "a" + chance.choice(SUFFIXES), generator="soup")


NESTS: tuple[tuple[str, str, str], ...] = (
    ("f(", "browser", ")"),
    ("(", "browser", ")"),
    ("[", "browser", "]"),
    ("{a:", "browser", "}"),
    ("{", "browser.x();", "}"),
    ("function f(){", "browser.x()", "}"),
    ("a=>", "browser.x()", ""),
    ("browser=>", "browser.x()", ""),
    ("`${", "browser.x", "}`"),
    ("a?b:", "browser.x()", ""),
    ("a?", "browser.x()", ":b"),
    ("if(browser.a){", "browser.a.b()", "}"),
    ("if(a)b();else ", "browser.a()", ""),
    ("for(;;)", "browser.a()", ""),
    ("while(browser.x)", "browser.a()", ""),
    ("try{", "browser.a()", "}catch{}"),
    ("class extends ", "browser.A", "{}"),
    ("class A{a(){", "browser.a()", "}}"),
    ("!", "browser.a", ""),
    ("typeof ", "browser.a", ""),
    ("await ", "browser.a()", ""),
    ("new ", "browser.A", "()"),
    ("...", "browser", ""),
    ("x=", "browser.a", ""),
    ("x||", "browser.a", ""),
    ("", "browser", ".a"),
    ("", "browser", "?.a"),
    ("", "browser", "['a']"),
    ("", "browser.a", "()"),
    ("", "browser.a()", ".then(f)"),
    ("", "browser.a()", ".then((b)=>b.c)"),
    ("", "browser.a", ".bind(browser)"),
    ("", "browser.a", "``"),
    ("", "browser.a", "+browser.b"),
    ("", "x=browser", ",x=x.a"),
    ("(0,", "browser.a", ")"),
    ("(()=>{", "browser.a()", "})()"),
    ("(function(b){", "b.x()", "})(browser)"),
    ("f(()=>{", "browser.x()", "})"),
    ("switch(browser.a){case 1:", "browser.a()", "}"),
    ("<a>", "browser", "</a>"),
    ("import(", "'browser'", ")"),
    ("browser[", "browser", "]"),
    ("browser.a(", "browser", ")"),
    ("browser.a({b:", "browser", "})"),
    ("({a:", "b", "}=browser)"),
    ("const {a:{", "b", "}}=browser;"),
    ("async()=>await(", "browser.a()", ")"),
    ("label:", "browser.a()", ""),
    ("/*", "browser.a()", "*/"),
    ("a:", "browser.a()", ""),
    ("if(!browser.a)return;", "browser.a()", ""),
    ("var a=browser;", "a.b()", ""),
    ("let a=browser.b;{", "a.b()", "}"),
    ("x=x.a;", "x=browser", ";x.b()"),
    ("function f(a){return f(a)}", "f(browser).x()", ""),
    ("exports.a=", "browser", ";require('./a')"),
)
"""Constructs to repeat around an expression: the text before it, the expression, and the text after it."""


def nesting(chance: Random) -> Case:
    """Returns deeply nested constructs, closed or not, sometimes of two or three kinds at once."""
    times = int(10 ** chance.uniform(1, 3.6))
    kinds = [chance.choice(NESTS) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    before = "".join(before for before, _, _ in kinds) * times
    after = "".join(after for _, _, after in reversed(kinds)) * (times if chance.random() < 0.8 else 0)
    text = before + kinds[0][1] + after
    luck = chance.random()
    if luck < 0.2:
        text = f"const a = {text}; a.b.c();"
    elif luck < 0.3:
        text = f"browser.tabs.query({text});"
    elif luck < 0.4:
        text = f"async function f(a) {{ {text} }} f(browser);"
    if chance.random() < 0.7:
        text = f"{USE}\n{text}\n;{USE}"
    return one_script(
        chance, text.encode(), "a" + chance.choice((".js", ".js", ".js", ".ts", ".mjs")), generator="nesting"
    )


def many(chance: Random) -> Case:
    """Returns one statement many times, each with a different number."""
    template = chance.choice(REPEATED)
    times = int(10 ** chance.uniform(0.7, 3.2))
    text = "".join(template.replace("#-", str(i - 1)).replace("#", str(i)) for i in range(1, times + 1))
    return one_script(chance, f"let a0=browser,f0=a0;{text}".encode(), generator="many")


REPEATED = (
    "browser.tabs.a#();",
    "browser.tabs.query({actve:#});",
    "let a#=a#-;",
    "let a#=a#-.b;",
    "let a#=[a#-,a#-];",
    "let a#={...a#-,...a#-};",
    "function f#(browser){browser.x()}",
    "function g#(x){return x?g#-(x):browser}",
    "window.g#=browser;",
    "window.g=browser.tabs.a#;",
    "a0=a0.b#;",
    "a0=a0||browser.tabs.a#;a0.tabs.b();",
    "if(a0==#)browser.tabs.a#();else ",
    "if(!browser.tabs.a#)throw 1;",
    "case#:browser.x();",
    "class A# extends A#-{constructor(){super(browser);this.a=browser}}",
    "export const b#=browser;",
    "import b# from './m#.js';b#.tabs.x();",
    "const{b#,...c#}=browser;",
    "try{browser.tabs.a#()}catch{}",
    "async function h#(){const r=await browser.tabs.query({});r[0].foo#}",
    "browser.tabs.onUpdated.addListener(function l#(a,b,c,d){browser.x#(d)});",
    "for(const x# of browser.tabs.query({}))x#.y();",
    "var browser#=browser;{let browser#=1;browser#.x()}",
    "eval('browser');",
    "with(browser){tabs.a#()}",
    "/* extlint-disable unknown-api */browser.tabs.a#();/* extlint-enable */",
    "browser.tabs.a#();// extlint-disable-line unknown-api\n",
    "browser.runtime.sendMessage(#,x=>x.y#);",
    "Object.defineProperty(exports,'b#',{enumerable:true,get:function(){return browser}});",
    "const c#=()=>c#-()||browser;",
    "x.y#=browser;x.y#-.z();",
    "new Promise(r=>browser.tabs.query({},r)).then(t=>t.foo#);",
)


def odd_bytes(chance: Random) -> Case:
    """Returns a script in an odd encoding, with odd bytes in it, or only random bytes."""
    text = script(chance, statements=4) + USE
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: chance.randbytes(chance.choice((1, 10, 300, 5000))),
        lambda: USE.encode() + chance.randbytes(chance.choice((1, 10, 300, 5000))),
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: text.encode("utf-16-be"),
        lambda: b"\xff\xfe" + text.encode("utf-16-be"),
        lambda: text.encode("utf-32"),
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: b"\xef\xbb\xbf" * 3 + text.encode(),
        lambda: text.encode().replace(b" ", b"\0"),
        lambda: text.encode().replace(b";", b";\0"),
        lambda: text.encode().replace(b"\n", b"\r"),
        lambda: text.encode().replace(b"\n", "\u2028".encode()),
        lambda: text.replace("local", "loc\u00e4l\U0001f600").encode(),
        lambda: text.replace("local", "loc\u00e4l").encode("latin-1", "replace"),
        lambda: b"browser.test.log('\xed\xa0\x80\xf4\x90\x80\x80\xc0\x80');" + text.encode(),
        lambda: text.encode() + b"`" + b"a" * 3000,
        lambda: text.encode() + b"/*",
        lambda: text.encode() + b"'",
        lambda: text.encode() + b"browser.",
        lambda: b"#!/usr/bin/env node\n" + text.encode(),
        lambda: b"<!DOCTYPE html><html><body>" + text.encode() + b"</body></html>",
        lambda: b"a { color: red; }\n.chrome { b: browser; }\n" * 50 + text.encode(),
        lambda: b"%PDF-1.4\n" + text.encode(),
        lambda: b"'" + b"x" * 20000 + b"';" + text.encode(),
        lambda: text.encode().replace(b"browser", b"\\u0062rowser"),
        lambda: text.encode().replace(b"tabs", b"t\\u{61}bs"),
    )
    return one_script(chance, chance.choice(makers)(), "a" + chance.choice(SUFFIXES), generator="odd bytes")
