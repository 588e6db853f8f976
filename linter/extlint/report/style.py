"""Colors and links for a terminal."""

from __future__ import annotations

from msgspec import Struct

from extlint.finding import Severity

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
