"""The words by which code may test for a browser or its version, and their positions in a script."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from extlint.text.patterns import lazy

_WORDS = lazy(
    rb"firefox|chrom(?:e|ium)|gecko|moz|safari|opera(?!(?-i:t|(?<=A)T[A-Z]))|webkit|vivaldi|brave|\bedge?\b|is_?ff|thunderbird|user_?agent"
    rb"|vendor|platform|getBrowserInfo|manifest|\bmv|InstallTrigger|import\.meta|process\.env(?!\.NODE_ENV\b)|getURL|\blocation\b"
    rb"|permissions|\bbuild|\b(?!(?-i:target)\b)target|(?<!\.)__\w+__|\bin\s+(?:browser|chrome)\b",
    re.IGNORECASE,
)
_BEGINNINGS = (
    *(b"firefox", b"chrome", b"chromium", b"gecko", b"moz", b"safari", b"opera", b"webkit", b"vivaldi"),
    *(b"brave", b"edg", b"isff", b"is_ff", b"thunderbird", b"useragent", b"user_agent", b"vendor"),
    *(b"platform", b"getbrowserinfo", b"manifest", b"mv", b"installtrigger", b"import.meta", b"process.env"),
    *(b"geturl", b"location", b"permissions", b"build", b"target", b"__"),
)
"""The lower-case beginning of each alternative, except the last, which is found by its end."""

_LAST = b"browser"
_IN = b"in"
_SPACE = b" \t\n\r\f\v"
_SEARCH_COST_RATIO = 8
"""How many times as long the expression takes to search a text as all beginnings together."""


class WordsOfTests:
    """Finds these words in parts of one text."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._bytes_searched = 0

    def occur_in(self, start: int, end: int) -> bool:
        """Whether a part of the text contains such a word."""
        self._bytes_searched += end - start
        if self._bytes_searched * _SEARCH_COST_RATIO < len(self._text):
            return _WORDS.search(self._text, start, end) is not None
        places = self._places
        at = bisect_left(places, (start, 0))
        while at < len(places) and places[at][0] < end:
            if places[at][1] <= end:
                return True
            at += 1
        return False

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The start and end offsets of all these words, in order."""
        return sorted(self._search())

    def _search(self) -> Iterator[tuple[int, int]]:
        lowered = self._text.lower()
        for beginning in (*_BEGINNINGS, _LAST):
            at = lowered.find(beginning)
            while at >= 0:
                start = at if beginning != _LAST else self._word_before(lowered, at)
                found = _WORDS.match(self._text, start)
                if found is not None:
                    yield found.span()
                at = lowered.find(beginning, at + 1)

    def _word_before(self, lowered: bytes, at: int) -> int:
        """Returns the start of an `in` that precedes an offset, or else the offset itself."""
        end = at
        while end and lowered[end - 1] in _SPACE:
            end -= 1
        return end - len(_IN) if end < at and lowered.endswith(_IN, 0, end) else at
