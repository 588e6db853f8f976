"""The resource limits of a run: a constant, and an amount for each byte."""

from __future__ import annotations

MEGABYTE = 1_000_000

MAX_SECONDS = 2.0
"""The limit in seconds of CPU time for a nearly empty input."""

MAX_MICROSECONDS_PER_BYTE = 60
"""The limit in microseconds of CPU time for each byte. Dense code takes a third of it."""

MAX_MEMORY = 150 * MEGABYTE
"""The memory limit in bytes for a nearly empty input, beyond that of an idle process."""

MAX_MEMORY_PER_BYTE = 1500
"""The memory limit in bytes for each byte of a file."""

MAX_TOTAL_MEMORY = 1000 * MEGABYTE
"""The memory limit in bytes for any run."""

MAX_ADDRESS_SPACE = 6000 * MEGABYTE
"""The limit of the process's address space in bytes, so that no case exhausts the machine's memory."""


def seconds_for(size: int) -> float:
    """Returns the limit in seconds of CPU time for an input of that many bytes."""
    return MAX_SECONDS + size * MAX_MICROSECONDS_PER_BYTE / 1_000_000


def memory_for(size: int) -> int:
    """Returns the memory limit in bytes for an input of that many bytes."""
    return min(MAX_MEMORY + size * MAX_MEMORY_PER_BYTE, MAX_TOTAL_MEMORY)
