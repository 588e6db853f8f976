"""The interface of output formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from extlint.report.report import Report, Summary


class Options(Struct, frozen=True):
    """The user's options for an output, as far as a format supports them.

    `color`, `links` (to the pages of rules), `file_links` and `width` (in columns, or None if unlimited) are
    for terminals. `quiet` omits the counts and the lines about what was checked, and `statistics` adds the
    number of findings of each rule.
    """

    color: bool = False
    quiet: bool = False
    statistics: bool = False
    links: bool = False
    file_links: bool = False
    width: int | None = None


class Reporter(Protocol):
    """An output format. Its output is text with LF line ends that depends only on its arguments.

    `extension` is called for each extension when it has been checked, in any order. `output`, which is called
    once, at the end, writes the counts and numbers over all of them.
    """

    def extension(self, report: Report) -> str:
        """Returns the part of the output for one extension, or an empty string."""
        ...

    def output(self, parts: Sequence[str], summary: Summary) -> str:
        """Returns the output: the parts of the extensions, in order, with the text before and after them."""
        ...


class FormatModule(Protocol):
    """A module of this package that implements an output format."""

    def reporter(self, options: Options) -> Reporter:
        """Returns the reporter for the user's options."""
        ...
