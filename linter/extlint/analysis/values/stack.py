"""Limits how many queries wait for one another while a package is checked, across all scripts.

Queries about scripts depend on others, including some about other scripts. Each takes some nested calls, and
the stack is limited. A query that is nested too deeply fails long before the stack ends. Queries are counted,
not calls, so that results do not depend on how the calls are made: compiled functions have no frames.
"""

from __future__ import annotations

import sys
from _thread import RLock
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from extlint.package.failures import raise_if_cancelled
from extlint.processes.resources import stack_depth

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MAX_WAITING = 750
"""The most queries and scripts that may wait for one another before values are no longer queried.

Real scripts use 600. On average, a query makes 11 nested calls before the next one, and a script 13.
"""

MAX_WAITING_FOR_SCRIPT = 180
"""The same limit for a script to wait for an import.

Beyond it, its imports are read first, in import order.
"""

MAX_WAITING_IN_CYCLE = 350
"""The same limit for scripts that import one another in a cycle, so that none can be read before all
others.
"""

_CALLS_PER_QUERY = 25
"""The most calls from one query to the next; 14 have been observed."""

_CALLS_FOR_RESULT = 1_000
"""The most calls for the last query and for traversing its result."""

_WAITING_OUTSIDE = 30
"""The most queries that may wait while no package is checked and Python has its usual limit."""

_WORDS_OF_FRAME = 132_000
"""The size of a frame for which Python allocates 2 MiB of memory at once: half for itself, the rest for
calls.

Otherwise it allocates 16 KiB for some 70 frames, and frees them when the first of these ends. If a loop
makes a call at exactly that depth, this happens on every call, and everything takes four times as long. A
second frame of this size does not fit into the rest.
"""

_SECONDS_BETWEEN_TESTS = 0.02
"""The time after which a check that waits for another one tests whether it is cancelled."""

_waiting = 0
_allowed = _WAITING_OUTSIDE
_turn = RLock()
"""Held by the thread that checks a package: the counts, Python's limit and the parsers exist once."""


def checking_package(check: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorates a function that checks a package, so that it may nest any number of calls in any caller.

    Only one thread at a time checks a package.
    """

    def checked(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        global _allowed, _waiting
        while not _turn.acquire(timeout=_SECONDS_BETWEEN_TESTS):
            raise_if_cancelled()
        try:
            before, limit = (_waiting, _allowed), sys.getrecursionlimit()
            _waiting, _allowed = 0, MAX_WAITING
            calls = stack_depth() + MAX_WAITING * _CALLS_PER_QUERY + _CALLS_FOR_RESULT
            sys.setrecursionlimit(max(limit, calls))
            try:
                return check(*arguments, **named)
            finally:
                sys.setrecursionlimit(limit)
                _waiting, _allowed = before
        finally:
            _turn.release()

    checked.__code__ = checked.__code__.replace(co_stacksize=_WORDS_OF_FRAME)
    return wraps(check)(checked)


def begin_waiting() -> None:
    """Counts one more query or script, until `end_waiting`, which is also called after a failure.

    Raises CancelSignal, without counting anything, in a check that is cancelled.
    """
    global _waiting
    raise_if_cancelled()
    _waiting += 1


def end_waiting() -> None:
    """Reverts `begin_waiting`."""
    global _waiting
    _waiting -= 1


def are_more_waiting_than(count: int) -> bool:
    """Whether more than `count` queries and scripts wait for one another."""
    return _waiting > min(count, _allowed)
