"""The parser terminates in bounded memory on any input, without affecting real code."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest

from extlint.analysis.syntax import parse as parsing
from extlint.analysis.syntax import tree_cache
from extlint.analysis.syntax.lexer import (
    MAX_NESTED_BRACKETS,
    MAX_UNCLOSED_BRACKETS,
    nests_too_deeply,
)
from extlint.analysis.syntax.parse import Grammar, parse
from extlint.analysis.syntax.tree_cache import TreeCache

MANY = 6000
FEW = MAX_UNCLOSED_BRACKETS - 10
DEEP = 2 * MAX_NESTED_BRACKETS
LONG = b"f(a, b);" * 20_000

TOO_DEEP = {
    "calls that are not closed": b"(" + b".bind(" * MANY,
    "one of them is": b"(" + b".bind(" * MANY + b")",
    "behind a long text without any": b" " * 500_000 + b"(" + b".bind(" * MANY,
    "spread over a long text": (b"f(" + b" " * 99) * MANY,
    "closed by another bracket": b"(" + b".bind(" * MANY + b"]" * MANY,
    "closed before they are opened": b")" * MANY + b"(" + b".bind(" * MANY,
    "closed in strings": b"(" + b".bind(')'," * MANY + b"[" * MANY,
    "closed in comments": b"(" + b".bind(/*)*/" * MANY,
    "closed in comments to the end of the line": b"(" + b".bind(//)\n" * MANY,
    "closed in strings of both kinds": b"(" + b""".bind(')', ")",""" * MANY,
    "closed in templates": b"(" + b".bind(`)`," * MANY,
    "closed in regular expressions": b"(" + b".bind(/)/,typeof /[)]/," * MANY,
    "closed in one long comment": b"(" + b".bind(" * MANY + b"/*" + b")" * MANY + b"*/",
    "closed in comments behind the quote of a regular expression": b"x=1\n/'/.y;("
    + b".bind(/*)*/" * MANY
    + b"''",
    "closed in another order": b"([" * MANY + b")" * MANY,
    "very deep": b"[" * DEEP + b"]" * DEEP,
}
NOT_TOO_DEEP = {
    "a few": b"f(" * FEW,
    "many, one after the other": b"f([{}]);" * MANY,
    "many groups": (b"(" * 60 + b")" * 60) * 1000,
    "deep": b"[" * MANY + b"]" * MANY,
    "deep, of all kinds": b"({[a," * MANY + b"]})" * MANY,
    "in strings": b"f('(', \"[\", `{`);" * MANY,
    "in comments": b"f(/* ( */); // {[\n" * MANY,
    "in regular expressions": rb"f(/[(]\{/);" * MANY,
    "behind regular expressions that look like divisions": b"if(a)/'/.test(b);f('(');" * MANY,
    "too many closed": b"}" * MANY,
}


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP.keys())
def test_too_deeply_nested_text_is_not_parsed(text: bytes) -> None:
    assert nests_too_deeply(text)
    assert parse(text, "javascript") is None


@pytest.mark.parametrize("text", NOT_TOO_DEEP.values(), ids=NOT_TOO_DEEP.keys())
def test_other_brackets_are_accepted(text: bytes) -> None:
    assert not nests_too_deeply(text)


def test_angle_brackets_count_in_typescript() -> None:
    assert nests_too_deeply(b"f<T," * MANY, has_types=True)
    assert not nests_too_deeply(b"f<T," * MANY)
    assert not nests_too_deeply(b"let a: A<T> = (b) => b < c;" * FEW, has_types=True)


@pytest.fixture
def _piecewise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the parser treat a few kilobytes as a long text."""
    monkeypatch.setattr(parsing, "_MAX_UNBOUNDED_BYTES", 1000)


GRAMMARS: list[Grammar] = ["javascript", "typescript", "tsx"]


@pytest.mark.usefixtures("_piecewise")
@pytest.mark.parametrize("grammar", GRAMMARS)
@pytest.mark.parametrize(
    ("bound", "value"),
    [
        pytest.param("MAX_PARSER_STEPS", 100, id="steps"),
        pytest.param("_BYTES_PER_STEP", 1_000_000, id="steps for its length"),
    ],
)
def test_long_parse_is_stopped(
    grammar: Grammar, bound: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, bound, value)
    assert parse(LONG, grammar) is None
    assert (tree := parse(b"f(a)", grammar)) is not None
    assert tree.root_node.end_byte == 4
    assert not tree.root_node.has_error


@pytest.mark.usefixtures("_piecewise")
def test_parser_stops_at_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(1000))
    monkeypatch.setattr(parsing, "resident_bytes", lambda: next(looks) * parsing.MAX_PARSER_BYTES // 3)
    assert parse(LONG, "javascript") is None
    assert next(looks) < 10


@pytest.mark.usefixtures("_piecewise")
def test_parser_frees_its_input() -> None:
    parse(LONG, "javascript")
    tracemalloc.start()
    try:
        for _ in range(2):
            assert parse(LONG, "javascript") is not None
        assert tracemalloc.get_traced_memory()[0] < len(LONG) / 4
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("_piecewise")
def test_parser_stops_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    times = itertools.count(step=parsing.MAX_PARSER_SECONDS)
    monkeypatch.setattr(parsing, "thread_time", lambda: next(times))
    assert parse(LONG, "javascript") is None
    assert next(times) == 3 * parsing.MAX_PARSER_SECONDS


def test_text_that_is_not_parsed_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []
    monkeypatch.setattr(tree_cache, "parse_uncached", lambda text, _: tried.append(text))
    trees = TreeCache()
    assert [trees.parse(LONG, "javascript") for _ in range(3)] == [None] * 3
    assert len(tried) == 1
