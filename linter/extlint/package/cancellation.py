"""Ends a check early, at the request of another thread.

A check raises `CancelSignal` at its next step: before it reads a file, analyzes a script, evaluates an
expression, or runs a rule. Errors of extlint itself are contained at these steps, so the signal is not an
`Exception`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class CancelSignal(BaseException):
    """A check was cancelled."""


class CancelToken:
    """Whether a check is cancelled. Any thread may cancel it."""

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        """Cancels the check."""
        self.is_cancelled = True


_current: ContextVar[CancelToken | None] = ContextVar("extlint_cancellation", default=None)


@contextmanager
def cancellable(token: CancelToken) -> Iterator[None]:
    """Makes everything in the block end with CancelSignal once the token is cancelled."""
    outer = _current.set(token)
    try:
        yield
    finally:
        _current.reset(outer)


def is_cancelled() -> bool:
    """Whether the current check is cancelled."""
    token = _current.get()
    return token is not None and token.is_cancelled


def raise_if_cancelled() -> None:
    """Raises CancelSignal if the current check is cancelled."""
    token = _current.get()
    if token is not None and token.is_cancelled:
        raise CancelSignal
