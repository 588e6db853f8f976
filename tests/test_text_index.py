from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.positions import Position, TextIndex


@pytest.mark.parametrize(
    ("data", "offset", "position"),
    [
        pytest.param(b"ab\ncd", 0, (1, 1), id="the start"),
        pytest.param(b"ab\ncd", 4, (2, 2), id="the second line"),
        pytest.param(b"ab\ncd", 2, (1, 3), id="a line end belongs to its line"),
        pytest.param(b"ab\r\ncd", 4, (2, 1), id="CRLF is one line end"),
        pytest.param(b"ab\rcd", 3, (2, 1), id="a lone CR ends a line"),
        pytest.param("é😀x".encode(), 6, (1, 3), id="a column is a code point"),
        pytest.param(b"\xff\xfex", 2, (1, 3), id="a broken byte has a column"),
        pytest.param(b"\xef\xbb\xbfx", 3, (1, 1), id="a byte order mark has no column"),
        pytest.param(b"\xef\xbb\xbfx", 0, (1, 1), id="before a byte order mark"),
        pytest.param(b"ab", 99, (1, 3), id="past the end"),
        pytest.param(b"", 0, (1, 1), id="an empty text"),
    ],
)
def test_position_of_an_offset(data: bytes, offset: int, position: tuple[int, int]) -> None:
    assert TextIndex(data).position(offset) == Position(*position)


long_lines = st.lists(
    st.sampled_from(["a" * 4090, "é" * 2000, "😀" * 1030, "\n", "x", "ü"]), min_size=1, max_size=6
).map(lambda parts: "".join(parts))


@given(long_lines, st.lists(st.integers(0, 25_000), min_size=1, max_size=8))
def test_positions_in_long_lines_do_not_depend_on_query_order(text: str, places: list[int]) -> None:
    index = TextIndex(text.encode())
    for place in places:
        before = text[:place]
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        assert index.position(len(before.encode())) == Position(line, column)


@given(
    st.lists(
        st.sampled_from([b"a" * 4093, b"\x80", b"\xf0\x9f", b"\xf0\x9f\x98\x80", b"\xff"]), max_size=12
    ).map(b"".join)
)
def test_each_invalid_byte_in_a_long_line_has_a_column(data: bytes) -> None:
    assert TextIndex(data).position(len(data)) == Position(
        1, len(data.decode("utf-8", "surrogateescape")) + 1
    )
