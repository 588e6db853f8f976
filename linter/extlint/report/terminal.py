"""Colors, links and line breaks for a terminal."""

from __future__ import annotations

from msgspec import Struct

from extlint.finding import Severity
from extlint.report.visible import display_width
from extlint.text.patterns import lazy

_CODES = {"bold": "1", "dim": "2", "red": "1;31", "yellow": "1;33", "cyan": "1;36", "green": "1;32"}
_OF_SEVERITY = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


class Style(Struct, frozen=True):
    """Adds color codes to text, or leaves it unchanged if `color` is false.

    `links` is whether rules are links to their pages, and `file_links` whether paths are links to files.
    """

    color: bool = False
    links: bool = False
    file_links: bool = False

    def __call__(self, name: str, text: str) -> str:
        """Returns the text in a color or weight: bold, dim, red, yellow, cyan or green."""
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.color and text else text

    def link(self, address: str, text: str) -> str:
        """Returns the text as a link to an address, which is not shown (OSC 8)."""
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"

    def severity(self, severity: Severity, text: str) -> str:
        """Returns the text in the color of a severity."""
        return self(_OF_SEVERITY[severity], text)


MIN_WIDTH = 40
"""Minimum columns of a wrapped line. A narrower terminal wraps it itself."""

_ESCAPE_SEQUENCES = lazy(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\")
"""Colors and links, which occupy no columns."""


def wrap_line(line: str, width: int, indent: int) -> str:
    """Wraps a line to a width, and indents the lines after the first.

    Text without spaces is never split, so that it can still be clicked and copied.
    """
    if _columns(line) <= width:
        return line
    width = max(width, MIN_WIDTH)
    body = line.lstrip(" ")
    first, *words = body.split(" ")
    found = [" " * (len(line) - len(body)) + first]
    used = _columns(found[0])
    for word in words:
        size = _columns(word)
        if used + 1 + size <= width:
            found.append(" " + word)
            used += 1 + size
        else:
            found.append("\n" + " " * indent + word)
            used = indent + size
    return "".join(found)


def _columns(text: str) -> int:
    return display_width(_ESCAPE_SEQUENCES.sub("", text))
