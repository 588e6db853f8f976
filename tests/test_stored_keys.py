"""Keys that are read from a storage result although no call requests them."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "unknown-result-field"
GET = "chrome.storage.local.get"


def files(source: str, **others: str) -> dict[str, str]:
    keys = {"permissions": ["storage"], "background": {"service_worker": "b.js", "type": "module"}}
    texts = {f"{name}.js": text for name, text in others.items()}
    return {"manifest.json": manifest(**keys), "b.js": source, **texts}


REPORTED = {
    "one key": (f"{GET}('a', (it) => f(it.b))", ["b"]),
    "several": (f"{GET}(['a', 'c'], (it) => f(it.a, it.c, it.b))", ["b"]),
    "defaults": (f"{GET}({{a: 1}}).then(({{a, b}}) => f(a, b))", ["b"]),
    "awaited": (f"const it = await {GET}('a'); f(it['b'])", ["'b'"]),
    "a constant": (f"const KEY = 'a'; {GET}(KEY, (it) => f(it.KEY))", ["KEY"]),
    "a test": (f"{GET}('a', (it) => {{ if (it.b) f() }})", ["b"]),
    "another area asks for it": (f"{GET}('a', (it) => f(it.b)); chrome.storage.sync.get('b', f)", ["b"]),
    "another call asks for it": (f"{GET}('a', (it) => f(it.b)); {GET}('b', f)", ["b"]),
    "another call asks for anything": (f"{GET}('a', (it) => f(it.b)); {GET}(key, f)", ["b"]),
    "the method is used elsewhere": (f"{GET}('a', (it) => f(it.b)); use({GET})", ["b"]),
    "an area is chosen elsewhere": (
        f"{GET}('a', (it) => f(it.b)); (x ? chrome.storage.sync : chrome.storage.local).get(key, f)",
        ["b"],
    ),
    "a call in a function": (f"const g = () => {GET}('a'); f((await g()).b); {GET}('b', f)", ["b"]),
}


@pytest.mark.parametrize(("source", "expected"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(source: str, expected: list[str], target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, each) for each in expected]


SILENT = {
    "the key": f"{GET}('a', (it) => f(it.a, it.a.b))",
    "everything": f"{GET}((it) => f(it.b)); {GET}(null, (it) => f(it.b))",
    "a key that is not known": f"{GET}(key, (it) => f(it.b))",
    "keys that are not all known": f"{GET}(['a', ...more], (it) => f(it.b))",
    "defaults that are not all known": f"{GET}({{a: 1, ...more}}, (it) => f(it.b))",
    "one of two calls asks for it": f"let it = await {GET}('a'); if (x) it = await {GET}('b'); f(it.b)",
    "both calls have one callback": f"const g = (it) => f(it.b); {GET}('a', g); {GET}(['a', 'b'], g)",
    "a function gets all keys": (
        f"const g = (keys) => {GET}(keys); g('a').then((it) => f(it.a)); g('b').then((it) => f(it.b))"
    ),
    "keys are added to the object": (
        f"const it = await {GET}('a'); Object.assign(it, await {GET}('b')); f(it.b)"
    ),
    "a function adds keys to the object": (
        f"{GET}('a', (it) => {{ add(it); f(it.b) }}); {GET}('b', f);"
        "function add(it) { for (const key of keys) it[key] = 1; }"
    ),
    "the promise is passed on": f"const it = {GET}('a'); use(it); f((await it).b); {GET}('b', f)",
    "a key that is added": f"{GET}('a', (it) => {{ it.b = 1; f(it.b) }})",
    "a method of objects": f"{GET}('a', (it) => f(it.hasOwnProperty('a')))",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_requested_or_unknown_keys_are_not_reported(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


def test_key_requested_by_another_script_is_not_reported() -> None:
    read = f"import './c.js'; const it = {GET}('a'); use(it); f((await it).b);"
    assert lint(files(read, c=f"{GET}('b', f)"), [RULE], "chrome") == []
    assert len(lint(files(read, c=f"{GET}('c', f)"), [RULE], "chrome")) == 1


def test_message_suggests_the_requested_key() -> None:
    (finding,) = lint(files(f"{GET}('colour', (it) => f(it.color))"), [RULE], "chrome")
    assert finding.message == (
        "the key `color` is undefined, as no call of `storage.local.get` asks for it; did you mean `colour`?"
    )


def test_object_of_another_script_is_not_that_of_a_call() -> None:
    read = "import { load } from './c.js'; f((await load()).b);"
    load = f"export const load = async () => await {GET}('a');"
    assert len(lint(files(read, c=load), [RULE], "chrome")) == 1
    assert lint(files(f"{read} {GET}('b', f)", c=load), [RULE], "chrome") == []


def test_message_names_the_call() -> None:
    (finding,) = lint(files(f"{GET}('colour', (it) => f(it.color)); {GET}('color', f)"), [RULE], "chrome")
    assert finding.message == (
        "the key `color` is undefined, as this call of `storage.local.get` does not ask for it;"
        " did you mean `colour`?"
    )
