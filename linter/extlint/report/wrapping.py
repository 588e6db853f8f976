"""Wraps lines between words to fit a terminal."""

from __future__ import annotations

from extlint.report.visible import display_width
from extlint.text.patterns import lazy

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
