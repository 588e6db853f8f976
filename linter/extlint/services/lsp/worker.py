"""The thread that checks. It does one thing at a time: what the user waits for comes first."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from extlint.services.api.session import Cancelled

_T = TypeVar("_T")
_logger = logging.getLogger(__name__)


def call_in(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """Calls a function in the thread of an event loop, unless the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)


class Job:
    """Work that is repeated when requested, such as the check of a folder.

    `run` does it in the thread of the worker, and `cancel`, which any thread may call, makes it raise
    `Cancelled` soon.
    """

    def __init__(self, run: Callable[[], None], cancel: Callable[[], None]) -> None:
        self.run = run
        self.cancel = cancel
        self.is_dropped = False


class Worker:
    """Runs requests in order, and jobs once all requests are answered.

    A request interrupts the job that is running, which starts again later. The same goes for a new request of
    a job: it runs again, with the newest state.
    """

    def __init__(self) -> None:
        self._requests: deque[Callable[[], None]] = deque()
        self._jobs: dict[Job, None] = {}
        self._running: Job | None = None
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="extlint worker", daemon=True)
        self._thread.start()

    def schedule(self, job: Job, *, first: bool = False) -> None:
        """Requests a job, before others if `first`. Cancels it if it is running."""
        with self._changed:
            others = {each: None for each in self._jobs if each is not job}
            self._jobs = {job: None, **others} if first else {**others, job: None}
            if self._running is not None and (first or self._running is job):
                self._running.cancel()
            self._changed.notify()

    def drop(self, job: Job) -> None:
        """Forgets a job. Cancels it if it is running."""
        with self._changed:
            job.is_dropped = True
            self._jobs.pop(job, None)
            if self._running is job:
                job.cancel()

    def submit(self, request: Callable[[], _T]) -> asyncio.Future[_T]:
        """Requests an answer, which the future receives in the loop of the calling thread."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()

        def deliver(set_result: Callable[..., None], value: object) -> None:
            if not future.done():
                set_result(value)

        def answer() -> None:
            if future.done():
                return
            try:
                found = request()
            except Exception as error:
                call_in(loop, deliver, future.set_exception, error)
            else:
                call_in(loop, deliver, future.set_result, found)

        with self._changed:
            self._requests.append(answer)
            if self._running is not None:
                self._running.cancel()
            self._changed.notify()
        return future

    def close(self) -> None:
        """Ends the thread, after what it is doing."""
        with self._changed:
            self._is_closed = True
            self._requests.clear()
            self._jobs.clear()
            if self._running is not None:
                self._running.cancel()
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._running = None
                self._changed.wait_for(lambda: self._is_closed or self._requests or self._jobs)
                if self._is_closed:
                    return
                request = self._requests.popleft() if self._requests else None
                if request is None:
                    job = self._running = next(iter(self._jobs))
                    del self._jobs[job]
            if request is not None:
                request()
            else:
                self._do(job)

    def _do(self, job: Job) -> None:
        try:
            job.run()
        except Cancelled:
            with self._changed:
                if not (self._is_closed or job.is_dropped or job in self._jobs):
                    self._jobs = {job: None, **self._jobs}
        except Exception:
            _logger.exception("internal error")
