"""The service's side of the workers: it sends tasks to the nursery, and waits for the answers."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Any

from msgspec.json import decode, encode

from extlint.services.serve.answers import ProblemError
from extlint.services.serve.settings import MAX_LONG_PER_JOB, Head, NurserySettings, Settings, Task

MAX_SECONDS_TO_START = 10
"""Seconds that a request waits for a nursery that starts."""

MAX_SECONDS_TO_SEND = 5
"""Seconds that the nursery may take to accept a task."""

SECONDS_BETWEEN_STARTS = 0.5

_PART = 65_536


class Answer:
    """The answer of a worker, in a file that has no name."""

    def __init__(self, file: IO[bytes]) -> None:
        """Raises ProblemError if the answer is a problem."""
        self._file = file
        size = os.fstat(file.fileno()).st_size
        start = os.pread(file.fileno(), size if size < _PART else _PART, 0)
        while b"\n" not in start and len(start) < size:
            start += os.pread(file.fileno(), _PART, len(start))
        line, _, _ = start.partition(b"\n")
        self.head = decode(line, type=Head)
        self._offset = len(line) + 1
        self.length = size - self._offset

    def parts(self) -> Iterator[bytes]:
        """Yields the body in parts."""
        at = self._offset
        while part := os.pread(self._file.fileno(), _PART, at):
            at += len(part)
            yield part

    def body(self) -> bytes:
        """Returns the whole body."""
        return os.pread(self._file.fileno(), self.length, self._offset)

    def close(self) -> None:
        """Removes the answer."""
        self._file.close()


class Team:
    """Runs tasks in workers, at most as many at a time as the settings say, and some more in a queue."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = tempfile.TemporaryDirectory(prefix="extlint-serve-")
        self._config = settings.config or os.path.join(self._folder.name, "extlint.toml")
        if settings.config is None:
            with open(self._config, "wb"):
                pass  # without options, whatever is in the folders above
        self._free = asyncio.Semaphore(settings.jobs)
        self._waiting_count = 0
        self._running: dict[int, asyncio.Future[tuple[str, str]]] = {}
        self._last_number = 0
        self._long: set[int] = set()
        self._is_stopping = False
        self._is_ready = asyncio.Event()
        self._was_ready = False
        self.has_failed_to_start = False
        """Whether the first nursery ended before it was ready, as any other would."""
        self.on_failed_start: Callable[[], None] | None = None
        self._received = b""
        self.outcomes: dict[str, int] = {}
        self._start()

    @property
    def is_ready(self) -> bool:
        """Whether a task would start at once."""
        return self._is_ready.is_set() and not self._is_stopping

    @property
    def running(self) -> int:
        """The number of workers."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a worker."""
        return self._waiting_count

    def raise_if_full(self) -> None:
        """Raises ProblemError if the queue has no place."""
        if self._waiting_count >= self._settings.queue:
            raise ProblemError(
                "queue-full",
                f"{self._waiting_count} requests are waiting for a worker; try again later",
                "queue",
                {"Retry-After": "2"},
            )

    async def run(self, task: Task, uploads: Sequence[IO[bytes]] = ()) -> Answer:
        """Does a task, and returns the answer. Raises ProblemError; if it is cancelled, ends the worker."""
        if self._free.locked():
            self.raise_if_full()
        self._waiting_count += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting_count -= 1
        try:
            async with asyncio.timeout(MAX_SECONDS_TO_START):
                await self._is_ready.wait()
            file = _nameless_file()
        except BaseException as error:
            self._free.release()
            if isinstance(error, TimeoutError):
                raise ProblemError("starting", "no worker can be started yet") from None
            if isinstance(error, OSError):
                raise ProblemError("no-space", "the answer cannot be stored", "disk") from None
            raise
        try:
            how, detail = await self._done(task, [each.fileno() for each in (*uploads, file)])
            self.outcomes[how] = self.outcomes.get(how, 0) + 1
            return self._answer(how, detail, file)
        except BaseException:
            file.close()
            raise

    async def _done(self, task: Task, descriptors: Sequence[int]) -> tuple[str, str]:
        self._last_number += 1
        number = self._last_number
        done = asyncio.get_running_loop().create_future()
        self._running[number] = done
        self._send({"id": number, "task": json.loads(encode(task))}, descriptors)
        try:
            found: tuple[str, str] = await asyncio.shield(done)
        except asyncio.CancelledError:
            self._send({"id": number}, ())
            raise
        return found

    def _answer(self, how: str, detail: str, file: IO[bytes]) -> Answer:
        limits = self._settings.limits
        if how in ("cpu", "wall", "memory"):
            raise ProblemError("limit-exceeded", _SENTENCES[how].format(getattr(limits, how)), how)
        if how == "overload":
            sentence = "other checks take long, too, and this one took the longest; try again later"
            raise ProblemError("overload", sentence, "workers", {"Retry-After": "30"})
        if how != "done":
            raise ProblemError("worker-died", f"the worker ended: {detail}")
        try:
            answer = Answer(file)
        except ValueError:
            raise ProblemError("worker-died", "the worker ended without an answer") from None
        head = answer.head
        if head.problem is not None:
            name = head.limit
            sentence = head.detail
            if not sentence:
                sentence = _SENTENCES[name or "disk"].format(getattr(limits, name or "", ""))
            raise ProblemError(head.problem, sentence, name)
        return answer

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(MAX_SECONDS_TO_SEND)
        nursery = NurserySettings(self._settings.limits, MAX_LONG_PER_JOB * self._settings.jobs)
        arguments = [str(theirs.fileno()), encode(nursery).decode(), self._config]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "extlint.services.serve.nursery", *arguments],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=self._folder.name,
        )
        theirs.close()
        self._socket = ours
        self._received = b""
        asyncio.get_running_loop().add_reader(ours.fileno(), self._receive)

    def _send(self, message: dict[str, Any], descriptors: Sequence[int]) -> None:
        data = json.dumps(message).encode()
        data = len(data).to_bytes(4, "big") + data
        try:
            sent = socket.send_fds(self._socket, [data], list(descriptors))
            self._socket.sendall(data[sent:])
        except OSError:  # the nursery has ended, as reading will show
            self._process.kill()

    def _receive(self) -> None:
        try:
            data = self._socket.recv(_PART)
        except OSError:
            data = b""
        if not data:
            self._nursery_died()
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "ready" in message:
                self._was_ready = True
                self._is_ready.set()
            elif message["how"] == "long":
                self._long.add(message["id"])
                self._free.release()
            else:
                self._finish(message["id"], message["how"], message["detail"])

    def _finish(self, number: int, how: str, detail: str) -> None:
        done = self._running.pop(number, None)
        if done is not None:
            if number not in self._long:
                self._free.release()
            self._long.discard(number)
            if not done.done():
                done.set_result((how, detail))

    def _nursery_died(self) -> None:
        """Fails the tasks that are running, and starts a new nursery."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._socket.fileno())
        self._socket.close()
        self._is_ready.clear()
        for number in [*self._running]:
            self._finish(number, "died", "the process that starts workers ended")
        self._process.kill()
        self._process.wait()
        if not (self._was_ready or self._is_stopping):
            self.has_failed_to_start = True
            if self.on_failed_start is not None:
                self.on_failed_start()
        elif not self._is_stopping:
            loop.call_later(SECONDS_BETWEEN_STARTS, self._restart)

    def _restart(self) -> None:
        if not self._is_stopping:
            self._start()

    def stop(self) -> None:
        """Ends all workers, and removes what is left."""
        self._is_stopping = True
        loop = asyncio.get_running_loop()
        if self._socket.fileno() >= 0:
            loop.remove_reader(self._socket.fileno())
            self._socket.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(MAX_SECONDS_TO_SEND)
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


_SENTENCES = {
    "cpu": "the check takes more than {} seconds of processor time",
    "wall": "the check takes more than {} seconds",
    "memory": "the check requires more than {} bytes of memory",
    "answer": "the answer has more than {} bytes",
    "disk": "the answer cannot be stored",
}


def _nameless_file() -> IO[bytes]:
    """Returns a file that has no name, so nothing remains of it, however the service ends."""
    return tempfile.TemporaryFile(prefix="extlint-serve-")
