"""How much memory this process takes, and when that of earlier trees is freed."""

from __future__ import annotations

import sys
from pathlib import Path

_STATISTICS = Path("/proc/self/statm")
_PAGE = 4096


def resident_bytes() -> int:
    """The memory that this process takes now, in bytes, or at most took where the system says no more.

    0 where it says neither, as on Windows. Linux has the pages in the second field of `statm` (proc(5)).
    """
    if sys.platform == "linux":
        try:
            return int(_STATISTICS.read_bytes().split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss


MAX_UNCOLLECTED_BYTES = 4 * 1024 * 1024
"""Bytes of scripts whose trees may wait for the garbage collector, which comes by the count of objects."""

_uncollected = 0


def collect_trees(length: int) -> None:
    """Frees the trees of earlier scripts before one of so many bytes is parsed, if those were large.

    A tree takes 30 times the bytes of its text, and what is known of a script refers to itself in circles.
    """
    global _uncollected
    _uncollected += length
    if _uncollected > MAX_UNCOLLECTED_BYTES:
        import gc

        gc.collect()
        _uncollected = length
