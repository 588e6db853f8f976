"""Counts the processors that this process may use."""

from __future__ import annotations

import os
from posixpath import dirname

_CONTROL_GROUPS = "/sys/fs/cgroup"
_OWN_GROUP = "/proc/self/cgroup"


def available_processors(groups: str = _CONTROL_GROUPS, own: str = _OWN_GROUP) -> int:
    """Returns the number of processors that this process may run on, or fewer if a container limits its time.

    Linux states the limit in the files below `groups` (version 2 of control groups), and this process's group
    in `own`.
    """
    count = _schedulable()
    limit = min(_limits(groups, own), default=count)
    return max(1, min(count, round(limit)))


def _schedulable() -> int:
    if hasattr(os, "process_cpu_count"):  # since Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _limits(groups: str, own: str) -> list[float]:
    """Returns the limits of this process's group and of its parent groups, in processors."""
    try:
        lines = _text(own).splitlines()
    except OSError:
        return []
    group = next((line.removeprefix("0::") for line in lines if line.startswith("0::/")), None)
    found = []
    while group is not None:
        limit = _limit_in(f"{groups}{group.rstrip('/')}/cpu.max")
        if limit is not None:
            found.append(limit)
        group = dirname(group) if group != "/" else None
    return found


def _limit_in(file: str) -> float | None:
    """Returns the processors that a `cpu.max` grants (microseconds of work in each period, or `max`).

    Returns None if unlimited.
    """
    try:
        work, period = _text(file).split()
        return int(work) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _text(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace") as stream:
        return stream.read()
