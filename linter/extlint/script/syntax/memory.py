"""Measures the memory of this process."""

from __future__ import annotations

import sys
from io import FileIO

_STATISTICS = "/proc/self/statm"
_BYTES = 200
_PAGE = 4096


def resident_bytes() -> int:
    """Returns the current memory of this process in bytes, or its peak if the system reports only that.

    0 if the system reports neither, as on Windows. On Linux, the second field of `statm` has the pages
    (proc(5)).
    """
    if sys.platform == "linux":
        try:
            with FileIO(_STATISTICS) as statistics:  # called thousands of times by a parser
                return int(statistics.read(_BYTES).split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss
