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
    "another call asks for it": f"{GET}('a', (it) => f(it.b)); {GET}('b', f)",
    "another call asks for anything": f"{GET}('a', (it) => f(it.b)); {GET}(key, f)",
    "it is called by another name": f"{GET}('a', (it) => f(it.b)); use(chrome.storage.local.get)",
    "the area is chosen": (
        f"{GET}('a', (it) => f(it.b)); (x ? chrome.storage.sync : chrome.storage.local).get(key, f)"
    ),
    "a key that is added": f"{GET}('a', (it) => {{ it.b = 1; f(it.b) }})",
    "a method of objects": f"{GET}('a', (it) => f(it.hasOwnProperty('a')))",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_requested_or_unknown_keys_are_not_reported(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


def test_key_requested_by_another_script_is_not_reported() -> None:
    read = f"import './c.js'; {GET}('a', (it) => f(it.b))"
    assert lint(files(read, c=f"{GET}('b', f)"), [RULE], "chrome") == []
    assert len(lint(files(read, c=f"{GET}('c', f)"), [RULE], "chrome")) == 1


def test_message_suggests_the_requested_key() -> None:
    (finding,) = lint(files(f"{GET}('colour', (it) => f(it.color))"), [RULE], "chrome")
    assert finding.message == (
        "the key `color` is undefined, as no call of `storage.local.get` asks for it; did you mean `colour`?"
    )
