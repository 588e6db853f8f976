"""How many questions wait for one another while a package is checked, in all scripts together.

Questions about scripts depend on others, also of other scripts. Each is asked by some calls inside one
another, for which there is only so much stack. What is nested too deep gets no answer, long before that.
Questions are counted, not calls, so that an answer is the same however the calls are made: compiled
functions have no frames.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MAX_WAITING = 750
"""Questions and scripts that wait for one another, beyond which no question about a value is asked.

Real scripts need 600. Of a question it takes 11 calls in the mean to the next, and of a script 13.
"""

MAX_WAITING_FOR_SCRIPT = 180
"""The same, beyond which a script waits for no import.

What it imports is then read first, in the order of the imports.
"""

MAX_WAITING_IN_CIRCLE = 350
"""The same for scripts that import one another in a circle, of which none can be read before all others."""

_CALLS_OF_QUESTION = 25
"""The most calls from one question to the next; 14 were seen."""

_CALLS_OF_ANSWER = 1_000
"""What the last question may need, and what walks through its answer."""

_WAITING_OUTSIDE = 30
"""What may wait while no package is checked, so that Python has its usual limit."""

_WORDS_OF_FRAME = 132_000
"""The size of a frame for which Python takes 2 MiB of memory at once: a half for itself, the rest for calls.

Otherwise it takes 16 KiB for some 70 frames, and gives them back when the first of these ends. Where a loop
calls something just there, that happens with each call, and all takes four times as long. A second frame of
the size does not fit into the rest.
"""

_waiting = 0
_allowed = _WAITING_OUTSIDE


def checking_package(check: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorates what checks a package: it may make as many calls as it needs, whatever calls extlint."""

    def checked(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        global _allowed, _waiting
        before, limit = (_waiting, _allowed), sys.getrecursionlimit()
        _waiting, _allowed = 0, MAX_WAITING
        calls = _depth() + MAX_WAITING * _CALLS_OF_QUESTION + _CALLS_OF_ANSWER
        sys.setrecursionlimit(max(limit, calls))
        try:
            return check(*arguments, **named)
        finally:
            sys.setrecursionlimit(limit)
            _waiting, _allowed = before

    checked.__code__ = checked.__code__.replace(co_stacksize=_WORDS_OF_FRAME)
    return wraps(check)(checked)


def begin_waiting() -> None:
    """Counts one more question or script, until `end_waiting`, which is called also after a failure."""
    global _waiting
    _waiting += 1


def end_waiting() -> None:
    """Takes back what `begin_waiting` did."""
    global _waiting
    _waiting -= 1


def more_wait_than(count: int) -> bool:
    """Whether more than so many wait for one another."""
    return _waiting > min(count, _allowed)


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
