"""How deep the calls of functions are nested while a package is checked.

Questions about scripts depend on others, also of other scripts. Each is asked by some calls inside one
another, of which Python allows only so many. What is nested too deep gets no answer, long before that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MAX_FRAMES_OF_QUESTION = 650
"""Calls above that which checks a package, beyond which no question about a value is asked.

Python allows 1000. The rest is for what calls extlint, and for what the last question needs.
"""

MAX_FRAMES_OF_SCRIPT = 400
"""Calls above that which checks a package, beyond which a script waits for no import.

What it imports is then read first, in the order of the imports.
"""

MAX_FRAMES_OF_CIRCLE = 480
"""The same for scripts that import one another in a circle, of which none can be read before all others."""

_base = 0


@contextmanager
def checking_package() -> Iterator[None]:
    """Counts calls from here on, so that it does not matter what calls extlint."""
    global _base
    before, _base = _base, _depth()
    try:
        yield
    finally:
        _base = before


def is_deeper_than(frames: int) -> bool:
    """Whether more calls than that are nested above the one that checks the package."""
    try:
        sys._getframe(_base + frames)
    except ValueError:
        return False
    return True


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
