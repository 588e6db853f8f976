"""Keys of objects with icons: the width of each icon in pixels."""

from __future__ import annotations

from extlint.text.formats.problem import Problem
from extlint.text.patterns import lazy

_SIZE = lazy(r"[1-9][0-9]*+")
_OTHER_NOTATION = lazy(r"\s*+0*+([1-9][0-9]{0,4})(?:\s*+(?:px|x\1))?+\s*+")


def icon_size(text: str) -> Problem | None:
    """Checks a number of pixels above zero: `16`."""
    if _SIZE.fullmatch(text):
        return None
    written = _OTHER_NOTATION.fullmatch(text)
    return Problem("a size must be a whole number of pixels, such as `48`", written and written[1])
