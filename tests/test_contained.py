"""Functions in contained processes: their results, and the limits that end them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import pytest
from msgspec.structs import replace

if sys.platform == "win32":
    pytest.skip("processes are not forked", allow_module_level=True)

import resource

from extlint.processes.contained import ProcessLimits, run_contained
from extlint.processes.resources import limit_memory

MEBIBYTE = 1024 * 1024
LIMITS = ProcessLimits(cpu=1, wall=20, memory=100 * MEBIBYTE, output=MEBIBYTE)


def compute_forever() -> bytes:
    while True:
        pass


def wait_forever() -> bytes:
    signal.pause()
    return b""


def take_memory() -> bytes:
    return bytes(500 * MEBIBYTE)[:1]


def end_abruptly() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def fail() -> bytes:
    raise ValueError


@pytest.mark.parametrize(
    ("work", "how", "output"),
    [
        (lambda: b"result", "done", b"result"),
        (lambda: b"x" * MEBIBYTE, "done", b"x" * MEBIBYTE),
        (lambda: b"x" * (MEBIBYTE + 1), "output", b""),
        (lambda: b"", "died", b""),
        (compute_forever, "cpu", b""),
        (take_memory, "died", b""),
        (end_abruptly, "died", b""),
        (fail, "died", b""),
    ],
)
def test_end_of_process(work: Callable[[], bytes], how: str, output: bytes) -> None:
    ended = run_contained(work, LIMITS)
    assert (ended.how, ended.output) == (how, output)
    assert ended.memory > 0


def test_process_that_waits() -> None:
    limits = ProcessLimits(cpu=10, wall=0, memory=100 * MEBIBYTE, output=MEBIBYTE)
    assert run_contained(wait_forever, limits).how == "wall"


def test_memory_can_be_recovered_from() -> None:
    def work() -> bytes:
        try:
            return take_memory()
        except MemoryError:
            return b"out of memory"

    expected = b"out of memory" if sys.platform == "linux" else b"\0"
    assert run_contained(work, LIMITS).output == expected


def test_limits_do_not_apply_to_parent() -> None:
    run_contained(lambda: b"x", LIMITS)
    assert len(take_memory()) == 1
    assert run_contained(lambda: b"again", LIMITS).output == b"again"


def lower_limit() -> bytes:
    resource.setrlimit(resource.RLIMIT_AS, (1000 * MEBIBYTE, 2000 * MEBIBYTE))
    limit_memory(4000 * MEBIBYTE)
    return repr(resource.getrlimit(resource.RLIMIT_AS)).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is not limited")
def test_lower_limit_stays() -> None:
    found = run_contained(lower_limit, replace(LIMITS, memory=8000 * MEBIBYTE))
    assert found.output == repr((1000 * MEBIBYTE,) * 2).encode()
