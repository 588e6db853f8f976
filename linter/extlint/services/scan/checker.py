"""Checks packages in contained processes, which are forked from one that has loaded everything.

That process has only one thread, so it may fork, whatever the program that uses it does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import partial
from select import select
from typing import IO

from msgspec import Struct
from msgspec.json import decode, encode

from extlint.package.limits import mebibytes
from extlint.processes.contained import Ended, run_contained
from extlint.services.scan.rows import PackageRow, Rows, Status
from extlint.services.scan.settings import CheckSettings

MAX_ATTEMPTS = 3
"""Attempts at a package whose process ends abruptly, as something else may have ended it."""

COMMAND = (sys.executable, "-P", "-m", "extlint.services.scan.checker")
"""The command that starts the other process, to which its settings are added."""

_SECONDS_TO_END = 5
_LENGTH_BYTES = 8
_END = object()
_STATUS = {
    "cpu": Status.TIMEOUT,
    "wall": Status.TIMEOUT,
    "memory": Status.MEMORY,
    "output": Status.OUTPUT,
    "died": Status.DIED,
}


class _Request(Struct):
    place: str
    address: str
    is_folder: bool


class _Answer(Struct):
    how: str
    detail: str
    seconds: float
    memory: int
    rows: Rows


class Checker:
    """Checks one package at a time, by means of the other process, which it starts for the first one."""

    def __init__(self, settings: CheckSettings) -> None:
        self.settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, place: str, address: str, *, is_folder: bool) -> Rows:
        """Returns the rows about a package in a file or folder; if there is a failure, one row with it."""
        request = _Request(place, address, is_folder)
        answer = None
        for _ in range(MAX_ATTEMPTS):
            answer = self._answer(request)
            if answer is not None and answer.how != "died":
                break
        if answer is None:
            answer = _Answer("died", "the process that starts others ended", 0.0, 0, Rows())
        if answer.how == "done":
            rows = answer.rows
        else:
            row = PackageRow(address, address, _STATUS[answer.how].value, _reason(answer, self.settings))
            rows = Rows([row])
        for each in rows.packages:
            each.seconds = round(answer.seconds, 3)
            each.memory = answer.memory
        return rows

    def _answer(self, request: _Request) -> _Answer | None:
        """Returns the answer of the other process, or None if it has ended."""
        if self._process is None:
            command = [*COMMAND, encode(self.settings).decode()]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _write(self._process.stdin, encode(request))
            return decode(_read(self._process.stdout), type=_Answer)
        except (OSError, EOFError):
            self.close()
            return None

    def close(self) -> None:
        """Ends the other process."""
        if self._process is None:
            return
        process, self._process = self._process, None
        with suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with suppress(OSError):
            process.stdout.close()  # type: ignore[union-attr]


_checker: Checker | None = None


def checker_for(settings: CheckSettings) -> Checker:
    """Returns the checker of this process, a new one for other settings. It ends with this process."""
    global _checker
    if _checker is None or _checker.settings != settings:
        close_checker()
        _checker = Checker(settings)
    return _checker


def close_checker() -> None:
    """Ends the checker of this process."""
    global _checker
    if _checker is not None:
        _checker.close()
    _checker = None


def _reason(answer: _Answer, settings: CheckSettings) -> str:
    if answer.how in ("cpu", "wall"):
        return f"the check takes more than {settings.timeout} seconds"
    if answer.how == "memory":
        return f"the check requires more than {mebibytes(settings.memory)} of memory"
    if answer.how == "output":
        return "the findings take too much space"
    return f"the process ended abruptly ({answer.detail})"


def _write(stream: IO[bytes], data: bytes) -> None:
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(data)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes:
    """Reads a message. Raises EOFError."""
    length = stream.read(_LENGTH_BYTES)
    size = int.from_bytes(length, "big")
    data = stream.read(size) if len(length) == _LENGTH_BYTES else b""
    if len(length) != _LENGTH_BYTES or len(data) != size:
        raise EOFError
    return data


def _serve(settings: CheckSettings, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answers requests until the other end closes, and loads the rest while none waits."""
    from extlint.services.scan.check_source import check_source
    from extlint.services.warm_up import warm_up

    with tempfile.TemporaryDirectory(prefix="extlint-scan-") as folder:
        config = os.path.join(folder, settings.config_name)
        with open(config, "w", encoding="utf-8") as stream:
            stream.write(settings.config)
        steps = warm_up([partial(_check_example, settings, config)])
        next(steps)
        is_warm = False
        while True:
            while not (is_warm or select([requests], [], [], 0)[0]):
                is_warm = next(steps, _END) is _END
            try:
                request = decode(_read(requests), type=_Request)
            except EOFError:
                return
            place, address = request.place, request.address
            work = partial(check_source, place, address, settings, config, is_folder=request.is_folder)
            _write(answers, encode(_answer_of(run_contained(partial(_encoded, work), settings.limits))))


def _encoded(work: partial[Rows]) -> bytes:
    try:
        return encode(work())
    except MemoryError:
        return b"memory"


def _answer_of(ended: Ended) -> _Answer:
    if ended.output == b"memory":
        return _Answer("memory", "", ended.seconds, ended.memory, Rows())
    rows = decode(ended.output, type=Rows) if ended.how == "done" else Rows()
    return _Answer(ended.how, ended.detail, ended.seconds, ended.memory, rows)


def _check_example(settings: CheckSettings, config: str, data: bytes) -> None:
    from extlint.services.scan.check_source import check_source

    with tempfile.NamedTemporaryFile(prefix="extlint-scan-", suffix=".zip") as file:
        file.write(data)
        file.flush()
        check_source(file.name, "example.zip", settings, config, is_folder=False)


def main() -> None:
    """Runs the process: its argument is the settings, and requests and answers go through its streams."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # reaches all processes of a terminal
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between answers
    try:
        _serve(decode(sys.argv[1], type=CheckSettings), requests, answers)
    except BrokenPipeError:  # the worker has ended
        with suppress(BrokenPipeError):
            answers.close()


if __name__ == "__main__":
    main()
