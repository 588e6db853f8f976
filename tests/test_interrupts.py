"""Ctrl-C and other signals at any time: one line, the signal's exit status, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from harness import manifest
from processes import FORCE_WORKERS, MAX_SECONDS, Popen, environment, extlint_command, run_extlint
from thorough import some

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")


@pytest.fixture(scope="module", autouse=True)
def _is_not_ignored() -> Iterator[None]:
    """Restores the SIGINT handler, because shells make background jobs ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


SCRIPT = "chrome.management.getSelf(1); browser.tabs.qery({});\n" * 20

SIGNAL_AT_COUNT = """
import _signal
NOT_OURS = _signal.SIG_IGN, _signal.getsignal(signal.SIGINT)
count, AT = 0, int(os.environ["AT"])
def profile(frame, event, argument):
    global count
    if _signal.getsignal(signal.SIGINT) not in NOT_OURS:
        count += 1
        if count == AT:
            sys.setprofile(None)
            os.kill(PARENT, signal.SIGINT)
import atexit
atexit.register(lambda: print(count))
sys.setprofile(profile)
"""
"""Sends the signal at the given call or return while extlint handles it, and prints their number."""

SIGNAL_AT_FUNCTION = """
AT, IN = os.environ["AT"], os.environ["IN"]
def profile(frame, event, argument):
    if event == "c_call" and argument.__name__ == AT:
        if IN in sys._getframe(1).f_code.co_filename:
            sys.setprofile(None)
            os.kill(PARENT, signal.SIGINT)
sys.setprofile(profile)
"""
"""Sends the signal when a module calls a given built-in function."""

SIGNAL_AT_IMPORT = """
import builtins
AT, load = os.environ["AT"], builtins.__import__
def import_module(name, *rest):
    if name == AT:
        os.kill(PARENT, signal.SIGINT)
    return load(name, *rest)
builtins.__import__ = import_module
"""
"""Sends the signal when a module is imported."""

WAITING_WORKER = """
import extlint.checker as checker
check = checker.check_package
def wait(package, *rest):
    if package.name == "b" and os.getpid() != PARENT:
        os.write(1, b"here\\n")
        with open("go") as pipe:
            pipe.read()
    return check(package, *rest)
checker.check_package = wait
"""
"""Makes the worker that reaches package b print a line, then wait until another process opens a pipe."""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(manifest(background={"scripts": ["a.js"]}))
        Path(name, "a.js").write_text(SCRIPT)
    Path("out").write_text("before")


MOMENTS = [0.0, 0.01, 0.1, 0.4, 0.8, 0.99]


def test_ctrl_c_prints_one_line_at_any_moment() -> None:
    arguments = ("check", "a", "--output-file", "out")
    status, output, _ = run_extlint(*arguments, before=SIGNAL_AT_COUNT, new=True, AT="0")
    assert status == 1
    calls = int(output)
    assert calls > 10_000
    complete = Path("out").read_text()
    for moment in some(MOMENTS, 3):
        Path("out").write_text("before")
        at = str(1 + int(calls * moment))
        found = run_extlint(*arguments, before=SIGNAL_AT_COUNT, new=True, AT=at)
        assert found == (130, "", "extlint: interrupted\n"), moment
        assert Path("out").read_text() in ("before", complete)
        assert sorted(each.name for each in Path().iterdir()) == ["a", "b", "c", "out", "run.py"]


@pytest.mark.parametrize(
    ("function", "module"),
    [
        pytest.param("parse", "syntax/parse.py", id="parsing"),
        pytest.param("open", "pathlib", id="opening the output file"),
        pytest.param("write", "output_file.py", id="writing it"),
        pytest.param("replace", "pathlib", id="putting it in place"),
        pytest.param("fork", "popen_fork.py", id="starting a worker"),
        pytest.param("poll", "selectors.py", id="waiting for a worker"),
    ],
)
def test_ctrl_c_during_each_operation(function: str, module: str) -> None:
    jobs = "2" if function in ("fork", "poll") else "1"
    arguments = ("check", "a", "b", "c", "--jobs", jobs, "--output-file", "out")
    found = run_extlint(*arguments, before=FORCE_WORKERS + SIGNAL_AT_FUNCTION, AT=function, IN=module)
    assert found == (130, "", "extlint: interrupted\n")
    assert Path("out").read_text() == "before" or function == "replace"
    assert sorted(each.name for each in Path().iterdir()) == ["a", "b", "c", "out", "run.py"]


@pytest.mark.parametrize("module", ["modules", "process", "streams", "checking"])
def test_ctrl_c_during_the_first_imports(module: str) -> None:
    found = run_extlint("check", "a", before=SIGNAL_AT_IMPORT, new=True, AT=f"extlint.cli.{module}")
    assert found == (130, "", "extlint: interrupted\n")


@contextmanager
def running_workers() -> Iterator[Popen]:
    """Starts a run in its own process group, where one of two workers waits while it checks a package."""
    os.mkfifo("go")
    with Popen(
        [*extlint_command(FORCE_WORKERS + WAITING_WORKER), "check", "a", "b", "c", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what the test has changed")
@pytest.mark.parametrize(
    ("number", "expected", "reaches_all"),
    [
        pytest.param(signal.SIGINT, "interrupted", True, id="Ctrl-C in a terminal"),
        pytest.param(signal.SIGINT, "interrupted", False, id="sent only to the main process"),
        pytest.param(signal.SIGTERM, "terminated", False, id="an end from outside"),
        pytest.param(signal.SIGHUP, "terminated", True, id="a terminal that is closed"),
    ],
)
def test_signal_also_ends_the_workers(number: signal.Signals, expected: str, reaches_all: bool) -> None:
    with running_workers() as process:
        (os.killpg if reaches_all else os.kill)(process.pid, number)
        # The pipes end when no process holds them any longer.
        assert process.communicate(timeout=MAX_SECONDS) == ("", f"extlint: {expected}\n")
        assert process.returncode == 128 + number


@pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what the test has changed")
def test_workers_end_with_their_parent_process() -> None:
    with running_workers() as process:
        process.kill()
        Path("go").write_text("")
        assert process.communicate(timeout=MAX_SECONDS) == ("", "")


def test_ignored_signal_stays_ignored() -> None:
    """As under `nohup`, and in background jobs of a shell."""
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + SIGNAL_AT_FUNCTION
    assert run_extlint("check", "a", "-q", before=before, AT="parse", IN="syntax/parse.py")[0] == 1
