"""Functions whose result is cached for the last text."""

from __future__ import annotations

from extlint.text.patterns import cache_last_text


def test_result_is_recomputed_for_another_text() -> None:
    computed_texts: list[bytes] = []

    @cache_last_text
    def length(text: bytes) -> int:
        computed_texts.append(text)
        return len(text)

    one, other = b"one text", b"another text"
    assert [length(each) for each in (one, one, other, other, one)] == [8, 8, 12, 12, 8]
    assert computed_texts == [one, other, one]
