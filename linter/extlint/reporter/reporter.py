"""What an output format is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from extlint.report import Report, Summary


class Reporter(Protocol):
    """An output format. What it gives is text with LF line ends; nothing in it depends on the terminal."""

    def extension(self, report: Report) -> str:
        """The part of the output for one extension; empty if it has nothing to say."""
        ...

    def whole(self, parts: Sequence[str], summary: Summary) -> str:
        """The output: the parts of the extensions, in order, with what comes before and after them."""
        ...
