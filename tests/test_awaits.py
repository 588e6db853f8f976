"""The `await` that certainly precedes a call: tables of scripts with the awaited expression."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze


def awaited_before_calls(source: str) -> list[str | None]:
    """Returns, for each call of `browser.tabs.query`, the expression its function has certainly awaited."""
    text = source.encode()
    return [
        None if call.after is None else text[slice(*call.after)].decode()
        for call in analyze(text, "a.ts").calls
        if call.path == ("tabs", "query")
    ]


CALL = "browser.tabs.query({})"

AFTER = {
    "a statement before": f"async function f() {{ await a(); {CALL} }}",
    "a declaration before": f"async function f() {{ const x = await a(); {CALL} }}",
    "a pattern before": f"const f = async () => {{ const {{ x }} = await a(); await {CALL}; }}",
    "an outer block": f"async function f() {{ await a(); if (x) {{ for (;;) {CALL} }} }}",
    "a block of its own": f"async function f() {{ {{ await a(); }} {CALL} }}",
    "a condition": f"async function f() {{ if (await a()) {{ {CALL} }} }}",
    "a condition that is turned round": f"async function f() {{ if (!(await a())) {CALL} }}",
    "the left side of `&&`": f"async function f() {{ await a() && {CALL} }}",
    "the subject of a switch": f"async function f() {{ switch (await a()) {{ case 1: {CALL} }} }}",
    "the iterable of a loop": f"async function f() {{ for (const x of await a()) {CALL} }}",
    "the same try block": f"async function f() {{ try {{ await a(); {CALL} }} catch {{}} }}",
    "its own argument": "async function f() { browser.tabs.query(await a()) }",
    "a part of its own argument": "const f = async () => browser.tabs.query({ url: await a() })",
    "parentheses": f"async function f() {{ await (a()); {CALL} }}",
    "the last of two": f"async function f() {{ await b(); await a(); {CALL} }}",
    "a method": f"class A {{ async f() {{ await a(); {CALL} }} }}",
    "after a way out": f"async function f() {{ if (x) return; await a(); {CALL} }}",
}


@pytest.mark.parametrize("source", AFTER.values(), ids=AFTER.keys())
def test_await_precedes_call(source: str) -> None:
    assert awaited_before_calls(source) == ["a()"]


NOT_AFTER = {
    "no await": f"async function f() {{ a(); {CALL} }}",
    "its own await": f"async function f() {{ await {CALL} }}",
    "an await behind it": f"async function f() {{ {CALL}; await a() }}",
    "a branch": f"async function f() {{ if (x) {{ await a() }} {CALL} }}",
    "the other branch": f"async function f() {{ if (x) {{ await a() }} else {{ {CALL} }} }}",
    "a ternary": f"async function f() {{ x ? await a() : 0; {CALL} }}",
    "the right side of `&&`": f"async function f() {{ x && await a(); {CALL} }}",
    "a loop that may not run": f"async function f() {{ for (const x of y) {{ await a() }} {CALL} }}",
    "the step of a loop": f"async function f() {{ for (;; await a()) {{ {CALL} }} }}",
    "a try block": f"async function f() {{ try {{ await a() }} catch {{}} {CALL} }}",
    "its catch block": f"async function f() {{ try {{ await a() }} catch {{ {CALL} }} }}",
    "a case of a switch": f"async function f() {{ switch (x) {{ case 1: await a() }} {CALL} }}",
    "an optional call": f"async function f() {{ x?.(await a()); {CALL} }}",
    "an inner function": f"async function f() {{ const g = async () => {{ await a() }}; {CALL} }}",
    "an outer function": f"async function f() {{ await a(); x.onclick = () => {{ {CALL} }} }}",
    "a function given on": f"async function f() {{ await a(); g(function () {{ {CALL} }}) }}",
    "a wait that may be the last": f"async function f() {{ await a(); if (x) await b(); {CALL} }}",
    "a loop that waits": f"async function f() {{ await a(); for await (const x of y) {CALL} }}",
    "a generator": f"async function* f() {{ await a(); yield 1; {CALL} }}",
    "a comment": f"async function f() {{ /* await a() */ {CALL} }}",
    "a name": f"async function f() {{ x.await(a()); {CALL} }}",
}


@pytest.mark.parametrize("source", NOT_AFTER.values(), ids=NOT_AFTER.keys())
def test_call_may_run_without_await(source: str) -> None:
    assert awaited_before_calls(source) == [None]
