"""Reads and comparisons of API results."""

from __future__ import annotations

import pytest
from test_arguments import render

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.values import ApiResult


def origin(of: ApiResult) -> str:
    """Returns a result as `how function[.step]`, with the index of a callback argument."""
    how = of.delivery.value + (f" {of.index}" if of.index else "")
    return " ".join([how, ".".join(of.path), *of.steps])


def fields(source: str, path: str = "a.js") -> list[str]:
    """Returns the fields that a script reads from API results, except array methods."""
    text = source.encode()
    found = analyze(text, path).field_reads
    return [f"{text[slice(*each.span)].decode()} of {origin(each.of)}" for each in found if each.name == "x"]


SELF = "browser.management.getSelf"
ALL = "browser.management.getAll"
FIELDS = {
    "await": (f"(await {SELF}()).x", "promise management.getSelf"),
    "await before a bracket": (
        f"const i = await (0, {SELF})(); i.x",
        "promise management.getSelf",
    ),
    "await before a bracket without a space": (
        f"const i = await({SELF})(); i.x",
        "promise management.getSelf",
    ),
    "await of the API through an alias": (
        "const m = browser.management; const i = await m.getSelf(); i.x",
        "promise management.getSelf",
    ),
    "a variable": (f"const info = await {SELF}(); info.x", "promise management.getSelf"),
    "a promise in a variable": (f"const p = {SELF}(); (await p).x", "promise management.getSelf"),
    "then": (f"{SELF}().then(info => info.x)", "promise management.getSelf"),
    "then with a function": (f"{SELF}().then(function (info) {{ info.x }})", "promise management.getSelf"),
    "then with a name": (
        f"{SELF}().then(got); function got(info) {{ info.x }}",
        "promise management.getSelf",
    ),
    "a callback": (f"{SELF}(info => info.x)", "callback management.getSelf"),
    "a callback by name": (f"const got = info => info.x; {SELF}(got)", "callback management.getSelf"),
    "the second argument": ("browser.a.b((c, d) => d.x)", "callback 1 a.b"),
    "a listener": ("browser.test.onMessage.addListener((m, d) => d.x)", "listener 1 test.onMessage"),
    "destructuring": (f"const {{ x }} = await {SELF}()", "promise management.getSelf"),
    "destructuring with a new name": (f"const {{ x: y = 1 }} = await {SELF}()", "promise management.getSelf"),
    "a destructured parameter": (f"{SELF}().then(({{ x }}) => x)", "promise management.getSelf"),
    "a bracket": (f"(await {SELF}())['x']", "promise management.getSelf"),
    "optional chaining": (f"(await {SELF}())?.x", "promise management.getSelf"),
    "a nested field": (f"(await {SELF}()).icons.x", "promise management.getSelf icons"),
    "an item": (f"(await {ALL}())[0].x", "promise management.getAll []"),
    "an item of a field": (f"(await {SELF}()).icons[0].x", "promise management.getSelf icons []"),
    "for of": (f"for (const e of await {ALL}()) e.x", "promise management.getAll []"),
    "for of with a pattern": (f"for (const {{ x }} of await {ALL}()) f(x)", "promise management.getAll []"),
    "forEach": (f"{ALL}(l => l.forEach(e => e.x))", "callback management.getAll []"),
    "filter and map": (f"(await {ALL}()).filter(f).map(e => e.x)", "promise management.getAll []"),
    "find": (f"(await {ALL}()).find(f).x", "promise management.getAll []"),
    "an array pattern": (f"const [a] = await {ALL}(); a.x", "promise management.getAll []"),
    "sorted in between": (f"const l = await {ALL}(); l.sort(f); l[0].x", "promise management.getAll []"),
    "looked at in between": (f"const i = await {SELF}(); console.log(i); i.x", "promise management.getSelf"),
    "a callback of a bound function": (f"{SELF}.bind(null)(i => i.x)", "callback management.getSelf"),
    "a callback by call": (f"{SELF}.call(null, i => i.x)", "callback management.getSelf"),
    "a fallback": (f"const i = (await {SELF}()) || null; i.x", "promise management.getSelf"),
}


@pytest.mark.parametrize(("source", "expected"), FIELDS.values(), ids=FIELDS.keys())
def test_field_read_is_found(source: str, expected: str) -> None:
    found = fields(source)
    assert [each.replace("'x'", "x") for each in found] == [f"x of {expected}"]


UNKNOWN = {
    "a value that was reassigned": f"let i = await {SELF}(); i = other(); i.x",
    "a value that may be another": f"const i = c ? await {SELF}() : other(); i.x",
    "a value passed to a function": f"const i = await {SELF}(); change(i); i.x",
    "a value with another name": f"const i = await {SELF}(); const j = i; j.y = 1; i.x",
    "a value with a field set": f"const i = await {SELF}(); i.x = 1; i.x",
    "a field that is set elsewhere": f"{ALL}(l => l.forEach(e => {{ e.x = 1 }})); {ALL}(l => l[0].x)",
    "the result of then": f"{SELF}().then(f).then(i => i.x)",
    "the result of map": f"(await {ALL}()).map(f)[0].x",
    "a function that is called by others too": f"function got(i) {{ i.x }} {SELF}(got); got(other())",
    "a function passed to others too": f"function got(i) {{ i.x }} {SELF}(got); others.map(got)",
    "the rest of a value": f"const {{ y, ...i }} = await {SELF}(); i.x",
    "a member that is replaced": f"browser.management.getSelf = fake; (await {SELF}()).x",
    "a field of an object that others write": (
        f"class A {{ async m() {{ this.i = await {SELF}(); this.i.x }} }} a.i = other()"
    ),
    "a shadowing parameter": f"{SELF}().then(i => f(i => i.x))",
    "a second argument of then": f"{SELF}().then(f, e => e.x)",
    "an index of forEach": f"{ALL}(l => l.forEach((e, i) => i.x))",
    "an unknown function's callback": "other(i => i.x)",
    "for in": f"for (const k in await {SELF}()) k.x",
    "an array that was added to": f"const l = await {ALL}(); l.push(y); l[0].x",
}


@pytest.mark.parametrize("source", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_field_read_of_an_uncertain_value_is_ignored(source: str) -> None:
    assert fields(source) == []


def comparisons(source: str) -> list[str]:
    """Returns the comparisons of a script, as `result: value`."""
    return [
        f"{origin(each.of)}: {render(each.with_)}" for each in analyze(source.encode(), "a.js").comparisons
    ]


TYPE = f"(await {SELF}()).type"
COMPARED = {
    "strict": (f"{TYPE} === 'a'", ["'a'"]),
    "from the other side": (f"'a' !== {TYPE}", ["'a'"]),
    "loose": (f"{TYPE} == 'a'", ["'a'"]),
    "a constant": (f"const A = 'a'; {TYPE} === A", ["'a'"]),
    "switch": (f"switch ({TYPE}) {{ case 'a': break; case 'b': default: }}", ["'a'", "'b'"]),
    "includes": (f"['a', 'b', x].includes({TYPE})", ["'a'", "'b'"]),
    "an unknown value": (f"{TYPE} === y", ["?"]),
    "typeof": (f"typeof {TYPE} === 'string'", []),
    "another operator": (f"{TYPE} < 'a'", []),
    "includes of the value": (f"{TYPE}.includes('a')", []),
}


@pytest.mark.parametrize(("source", "values"), COMPARED.values(), ids=COMPARED.keys())
def test_comparison_is_found(source: str, values: list[str]) -> None:
    assert comparisons(source) == [f"promise management.getSelf type: {value}" for value in values]
