"""Errors of extlint itself and the cancellation of a check: what ends the check of a file, or all of it.

An error costs only the affected file or rule. A check that another thread cancels raises `CancelSignal` at
its next step: before it reads a file, analyzes a script, evaluates an expression, or runs a rule. Errors are
contained at these steps, so the signal is not an `Exception`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from extlint.processes.resources import Work, is_shortage_of_memory, memory_limit


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


_work: Work | None = None


class Failure(Struct, frozen=True):
    """An error of extlint itself. `path` is the affected file, and `error` the description of the exception.

    `rule` is the rule that failed, or None if analysis of the file failed.
    """

    path: str
    error: str
    rule: str | None = None

    def sentence(self, package: str) -> str:
        """Returns the failure as text for standard error; `package` is the name of the package."""
        full = self.path if package in (".", "") else f"{package.rstrip('/')}/{self.path}"
        where = full if self.rule is None else f"the rule {self.rule} for {package}"
        return f"internal error in {where}: {self.error}"


class Failures:
    """The failures in one package, each file and each rule once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str | None], Failure] = {}
        self.on_failure: Callable[[], None] | None = None
        """Called after each failure."""

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._found.values())

    def __bool__(self) -> bool:
        return bool(self._found)

    def update(self, failures: Iterable[Failure]) -> None:
        """Adds failures that were recorded elsewhere."""
        for each in failures:
            self._found.setdefault((each.path, each.rule), each)

    def contained(self, path: str, rule: str | None = None) -> _Contained:
        """Ends the block at any error, and records it as the failure of this file or rule.

        The caller decides on a substitute. With EXTLINT_DEBUG in the environment the error is re-raised
        unchanged. A cancelled check ends before the block, and one without memory after it.
        """
        return _Contained(self, path, rule)

    def add(self, failure: Failure) -> None:
        """Adds a failure, unless the same file or rule has failed before."""
        self._found.setdefault((failure.path, failure.rule), failure)
        if self.on_failure is not None:
            self.on_failure()


class _Contained:
    """The context manager of `contained`; each rule enters it, and a generator would take twice as long."""

    __slots__ = ("_failures", "_path", "_rule", "_work")

    def __init__(self, failures: Failures, path: str, rule: str | None) -> None:
        self._failures = failures
        self._path = path
        self._rule = rule

    def __enter__(self) -> None:
        raise_if_cancelled()
        self._work = _work
        if self._work is not None:
            self._work.begin(self._path)

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: object) -> bool:
        if error is None and self._work is None:
            return False
        try:
            if not isinstance(error, Exception):
                return False
            end_without_memory(error)
            if is_debugging():
                return False
            self._failures.add(Failure(self._path, describe_error(error), self._rule))
            return True
        finally:
            if self._work is not None:
                self._work.end()


def end_without_memory(error: Exception) -> None:
    """Ends the check if the memory of this process is limited, and the error means that it has none left.

    A process that notes its files ends at once, as its parent process repeats the check without the last one.
    Any other one raises MemoryError. At the limit, libraries may also return nothing without an exception,
    which Python makes a SystemError.
    """
    if _work is not None and (is_shortage_of_memory(error) or isinstance(error, SystemError)):
        _work.give_up()
    if is_shortage_of_memory(error) and memory_limit() is not None:
        raise MemoryError from error


def note_files_in(work: Work | None) -> None:
    """Notes each file while it is worked on, in a process whose memory is limited."""
    global _work
    _work = work


def describe_error(error: Exception) -> str:
    """Returns the description of an exception: `KeyError: 'x'`."""
    message = str(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def internal_error(where: str, error: Exception) -> str:
    """Returns the sentence about an error of extlint itself; re-raises it while extlint is debugged.

    Raises what `end_without_memory` raises.
    """
    end_without_memory(error)
    if is_debugging():
        raise error
    return f"internal error in {where}: {describe_error(error)}"


def is_debugging() -> bool:
    """Whether errors of extlint itself are re-raised unchanged."""
    return bool(os.environ.get("EXTLINT_DEBUG"))
