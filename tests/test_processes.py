"""A process that is forked from one that has loaded extlint is like a new one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import manifest
from processes import Popen, environment, run

if sys.platform != "linux":
    pytest.skip("processes are forked on Linux alone", allow_module_level=True)

import resource

from nurseries import Nursery

DESCRIBE = """
import gc, json, os, resource, signal, subprocess, sys, threading
def stream(each):
    return [str(each), each.line_buffering, each.write_through, each.errors, str(each.buffer)]
print(json.dumps({
    "arguments": [sys.argv, sys.orig_argv[1:], sys.executable, sys.path],
    "module": [__name__, str(__spec__), str(__package__), globals().get("__file__")],
    "place": [os.getcwd(), os.getppid(), os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid()],
    "environment": [dict(os.environ), sorted(subprocess.check_output(["env"], text=True).splitlines())],
    "limits": [os.umask(0), [resource.getrlimit(each) for each in range(16)], os.nice(0)],
    "signals": [str(signal.getsignal(each)) for each in range(1, 32)],
    "mask": str(signal.pthread_sigmask(0, [])),
    "threads": [len(os.listdir("/proc/self/task")), threading.get_native_id() == os.getpid()],
    "descriptors": sorted(os.listdir("/proc/self/fd")),
    "streams": [stream(each) for each in (sys.stdin, sys.stdout, sys.stderr)],
    "settings": [gc.isenabled(), gc.get_threshold(), sys.getrecursionlimit(), sys.getswitchinterval()],
    "hooks": [str(sys.excepthook), sys.gettrace(), sys.getprofile(), str(signal.set_wakeup_fd(-1))],
}))
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    for place in ("describe.py", "folder/describe.py"):
        Path(place).write_text(DESCRIBE)


def both(*arguments: str, **options: Any) -> list[tuple[int, str, str]]:
    """Returns the exit status, output and errors of a forked process and of a new one."""
    options = {"env": environment(), **options}  # without variables that `os.environ` does not have
    found = [
        start([sys.executable, *arguments], capture_output=True, encoding="utf-8", **options)
        for start in (run, subprocess.run)
    ]
    return [(each.returncode, each.stdout, each.stderr) for each in found]


def states(*arguments: str, **options: Any) -> list[dict[str, Any]]:
    """Returns what a forked process and a new one find out about themselves."""
    found = both(*arguments, **options)
    assert [status for status, _, _ in found] == [0, 0], found
    return [json.loads(output) for _, output, _ in found]


@pytest.fixture
def changed() -> Iterator[None]:
    """Changes what processes inherit."""
    limit = resource.getrlimit(resource.RLIMIT_CORE)
    umask, before = os.umask(0o27), signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, limit[1]))
    yield
    os.umask(umask)
    signal.signal(signal.SIGINT, before)
    resource.setrlimit(resource.RLIMIT_CORE, limit)


@pytest.mark.parametrize(
    ("program", "options"),
    [
        (["-c", DESCRIBE], {}),
        (["describe.py"], {}),
        (["describe.py"], {"cwd": "folder", "env": environment(A="1", B="", PATH="/bin:/usr/bin")}),
        (["describe.py"], {"start_new_session": True, "stdin": subprocess.DEVNULL}),
        (["describe.py"], {"process_group": 0, "input": "text"}),
        (["describe.py"], {"pass_fds": [2]}),
    ],
    ids=["code", "no options", "place", "session", "group", "descriptors"],
)
def test_process_has_the_state_of_a_new_one(program: list[str], options: dict[str, Any]) -> None:
    forked, expected = states(*program, "a b", "\udcff", "", **options)
    assert forked == expected


@pytest.mark.usefixtures("changed")
def test_process_inherits_what_has_changed() -> None:
    forked, expected = states("describe.py")
    assert forked == expected
    assert forked["limits"][0] == 0o27


ENDS = {
    "the end": "print('a', end='')",
    "a status": "import sys; sys.exit(7)",
    "a message": "import sys; sys.exit('why')",
    "a signal": "import os; os.kill(os.getpid(), 9)",
    "Ctrl-C": "import os; os.kill(os.getpid(), 2)",
    "an end at once": "import os; print('a'); os._exit(3)",
    "exit functions": "import atexit; atexit.register(print, 'last'); print('first')",
    "a thread": (
        "import threading\ndef wait(): threading.main_thread().join(); print('later')\n"
        "threading.Thread(target=wait).start(); print('first')"
    ),
    "a closed pipe": "import os, sys; os.close(1); print('a')",
    "input": "print(input() + input())",
    "a child": "import os; os.fork() or os._exit(0); print(os.waitstatus_to_exitcode(os.wait()[1]))",
    "a signal of a thread": (
        "import signal, threading; signal.signal(2, lambda *_: print('caught'))\n"
        "def send(): signal.pthread_kill(threading.main_thread().ident, 2)\n"
        "sender = threading.Thread(target=send); sender.start(); sender.join()"
    ),
}


@pytest.mark.parametrize("code", ENDS.values(), ids=ENDS)
def test_process_ends_like_a_new_one(code: str) -> None:
    forked, expected = both("-c", code, input="one\ntwo\n")
    assert forked[:2] == expected[:2]
    assert forked[2].splitlines()[-1:] == expected[2].splitlines()[-1:]


@pytest.mark.parametrize("arguments", [["check", "."], ["rule", "nope"], ["--version"]])
def test_extlint_runs_like_a_new_one(arguments: list[str]) -> None:
    Path("manifest.json").write_text(manifest(version=1))
    forked, expected = both("-m", "extlint", *arguments)
    assert forked == expected


def test_process_is_a_child_of_the_tests() -> None:
    code = "print('here', flush=True); input()"
    pipe = subprocess.PIPE
    with Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait() == -signal.SIGTERM
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 0


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["-I", "-c"], {}),
        (["-c"], {"env": environment(PYTHONUTF8="0")}),
        (["-c"], {"env": environment(LC_ALL="C")}),
        (["-c"], {"env": environment(PYTHONPATH="elsewhere")}),
        (["-c"], {"preexec_fn": lambda: None}),
        (["-c"], {"umask": 0}),
    ],
    ids=["an option", "a setting", "a locale", "other modules", "a function", "a mask"],
)
def test_other_starts_of_python_are_new(arguments: list[str], options: dict[str, Any]) -> None:
    code = "import sys; print('extlint' in sys.modules)"
    python = [sys.executable, *arguments, code]
    assert run(python, capture_output=True, **options).stdout == b"False\n"
    assert run([sys.executable, "-c", code], capture_output=True).stdout == b"True\n"


def test_process_is_new_if_the_system_does_not_permit_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nursery, "fork", lambda *_, **__: None)
    code = "import sys; print('extlint' in sys.modules)"
    assert run([sys.executable, "-c", code], capture_output=True).stdout == b"False\n"
    nursery = Nursery("extlint.services.lsp")
    nursery.end()
