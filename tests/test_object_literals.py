"""The plain data of object literals of JavaScript."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.json.object_literal import read_object_at, read_objects_with

CASES = {
    "names and strings": ("x = { key: 1, 'a-b': \"c\", 5: `d` }", {"key": 1, "a-b": "c", "5": "d"}),
    "words": ("({ key: true, a: false, b: null })", {"key": True, "a": False, "b": None}),
    "nested values": ("f({ key: { a: [1, { b: 'c' }] } })", {"key": {"a": [1, {"b": "c"}]}}),
    "the object with the key": ("const a = { b: 1 }; f({ c: { key: 2, d: 3 } })", {"key": 2, "d": 3}),
    "comments": ("({ // key: 0\n key: 1, /* , */ a: 'b' })", {"key": 1, "a": "b"}),
    "trailing commas": ("({ key: [1,], a: 'b', })", {"key": [1], "a": "b"}),
    "escapes": (r"({ key: 'a\'b\\c', a: '\n\u0041\x42' })", {"key": "a'b\\c", "a": "\nAB"}),
    "types": ("({ key: 'a' as const, b: [1] satisfies number[] })", {"key": "a", "b": [1]}),
    "variables and calls": ("({ key: 1, a: B, c: d('e'), f: g.h, i: ['j'].join(';') })", {"key": 1}),
    "unknown items": ("({ key: ['a', ...b, c ? 'd' : 'e', `f${g}`] })", {"key": ["a"]}),
    "operators": ("({ key: 1 + 1, a: 'b' + 'c', d: x || {} })", {}),
    "methods and spreads": (
        "({ ...a, key: 1, b() { return { c: 1 } }, d, get e() { return 2 } })",
        {"key": 1},
    ),
    "an open end": ("x = { key: 1, a: { b: 'c'", {"key": 1}),
    "no such key": ("({ a: 1 })", None),
    "the key without an object": ("key: for (;;) {}", None),
    "the key in a string": ("const a = '{ key: 1 }'", None),
    "nothing": ("", None),
    "brackets that do not match": ("({ key: [1, { a: ) ] }", {"key": [1, {}]}),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_plain_data(text: str, expected: object) -> None:
    assert next(read_objects_with(text, "key"), None) == expected


DATA = st.recursive(
    st.booleans() | st.none() | st.integers(0, 99) | st.text(st.characters(codec="ascii")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="ascii")), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), DATA))
def test_json_is_plain_data(keys: dict[str, object]) -> None:
    text = f"export default {json.dumps({'key': 1} | keys)}"
    assert next(read_objects_with(text, "key"), None) == {"key": 1} | keys


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = next(read_objects_with(f"{{ key: {text}", "key"), None)
    assert found is None or isinstance(found, dict)


def test_lists_with_other_items_are_left_out() -> None:
    assert read_object_at("f({ a: [1, x], b: [2], c() {} })", 2) == {"b": [2]}
    assert read_object_at("f(a)", 2) == {}
