"""What an output format is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from extlint.reporter.report import Report, Summary


class Options(Struct, frozen=True):
    """What a user chooses of an output, for those formats that have it.

    `color`, `links` (to the pages of rules), `file_links` and `width` (in columns; None has no end) are for
    terminals. `quiet` leaves out the lines that count and say what was checked, and `statistics` adds the
    number of findings of each rule.
    """

    color: bool = False
    quiet: bool = False
    statistics: bool = False
    links: bool = False
    file_links: bool = False
    width: int | None = None


class Reporter(Protocol):
    """An output format. What it gives is text with LF line ends, which depends on nothing but its options.

    `extension` is called for each extension when it has been checked, not in the order of the output. Counts
    and numbers over all of them are written by `output`, which is called once, at the end.
    """

    def extension(self, report: Report) -> str:
        """The part of the output for one extension; empty if it has nothing to say."""
        ...

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """The output: the parts of the extensions, in order, with what comes before and after them."""
        ...


class FormatModule(Protocol):
    """A module of this package that has an output format."""

    def reporter(self, options: Options) -> Reporter:
        """The format, as the user wants it."""
        ...
