"""Finds the texts that contain a word, one word at a time and perhaps for very many words."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.text.patterns import isolated_word_offsets, lazy

MAX_SEARCHES = 40
"""The maximum number of words searched for in the texts; after that, listing all of their words costs
less.
"""

MAX_LISTED_BYTES = 8_000_000
"""The maximum total size in bytes of texts whose words are listed."""

_WORD = lazy(rb"[\w$]++")


class WordSearch:
    """The words of some texts: runs of ASCII letters, digits, `_` and `$`."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._texts = texts
        self._is_short = sum(map(len, texts)) <= MAX_LISTED_BYTES
        self._searches = 0
        self._listed: dict[bytes, list[int]] | None = None

    def texts_with(self, word: bytes) -> Sequence[int]:
        """Returns the indexes of the texts that contain a word that is not part of a longer one."""
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
            if word in text and any(True for _ in isolated_word_offsets(word, text))
        ]
