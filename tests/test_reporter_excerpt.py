"""Excerpts: the carets are under the span, whatever the line contains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.finding import Severity
from extlint.report.excerpt import MAX_WIDTH, excerpt, truncate_line
from extlint.report.terminal import Style
from extlint.report.visible import display_width, visible
from extlint.text.positions import Position, Span, TextIndex


def lines_of(text: str | bytes, start: tuple[int, int], end: tuple[int, int]) -> list[str]:
    index = TextIndex(text if isinstance(text, bytes) else text.encode())
    span = Span(Position(*start), Position(*end))
    return list(excerpt(index.line, span, Style(), Severity.ERROR))


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        pytest.param("ab cd", (1, 4), (1, 6), ["  1 | ab cd", "    |    ^^"], id="one line"),
        pytest.param("ab", (1, 2), (1, 2), ["  1 | ab", "    |  ^"], id="an empty span gets one caret"),
        pytest.param("ab", (1, 3), (1, 3), ["  1 | ab", "    |   ^"], id="the end of a line"),
        pytest.param("\tab", (1, 2), (1, 4), ["  1 |     ab", "    |     ^^"], id="a tab"),
        pytest.param("a\tb", (1, 3), (1, 4), ["  1 | a   b", "    |     ^"], id="a tab after text"),
        pytest.param("漢字x", (1, 2), (1, 3), ["  1 | 漢字x", "    |   ^^"], id="wide characters"),
        pytest.param("e\u0301x", (1, 3), (1, 4), ["  1 | e\u0301x", "    |  ^"], id="a combining accent"),
        pytest.param("\ufeffab", (1, 1), (1, 2), ["  1 | ab", "    | ^"], id="a byte order mark"),
        pytest.param(
            "\x1b[31mx", (1, 6), (1, 7), ["  1 | \\x1b[31mx", "    |         ^"], id="a terminal escape"
        ),
        pytest.param("\u202ex", (1, 2), (1, 3), ["  1 | \\u202ex", "    |       ^"], id="a turned direction"),
        pytest.param(b"\xe2\x82x", (1, 3), (1, 4), ["  1 | \ufffd\ufffdx", "    |   ^"], id="broken UTF-8"),
        pytest.param(
            b"\xed\xa0\x80x", (1, 4), (1, 5), ["  1 | \ufffd\ufffd\ufffdx", "    |    ^"], id="a surrogate"
        ),
        pytest.param("a\r\nbc\r\n", (2, 1), (2, 3), ["  2 | bc", "    | ^^"], id="CRLF"),
        pytest.param("\n" * 9 + "x", (10, 1), (10, 2), ["  10 | x", "     | ^"], id="a longer line number"),
        pytest.param("", (1, 1), (1, 1), [], id="an empty file has no excerpt"),
        pytest.param("x", (7, 1), (7, 2), [], id="a line that is not there"),
        pytest.param(
            "f({\n  a\n})",
            (1, 2),
            (3, 3),
            ["  1 | f({", "    |  ^^", "    ...", "  3 | })", "    | ^^"],
            id="three lines",
        ),
        pytest.param('{\n  "a": 1\n}', (1, 1), (3, 2), ["  1 | {", "    | ^"], id="an object over lines"),
        pytest.param('["a",\n"b"]', (1, 1), (2, 5), ['  1 | ["a",', "    | ^"], id="a list over lines"),
        pytest.param(
            'a: {"b": 1}', (1, 4), (1, 12), ['  1 | a: {"b": 1}', "    |    ^^^^^^^^"], id="a short one"
        ),
        pytest.param(
            "f(\n  a)", (1, 2), (2, 5), ["  1 | f(", "    |  ^", "  2 |   a)", "    |   ^^"], id="two lines"
        ),
        pytest.param(
            "ab\ncd", (1, 1), (2, 1), ["  1 | ab", "    | ^^"], id="up to the start of the next line"
        ),
    ],
)
def test_caret_positions(
    text: str | bytes, start: tuple[int, int], end: tuple[int, int], expected: list[str]
) -> None:
    assert lines_of(text, start, end) == expected


@pytest.mark.parametrize(
    ("text", "start", "end", "expected", "marked"),
    [
        pytest.param("x" * 99, 3, 5, "x" * 99, "xx", id="a line that fits is whole"),
        pytest.param("ab" + "x" * 500, 0, 2, "ab" + "x" * (MAX_WIDTH - 2) + "…", "ab", id="cut at the end"),
        pytest.param("." * 500 + "ab", 500, 502, "…" + "." * 24 + "ab", "ab", id="cut at the start"),
        pytest.param(
            "." * 500 + "ab" + "-" * 500,
            500,
            502,
            "…" + "." * 24 + "ab" + "-" * 73 + "…",
            "ab",
            id="cut on both sides",
        ),
        pytest.param(
            "a" * 500,
            0,
            500,
            "a" * MAX_WIDTH + "…",
            "a" * MAX_WIDTH,
            id="a span longer than the line is wide",
        ),
        pytest.param("漢" * 500, 200, 201, "…" + "漢" * 49 + "…", "漢", id="wide characters count twice"),
    ],
)
def test_long_lines_are_cut_around_the_span(
    text: str, start: int, end: int, expected: str, marked: str
) -> None:
    printed, before, width = truncate_line(text, start, end)
    assert printed == expected
    assert width == display_width(marked)
    assert display_width(printed) <= MAX_WIDTH + 1
    assert _between(printed, before, width) == marked


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_excerpt_of_arbitrary_text_is_one_bounded_line(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    printed, before, width = truncate_line(text, start, end)
    assert visible(printed) == printed
    assert display_width(printed) <= MAX_WIDTH + 1
    assert width >= 1
    assert 0 <= before <= MAX_WIDTH


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("plain", "plain", id="plain text is kept"),
        pytest.param("naïve 漢字 🙂", "naïve 漢字 🙂", id="so are letters of any script"),
        pytest.param("a\nb\tc", "a\\x0ab\\x09c", id="line ends and tabs"),
        pytest.param("\x1b]0;title\x07", "\\x1b]0;title\\x07", id="terminal escapes"),
        pytest.param("\x9b2J", "\\x9b2J", id="terminal escapes of one character"),
        pytest.param("a\u2028b\u2066c", "a\\u2028b\\u2066c", id="separators and directions"),
        pytest.param("\U000e0041", "\\U000e0041", id="invisible tags"),
        pytest.param("\ud800", "\\ud800", id="lone surrogates"),
        pytest.param("\udcff", "\ufffd", id="bytes that are not UTF-8"),
    ],
)
def test_control_characters_are_made_visible(text: str, expected: str) -> None:
    assert visible(text) == expected


def _between(printed: str, before: int, width: int) -> str:
    column = 0
    found = ""
    for each in printed:
        found += each if before <= column < before + width else ""
        column += display_width(each)
    return found


def test_only_the_opening_bracket_of_a_long_object_is_underlined() -> None:
    text = '{"a": "' + "b" * 200 + '"}'
    shown = lines_of(text, (1, 1), (1, len(text) + 1))
    assert [each.strip() for each in shown[1:]] == ["| ^"]
