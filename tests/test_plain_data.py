"""Literals that are recognized as plain data by their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.syntax.lexer import texts_of_data
from extlint.analysis.syntax.parse import parse

DATA: dict[str, set[str]] = {
    "{}": set(),
    "[]": set(),
    "{a: 1, 'b': [2.5, -3], \"c\": {d: true, e: false, f: null}}": {"b", "c"},
    "[ 'one', \"two\", 'it says \"so\"' ]": {"one", "two", 'it says "so"'},
    "[,]": set(),
    "['', 'é']": {"", "é"},
}


@pytest.mark.parametrize("literal", DATA)
def test_texts_of_plain_data(literal: str) -> None:
    text = f"x = {literal};".encode()
    found = texts_of_data(text, len("x = "), len(text) - 1)
    assert found is not None
    assert {each.decode() for each in found} == DATA[literal]


@pytest.mark.parametrize(
    "literal",
    [
        "[a]",
        "{a}",
        "{a: b}",
        "{a() {}}",
        "{...a}",
        "{get a() { return 1 }}",
        "{[a]: 1}",
        "{a: 1 + 2}",
        "[true-1]",
        "[[] - 1]",
        "['a' -1]",
        "{a: `b`}",
        "{a: 'b\\n'}",
        "{a: /b/}",
        "{a: 1n}",
        "{a: 1..b}",
        "{a: true.b}",
        "{a: 'b'.length}",
        "{a: 1, // b\n}",
        "{a: undefined}",
        "{a: b ? 1 : 2}",
        "{a: 'b}",
    ],
)
def test_other_literal_is_not_plain_data(literal: str) -> None:
    assert texts_of_data(literal.encode(), 0, len(literal.encode())) is None


NAMES = ("a", "b", "true", "null", "1", "1e3", "0x1", "'c'", '"d"', "a: ")
SIGNS = ("{", "}", "[", "]", ",", ":", "(", ")", "=>", "...", ".", "-", "+", "?", "!", " ", "\n")
PIECES = st.sampled_from([*NAMES, *SIGNS, "'", '"', "`", "$", "\\", "/", "//"])
CONSTANTS = (b"true", b"null")
"""The parser accepts them as shorthand properties, as in `{true}`, which no browser does."""


@given(st.lists(PIECES, max_size=12).map("".join))
def test_plain_data_contains_no_code(inside: str) -> None:
    """A literal that counts as data contains no names, calls or operators for the parser."""
    for literal in (f"[{inside}]".encode(), f"{{{inside}}}".encode()):
        found = texts_of_data(literal, 0, len(literal))
        tree = parse(b"(" + literal + b")", "javascript")
        if found is None or tree is None or tree.root_node.has_error:
            continue
        waiting, texts = [tree.root_node], set()
        while waiting:
            each = waiting.pop()
            assert each.type not in {"identifier", "call_expression", "binary_expression", "regex"}
            assert not each.type.startswith(("spread", "template", "ternary", "comment"))
            assert not each.type.startswith("shorthand") or each.text in CONSTANTS
            if each.type == "string_fragment" and each.text:
                texts.add(each.text)
            waiting += each.children
        assert found - {b""} == texts
