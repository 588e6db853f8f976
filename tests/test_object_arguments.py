"""Objects passed to API calls: their known value at the call, whatever else is done with them."""

from __future__ import annotations

import pytest
from test_arguments import rendered_arguments

KNOWN = {
    "changed after it was read": ("const q = {a: 1}; browser.test.log(q); f(q)", "{a: 1}"),
    "written to after it was read": ("const q = {a: 1}; browser.test.log(q); q.a = 2", "{a: 1}"),
    "read in a literal": ("const q = {a: 1}; browser.test.log({q}); f(q)", "{q: {a: 1}}"),
    "changed in the callback": (
        "const q = {a: 1}; browser.test.log(q, () => f(q))",
        "{a: 1}, function(0)",
    ),
    "changed in a function that is made later": (
        "const q = {a: 1}; browser.test.log(q); g(() => f(q))",
        "{a: 1}",
    ),
    "made anew in each round": ("for (;;) { const q = {a: 1}; browser.test.log(q); f(q) }", "{a: 1}"),
    "given to a function that reads it": (
        "function show(o) { g(`${o.a}`) } const q = {a: 1}; show(q); browser.test.log(q)",
        "{a: 1}",
    ),
    "given to one that passes it to such a one": (
        "const one = (o) => { two(o) }; const two = (o) => { if (o.a > 1) g() }; const q = {a: 1};"
        " one(q); browser.test.log(q)",
        "{a: 1}",
    ),
    "given to one that copies it": (
        "const send = (o) => { g({ ...o }) }; const q = {a: 1}; send(q); browser.test.log(q)",
        "{a: 1}",
    ),
    "given to one that takes fewer": (
        "const f = () => 1; const q = {a: 1}; f(q); browser.test.log(q)",
        "{a: 1}",
    ),
    "logged": ("const q = {a: 1}; logger.debug('x', q); browser.test.log(q)", "{a: 1}"),
    "logged by a method": ("const q = {a: 1}; this.log.info(q); browser.test.log(q)", "{a: 1}"),
    "logged by a function": ("const q = {a: 1}; logError(q); browser.test.log(q)", "{a: 1}"),
    "written to inside": ("const q = {a: 1, b: {c: 2}}; q.b.c = 3; browser.test.log(q)", "{a: 1, b: {…}}"),
    "written to deep inside": ("const q = {a: 1, b: {}}; q.b.c.d = 3; browser.test.log(q)", "{a: 1, b: {…}}"),
    "an array inside that grows": (
        "const q = {a: 1, b: [2]}; q.b.push(3); browser.test.log(q)",
        "{a: 1, b: […]}",
    ),
}

CHANGED = {
    "changed before": ("const q = {a: 1}; f(q); browser.test.log(q)", "{…}"),
    "changed in an argument that follows": ("const q = {a: 1}; browser.test.log(q, f(q))", "{…}, ?"),
    "changed in the round before": ("const q = {a: 1}; for (;;) { browser.test.log(q); f(q) }", "{…}"),
    "kept and read later": (
        "const q = {a: 1}; const o = {q}; f(q); browser.test.log(o)",
        "{q: {…}}",
    ),
    "changed by a function that is called before": (
        "const q = {a: 1}; g(); browser.test.log(q); function g() { f(q) }",
        "{…}",
    ),
    "changed by a function that was made before": (
        "const q = {a: 1}; on(() => f(q)); browser.test.log(q)",
        "{…}",
    ),
    "read in another function": ("const q = {a: 1}; const h = () => browser.test.log(q); f(q)", "{…}"),
    "passed to a function that reads it later": (
        "const h = (o) => { setTimeout(() => browser.test.log(o)) }; const q = {a: 1}; h(q); f(q)",
        "{…}",
    ),
    "given to a function that writes to it": (
        "const mend = (o) => { delete o.a }; const q = {a: 1}; mend(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one that writes inside of it": (
        "const mend = (o) => { o.a.b = 1 }; const q = {a: {}}; mend(q); browser.test.log(q)",
        "{a: {…}}",
    ),
    "given to one that keeps it": (
        "const keep = (o) => { all.push(o) }; const q = {a: 1}; keep(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one that gives it back": (
        "const same = (o) => o; const q = {a: 1}; f(same(q)); browser.test.log(q)",
        "{…}",
    ),
    "given to one that may give it back": (
        "const some = (o) => { const p = o || {}; p.b = 2 }; const q = {a: 1}; some(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one that reads its arguments": (
        "function any() { arguments[0].b = 2 } const q = {a: 1}; any(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one that takes all": (
        "const any = (...all) => { all[0].b = 2 }; const q = {a: 1}; any(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one that calls itself": (
        "const again = (o) => { again(o) }; const q = {a: 1}; again(q); browser.test.log(q)",
        "{…}",
    ),
    "given to one of a name like a logger's": ("const q = {a: 1}; login(q); browser.test.log(q)", "{…}"),
    "given to a method of a name like a logger's": (
        "const q = {a: 1}; dialog.info(q); browser.test.log(q)",
        "{…}",
    ),
}


@pytest.mark.parametrize(("source", "expected"), KNOWN.values(), ids=KNOWN.keys())
def test_unchanged_object_is_known(source: str, expected: str) -> None:
    assert rendered_arguments(source) == expected


@pytest.mark.parametrize(("source", "expected"), CHANGED.values(), ids=CHANGED.keys())
def test_possibly_changed_object_is_unknown(source: str, expected: str) -> None:
    assert rendered_arguments(source) == expected
