"""Queries for one property of an object skip the other properties without losing precision."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from harness import manifest, reported
from programs import Writer
from thorough import some

from extlint.analysis.facts.values import Unknown, options_of
from extlint.analysis.follow import evaluator_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression
from extlint.analysis.syntax.prefilter import candidates
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.trace.discover import Discovery
from extlint.analysis.values.evaluator import MAX_NAMES_WANTED
from extlint.analysis.values.property_index import key_of


def member_expressions(tree: SyntaxTree) -> Iterator[AccessExpression]:
    waiting: list[Node] = [tree.root]
    while waiting:
        each = waiting.pop()
        waiting += each.named()
        if isinstance(each, AccessExpression):
            yield each


@pytest.mark.parametrize("seed", some(range(60), 3))
def test_property_query_agrees_with_the_entire_object(seed: int) -> None:
    """The value in the entire object may be less precise if it depends on itself."""
    writer = Writer(Random(seed))
    text = (writer.program() if seed % 2 else writer.guard_program()).encode()
    by_whole, by_part = evaluator_of(text, "a.js"), evaluator_of(text, "a.js")
    assert by_whole is not None
    assert by_part is not None
    for one, other in zip(member_expressions(by_whole.tree), member_expressions(by_part.tree), strict=True):
        name = key_of(by_whole, one)
        if name is None:
            continue
        whole = by_whole.possible.member(by_whole.possible.value(one.object), name, one)
        part = by_part.possible.member(by_part.possible.value(other.object, name), name, other)
        assert part == whole or any(isinstance(each, Unknown) for each in options_of(whole)), text[
            one.start : one.end
        ]


def analysis_steps(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    discovery = Discovery(evaluator)
    discovery.run(candidates(text.encode()))
    assert evaluator.omission is None
    return evaluator.tree.budget.spent


CHAIN = "".join(f"function f{at}(x) {{ return f{at + 1}({{ x }}) }}\n" for at in range(30))
"""Functions whose values are nested objects."""

READS = {
    "a property": "const o = { OTHER }; o.api",
    "a property of a parameter": "function f(o) { return o.api } f({ OTHER })",
    "a part of a parameter": "function f({ api }) { return api } f({ OTHER })",
    "a part with a default": "function f({ api } = {}) { return api } f({ OTHER })",
    "a part of a variable": "const { api } = { OTHER }",
    "of what a function returns": "function f() { return { OTHER } } f().api",
    "of one of two": "const o = c ? { OTHER } : { api: 2 }; o.api",
    "of a spread": "const p = { OTHER }; const o = { ...p }; o.api",
    "of this": "const o = { OTHER, f() { return this.api } }",
    "after other writes": "const o = {}; o.other = f0(1); o.another = 1; o.api",
}


@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
def test_other_properties_are_not_evaluated(read: str) -> None:
    """`api` is a property that receives the API, so each read of a property of that name is examined."""
    use = "class A { constructor() { this.api = browser } }"
    text = f"{CHAIN}\n{read}\n{use}"
    costly = analysis_steps(text.replace("OTHER", "api: 1, other: f0(1)").replace("f0(1)", "f1(1)"))
    cheap = analysis_steps(text.replace("OTHER", "api: 1, other: g0(1)").replace("f0(1)", "g0(1)"))
    assert costly == cheap


def test_object_is_reevaluated_for_only_a_few_names() -> None:
    chain = "".join(f"function f{at}() {{ return f{at + 1}() }}\n" for at in range(20))
    evaluator = evaluator_of((chain + "function f20() { return {} }\nf0()").encode(), "a.js")
    assert evaluator is not None
    call = evaluator.tree.leaf_at(evaluator.tree.text.rindex(b"f0()")).parent
    assert call is not None
    spent = []
    for name in range(40):
        before = evaluator.tree.budget.spent
        evaluator.possible.partial(call, f"name{name}")
        spent.append(evaluator.tree.budget.spent - before)
    assert all(spent[: MAX_NAMES_WANTED + 1])
    assert not any(spent[MAX_NAMES_WANTED + 1 :])


_MANIFEST = manifest(permissions=["tabs"], background={"service_worker": "b.js"})
_QUERY = "tabs.query({ activ: true })"

PASSED = {
    "to a function": "function f(o) { o.value.QUERY } f({ value: chrome })",
    "to a function in place": "(function (o) { o.value.QUERY })({ value: chrome })",
    "to a constructor": "class A { constructor(o) { o.value.QUERY } } new A({ value: chrome })",
    "to a function that gives it back": "function f(o) { return o } f({ value: chrome }).value.QUERY",
    "to what freezes it": "function g() { return Object.freeze({ value: chrome }) } g().value.QUERY",
    "to a variable and unknown code": "function g() { const o = { value: chrome }; u(o); o.value.QUERY }",
    "to a variable that is read elsewhere": (
        "function g() { const o = { value: chrome }; return o } function h() { g().value.QUERY }"
    ),
    "to a variable of the script": "var o = { value: chrome }; function h() { window.o.value.QUERY }",
    "to a property": "const a = { b: { value: chrome } }; function h() { a.b.value.QUERY }",
    "to its own methods": "u({ value: chrome, f() { this.value.QUERY } })",
}


@pytest.mark.parametrize("source", PASSED.values(), ids=PASSED.keys())
def test_api_in_a_passed_object_is_found(source: str) -> None:
    files = {"manifest.json": _MANIFEST, "b.js": source.replace("QUERY", _QUERY)}
    assert reported(files, ("invalid-argument", "unknown-api"), "chrome") == [("invalid-argument", "activ")]


UNKNOWN = {
    "as an argument": "unknown({ value: browser })",
    "of a method": "self.clients.unknown({ value: browser })",
    "of an alias": "var d = Object.defineProperty; function g(to) { return d(to, 'x', { value: browser }) }",
    "of a constructor": "new Unknown({ value: browser })",
    "by way of a variable": "function g() { const o = { value: browser }; unknown(o); o.other }",
}


@pytest.mark.parametrize("use", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_object_passed_only_to_unknown_code_is_not_searched(use: str) -> None:
    """Each read of a property of that name would be a query."""
    reads = "".join(f"function h{at}(x) {{ return x.value }} h{at}({{ value: {at} }})\n" for at in range(9))
    other_reads = reads.replace("value", "valve")
    assert analysis_steps(use + "\n" + reads) == analysis_steps(use + "\n" + other_reads)
