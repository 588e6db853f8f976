"""How much memory this process takes."""

from __future__ import annotations

import sys
from io import FileIO

_STATISTICS = "/proc/self/statm"
_BYTES = 200
_PAGE = 4096


def resident_bytes() -> int:
    """The memory that this process takes now, in bytes, or at most took where the system says no more.

    0 where it says neither, as on Windows. Linux has the pages in the second field of `statm` (proc(5)).
    """
    if sys.platform == "linux":
        try:
            with FileIO(_STATISTICS) as statistics:  # a parser asks thousands of times
                return int(statistics.read(_BYTES).split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss
