"""Hover and completion answer about any text, at any position, without an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_cases import extension, settings
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.syntax.parse import parse
from extlint.services.editor.completion import completions
from extlint.services.editor.documents.scripts import common_length, missing_closers, parse_edited
from extlint.services.editor.hover import hover
from extlint.text.positions import Position

EXAMPLES = Path(__file__).parents[1] / "examples"
SUFFIXES = {".css", ".html", ".js", ".json", ".toml", ".ts"}
FILES = sorted(each for each in EXAMPLES.rglob("*") if each.suffix in SUFFIXES and each.is_file())
TYPED = (
    "",
    "{",
    "(",
    "[",
    "'",
    '"',
    "`",
    "${",
    "/*",
    "//",
    ".",
    ",",
    "chrome.",
    "<script>",
    "\\",
    "\r",
    "\0",
)


@given(st.sampled_from(FILES), st.data())
def test_any_beginning_of_a_file_is_answered(file: Path, data: st.DataObject) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    end = data.draw(st.integers(0, len(text)))
    rest = text[data.draw(st.integers(end, len(text))) :]
    before = text[:end] + data.draw(st.sampled_from(TYPED))
    line = before.count("\n") + 1
    column = data.draw(st.integers(1, len(before.rpartition("\n")[2]) + 2))
    package, chosen = extension(), settings()
    for answer in (completions, hover):
        answer(package, chosen, file.name, before + rest, Position(line, column))


@pytest.mark.parametrize("position", [Position(0, 0), Position(99, 99), Position(1, 99)])
@pytest.mark.parametrize("path", ["a.js", "a.html", "manifest.json", "extlint.toml", "a.png"])
@pytest.mark.parametrize("text", ["", "\ufeff", "\ud800", "chrome.", "\ufeffchrome.", "{", "\r\n"])
def test_any_position_is_answered(path: str, text: str, position: Position) -> None:
    package, chosen = extension(), settings()
    hover(package, chosen, path, text, position)
    for each in completions(package, chosen, path, text, position):
        assert each.start <= each.end


BRACKETS = {
    "an object": ("a.b({ |", "})"),
    "in a function": ("function f() { a.b({ |\n}", "})"),
    "a string": ("f('|\n", "')"),
    "a complete string": ("f('|')", ""),
    "a comment": ("f( // |", ""),
    "a regular expression": ("f(/[(]/, [|", "])"),
    "a template": ("`${ f(|) }`", ""),
    "nothing": ("f(|)", ""),
    "brackets of the rest": ("f(|); g()", ""),
}


@pytest.mark.parametrize(("text", "expected"), BRACKETS.values(), ids=BRACKETS)
def test_open_brackets_are_closed(text: str, expected: str) -> None:
    before, _, after = text.partition("|")
    assert missing_closers((before + after).encode(), len(before)).decode() == expected


@given(
    st.lists(st.sampled_from(["a", ".b", "(", ")", "{", "}", "\n", "'", ";", "ä", " "]), max_size=20),
    st.data(),
)
def test_an_edited_script_has_the_same_tree_as_a_new_one(parts: list[str], data: st.DataObject) -> None:
    """Recovery from errors may differ, so only valid scripts are compared."""
    old = "".join(parts).encode()
    at = data.draw(st.integers(0, len(old)))
    new = old[:at] + b"chrome.tabs" + old[data.draw(st.integers(at, len(old))) :]
    parse_edited("same", old, "a.js")
    found, expected = parse_edited("same", new, "a.js"), parse(new, "javascript")
    assert found is not None
    assert expected is not None
    if not expected.root_node.has_error:
        assert str(found.root_node) == str(expected.root_node)


def test_a_text_that_the_parser_never_finishes_is_given_up() -> None:
    assert parse_edited("endless", b"<a {{b:>c:d(e f)", "a.tsx") is None
    assert parse_edited("endless", b"<a b={c}/>", "a.tsx") is not None


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_the_common_length_is_the_longest(one: bytes, other: bytes) -> None:
    length = common_length(one, other)
    assert one[:length] == other[:length]
    assert one[: length + 1] != other[: length + 1] or length == min(len(one), len(other))
