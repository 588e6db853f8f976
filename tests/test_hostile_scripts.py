"""Scripts crafted to be slow, deep or endless: each is analyzed to its end without side effects."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples, in_turn

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import ScriptFacts

DEPTHS = {"a.js": 1_500, "a.ts": 500}
"""The number of repetitions in a script. The rest of the script is the same for both grammars."""

USE = b"browser.management.getAll()"


def hostile_scripts(deep: int) -> dict[str, bytes]:
    few = 10 + deep // 100
    return {
        "unclosed calls": b"f(" * deep + USE,
        "parentheses": b"const a=" + b"(" * deep + b"browser" + b")" * deep + b";a.management.getAll()",
        "a long sum": b"x=" + b"+".join([USE] * (deep // 5)),
        "a chain of aliases": b"const a0=browser;"
        + b"".join(b"const a%d=a%d;" % (i + 1, i) for i in range(deep // 10))
        + b"a%d.management.getAll()" % (deep // 10),
        "many shadows": b"".join(b"function f%d(browser){browser.x}" % i for i in range(deep // 2)) + USE,
        "nested ternaries": b"x=" + b"a?browser:" * deep + b"chrome;x.management.getAll()",
        "nested arrows": b"browser=>" * (deep // 2) + b"browser.management",
        "nested conditions": b"if(browser.a){" * (deep // 5) + USE + b"}" * (deep // 5),
        "else if": b"".join(b"if(x==%d)browser.a%d();else " % (i, i) for i in range(deep // 5)) + b";",
        "a long fallback": b"x=browser.management" + b"||a" * deep,
        "a deep pattern": b"const " + b"{a:" * deep + b"b" + b"}" * deep + b"=browser",
        "a deep exported pattern": b"export const " + b"[" * deep + b"b" + b"]" * deep + b"=browser",
        "brackets in brackets": b"browser" + b"[browser" * deep + b"]" * deep,
        "a long member": b"browser" + b".a" * deep,
        "a deep argument": b"browser.test.log(" + b"{a:" * deep + b"1" + b"}" * deep + b")",
        "a wide argument": b"browser.test.log({" + b",".join(b"a%d:1" % i for i in range(deep)) + b"})",
        "early returns": b"function f(){" + b"if(!browser.a)return;browser.b();" * (deep // 10) + b"}",
        "an open template": b"browser.x(`" + b"${`" * deep,
        "doubling spreads": b"const o0={a:1};"
        + b"".join(b"const o%d={...o%d,...o%d,b%d:1};" % (i, i - 1, i - 1, i) for i in range(1, 40))
        + b"browser.test.log(o39)",
        "doubling arrays": b"const a0=1;"
        + b"".join(b"const a%d=[a%d,a%d];" % (i, i - 1, i - 1) for i in range(1, 60))
        + b"browser.test.log(a59)",
        "functions that call each other": b"".join(
            b"function f%d(a){return x?f%d(a):f%d(a)}" % (i, (i + 1) % few, (i + 7) % few) for i in range(few)
        )
        + b"browser.test.log(f0(browser))",
        "variables that hold each other": b"".join(
            b"let v%d=c?v%d:v%d;" % (i, (i + 1) % few, (i + 13) % few) for i in range(few)
        )
        + b"v0=browser;v7.management.getAll()",
        "an alias that moves on": b"let a=browser;" + b"a=a.b;" * (deep // 5) + b"a.x()",
        "NUL bytes": b"'\0';" + USE,
        "lone surrogates": b"browser.test.log('\\ud800');browser.test.log(\"\xed\xa0\x80\")",
        "a huge number": b"browser.test.log("
        + b"9" * 5000
        + b","
        + b"9" * 5000
        + b"n,1e999,0x"
        + b"f" * 999
        + b")",
        "a strange escape": rb"browser.test.log('\u{110000}\u{}\x')",
    }


@pytest.mark.parametrize(
    ("script", "path"),
    [
        pytest.param(script, path, id=f"{path}-{name}")
        for name, path in in_turn((name, [*DEPTHS]) for name in hostile_scripts(1))
        for script in [hostile_scripts(DEPTHS[path])[name]]
    ],
)
def test_hostile_script_is_analyzed(script: bytes, path: str) -> None:
    assert isinstance(analyze(script, path), ScriptFacts)


def test_endless_parse_is_abandoned() -> None:
    facts = analyze(b"browser.x;(t:{\n,`,[[:'i\x05y';\n\\", "a.tsx")
    assert facts.complete is False


def test_binary_script_is_reported() -> None:
    facts = analyze(b"browser.x;\xff\xfe\x01\x02\x80", "a.js")
    assert facts.problem is not None
    assert facts.references == ()


WORDS = """
browser chrome .management .test .getAll .log ( ) { } [ ] ; , = => ? : ?. ... const let var function class
return if else for while a b this new await async `${ } ` 'x' 1 /* // import from as
"""
PIECES = st.sampled_from([*WORDS.split(), "\n"])


@given(st.lists(PIECES, max_size=60), st.sampled_from(["a.js", "a.ts"]))
@settings(max_examples=examples(300))
def test_any_token_sequence_is_analyzed(words: list[str], path: str) -> None:
    text = " ".join(words).encode()
    facts = analyze(text, path)
    for reference in facts.references:
        assert 0 <= reference.span[0] < reference.span[1] <= len(text)
    for call in facts.calls:
        assert text[call.arguments_span[0] : call.arguments_span[0] + 1] == b"("
