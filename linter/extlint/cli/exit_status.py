"""The exit statuses of a run."""

from __future__ import annotations

SUCCESS = 0
"""Everything was done, and nothing was found at or above the fail level."""

FOUND = 1
"""Something was found at or above the fail level."""

FAILED = 2
"""Something could not be done."""

STOPPED = 128
"""The base of the status of a run stopped by a signal: its number is added, as in shells."""

INTERRUPTED = STOPPED + 2
"""Ctrl-C stopped the run."""
