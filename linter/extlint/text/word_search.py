"""In which texts words stand, asked for one at a time and perhaps for very many."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.text.patterns import lazy, places_of

MAX_SEARCHES = 40
"""Words that are searched for in the texts; then it costs less to list all of their words."""

MAX_LISTED_BYTES = 8_000_000
"""Bytes of all texts whose words are listed."""

_WORD = lazy(rb"[\w$]++")


class WordSearch:
    """The words of some texts: runs of ASCII letters, digits, `_` and `$`."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._texts = texts
        self._is_short = sum(map(len, texts)) <= MAX_LISTED_BYTES
        self._searches = 0
        self._listed: dict[bytes, list[int]] | None = None

    def texts_with(self, word: bytes) -> Sequence[int]:
        """The places of the texts, among all, in which a word stands that is not a part of a longer one."""
        if self._listed is None and self._is_short and self._searches >= MAX_SEARCHES:
            self._listed = {}
            for at, text in enumerate(self._texts):
                for each in frozenset(_WORD.findall(text)):
                    self._listed.setdefault(each, []).append(at)
        if self._listed is not None and _WORD.fullmatch(word):
            return self._listed.get(word, ())
        self._searches += 1
        return [
            at
            for at, text in enumerate(self._texts)
            if word in text and any(True for _ in places_of(word, text))
        ]
