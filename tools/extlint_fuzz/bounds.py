"""What a run may cost: so much for itself, and so much for each byte."""

from __future__ import annotations

MEGABYTE = 1_000_000

MAX_SECONDS = 2.0
"""Seconds of CPU for a run over almost nothing."""

MAX_MICROSECONDS_PER_BYTE = 60
"""Microseconds of CPU for each byte: dense code takes a third of it."""

MAX_MEMORY = 150 * MEGABYTE
"""Bytes of memory for a run over almost nothing, beyond those of a process that is ready to run."""

MAX_MEMORY_PER_BYTE = 1500
"""Bytes of memory for each byte of a file."""

MAX_MEMORY_IN_ALL = 1000 * MEGABYTE
"""Bytes of memory for a run over anything."""

MAX_ADDRESS_SPACE = 6000 * MEGABYTE
"""What the process of a run may ask the system for at all, so that no case costs the machine its memory."""


def seconds_for(size: int) -> float:
    """The seconds of CPU that a run may take for so many bytes."""
    return MAX_SECONDS + size * MAX_MICROSECONDS_PER_BYTE / 1_000_000


def memory_for(size: int) -> int:
    """The bytes of memory that a run may take for so many bytes."""
    return min(MAX_MEMORY + size * MAX_MEMORY_PER_BYTE, MAX_MEMORY_IN_ALL)
