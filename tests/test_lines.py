"""The line index of a text, compared with a list of all line starts."""

from __future__ import annotations

import re
from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.positions import Lines

_BLOCK = 16 * 1024
TEXTS = {
    "nothing": b"",
    "no end of a line": b"abc",
    "ends of all kinds": b"a\nb\r\nc\rd\n\re\n",
    "a byte order mark": b"\xef\xbb\xbfa\nb",
    "only ends": b"\n" * 3 * _BLOCK,
    "a line of several blocks": b"a\n" + b"b" * 3 * _BLOCK + b"\nc",
    "an end right at a block's end": b"a" * (_BLOCK - 1) + b"\nb\n",
    "an end in two blocks": b"a" * (_BLOCK - 1) + b"\r\nb\rc",
    "as long as a block": b"a" * _BLOCK,
    "blocks of short lines": b"abc\n" * 10_000,
}


def starts_of(text: bytes) -> list[int]:
    """Returns the offsets of line starts, each found independently."""
    first = 3 if text.startswith(b"\xef\xbb\xbf") else 0
    return [first, *(each.end() for each in re.finditer(rb"\r\n|\r|\n", text))]


def check_lines(text: bytes, offsets: set[int]) -> None:
    """Compares all results for a text."""
    lines, starts = Lines(text), starts_of(text)
    assert lines.first == starts[0]
    assert lines.count == len(starts)
    numbers = {min(number, len(starts)) for number in (1, 2, 3, len(starts) // 2 + 1, len(starts))}
    assert {number: lines.start(number) for number in numbers} == {n: starts[n - 1] for n in numbers}
    inside = {each for each in offsets if starts[0] <= each <= len(text)}
    assert {at: lines.number_at(at) for at in inside} == {at: bisect_right(starts, at) for at in inside}
    assert {at: lines.start_around(at) for at in inside} == {
        at: starts[bisect_right(starts, at) - 1] for at in inside
    }


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_lines_start_after_line_ends(text: bytes) -> None:
    near = {_BLOCK * block + by for block in range(4) for by in (-2, -1, 0, 1, 2)}
    check_lines(text, {0, 1, 2, 3, 4, 5, 6, 7, len(text) - 1, len(text)} | near)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\xc3\xa9"])).map(b"".join))
def test_lines_of_arbitrary_text(text: bytes) -> None:
    check_lines(text, set(range(len(text) + 1)))
