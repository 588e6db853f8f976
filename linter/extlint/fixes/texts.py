"""Edits of one file: their compatibility, and the resulting bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

from extlint.finding import Edit
from extlint.text.positions import TextIndex, decode, encode_name

_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

_Placed: TypeAlias = tuple[int, int, bytes]
"""An edit by its byte offsets, with the new bytes."""


class FileText:
    """The text of a file that fixes change, and the edits that have been accepted for it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._text = decode(data)
        self._index = TextIndex(self._text)
        self._accepted: list[_Placed] = []

    @property
    def can_be_changed(self) -> bool:
        """Whether all bytes outside of the edits would stay the same; they do not in invalid UTF-16."""
        return self._text is self.data or self._encoded(self._text) == self.data

    def fits(self, edits: Iterable[Edit]) -> bool:
        """Whether edits are compatible with those accepted before, and with one another."""
        requested = sorted({self._placed(each) for each in edits})
        among = all(not _are_in_conflict(one, other) for one, other in pairwise(requested))
        return among and not any(self._conflicts(each) for each in requested)

    def _conflicts(self, edit: _Placed) -> bool:
        at = bisect_left(self._accepted, edit)
        return any(_are_in_conflict(edit, each) for each in self._accepted[max(0, at - 1) : at + 1])

    def accept(self, edits: Iterable[Edit]) -> None:
        """Accepts edits that fit. Duplicate edits are applied once."""
        for each in {self._placed(each) for each in edits}:
            at = bisect_left(self._accepted, each)
            if self._accepted[at : at + 1] != [each]:
                self._accepted.insert(at, each)

    def apply_accepted(self) -> bytes:
        """Returns the bytes of the file with all accepted edits."""
        text = self._text
        for start, end, new in reversed(self._accepted):
            text = text[:start] + new + text[end:]
        return text if self._text is self.data else self._encoded(text)

    def _placed(self, edit: Edit) -> _Placed:
        start, end = (self._index.offset(each) for each in edit.span)
        return start, end, encode_name(edit.text)

    def _encoded(self, text: bytes) -> bytes:
        mark = self.data[:2]
        return mark + text.decode("utf-8", "replace").encode(_UTF_16[mark])


def _are_in_conflict(one: _Placed, other: _Placed) -> bool:
    """Whether two edits conflict. Different insertions at one position do, because of their order."""
    if one == other:
        return False
    first, second = sorted((one, other))
    return first[:2] == second[:2] or second[0] < first[1]
