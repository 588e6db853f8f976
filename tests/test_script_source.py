"""Conversion of a file's bytes to the text of a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.syntax import source
from extlint.analysis.syntax.source import is_text, is_utf8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b"", True, id="empty"),
        pytest.param("é\u2028😀".encode(), True, id="UTF-8"),
        pytest.param(b"\xed\xa0\x80", True, id="a lone surrogate"),
        pytest.param(b"\x00", True, id="a control character in UTF-8"),
        pytest.param(b"caf\xe9", True, id="another encoding"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00", False, id="an image"),
    ],
)
def test_text_in_any_encoding_is_recognized(text: bytes, expected: bool) -> None:
    assert is_text(text) is expected


pieces = st.one_of(st.binary(max_size=4), st.text(max_size=8).map(lambda text: text.encode(errors="replace")))


@given(st.lists(pieces).map(b"".join), st.integers(4, 9))
def test_is_utf8_agrees_with_the_python_decoder(text: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "_DECODED_BYTES", size)
        found = is_utf8(text)
    try:
        text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        assert not found
    else:
        assert found
