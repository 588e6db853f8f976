"""Whether words stand in a text, asked for one at a time and perhaps for very many."""

from __future__ import annotations

import re

from extlint.text.patterns import apart, lazy

MAX_SEARCHES = 40
"""Words that are searched for in a text; then it costs less to list all of its words."""

MAX_LISTED_BYTES = 8_000_000
"""Bytes of a text whose words are listed."""

_WORD = lazy(rb"[\w$]++")


class WordSearch:
    """The words of one text: runs of ASCII letters, digits, `_` and `$`."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._searches = 0
        self._listed: frozenset[bytes] | None = None

    def has(self, word: bytes) -> bool:
        """Whether a word stands anywhere in the text, not as a part of a longer one."""
        if self._listed is None and self._searches >= MAX_SEARCHES and len(self.text) <= MAX_LISTED_BYTES:
            self._listed = frozenset(_WORD.findall(self.text))
        if self._listed is not None and _WORD.fullmatch(word):
            return word in self._listed
        self._searches += 1
        return word in self.text and re.search(apart(word), self.text) is not None
