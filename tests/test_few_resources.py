"""With few open files or little memory, each command works, or says so in one line. It never crashes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from harness import manifest
from processes import MAX_SECONDS, environment

if sys.platform != "linux":
    pytest.skip("other systems do not enforce these limits", allow_module_level=True)

import resource

from thorough import in_turn

from extlint.processes.resources import require_descriptors, shortage

MEBIBYTE = 1024 * 1024
COMMANDS = {
    "check": ("check", "a", "--no-cache"),
    "workers": ("check", "a", "b", "--no-cache", "--jobs", "2"),
    "rule": ("rule", "missing-file"),
    "scan": ("scan", "a", "--output", "out"),
    "lsp": ("lsp",),
    "serve": ("serve", "--port", "0"),
}
LIMITS = (
    *((resource.RLIMIT_NOFILE, count) for count in (6, 9)),
    *((resource.RLIMIT_AS, count * MEBIBYTE) for count in (40, 60)),
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(manifest(background={"scripts": ["a.js"]}))
        Path(name, "a.js").write_text("chrome.management.getSelf(1);")


def run_limited(arguments: tuple[str, ...], limit: Callable[[], None]) -> tuple[int, str]:
    """Returns the exit status and errors of a run; a service that starts is ended at once."""
    with subprocess.Popen(
        [sys.executable, "-m", "extlint", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        preexec_fn=limit,
    ) as process:
        assert process.stdout is not None
        if arguments[0] == "serve" and process.stdout.readline():
            process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=MAX_SECONDS)
        return process.returncode, errors


@pytest.mark.parametrize(("command", "limit"), in_turn((command, LIMITS) for command in COMMANDS))
def test_shortage_is_one_sentence(command: str, limit: tuple[int, int]) -> None:
    kind, most = limit
    status, errors = run_limited(COMMANDS[command], partial(resource.setrlimit, kind, (most, most)))
    assert status in {0, 1, 2}
    assert "Traceback" not in errors
    assert all(line.startswith("extlint: ") for line in errors.splitlines())
    assert status != 2 or errors


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(24, "Too many open files"), "too many open files"),
        (OSError(12, "Cannot allocate memory"), "not enough memory"),
        (MemoryError(), "not enough memory"),
        (RuntimeError("can't start new thread"), "not enough memory"),
        (ImportError("a.so: failed to map segment from shared object"), "not enough memory"),
        (OSError(2, "No such file or directory"), None),
        (ValueError("x"), None),
    ],
)
def test_shortages_are_recognized(error: Exception, words: str | None) -> None:
    found = shortage(error)
    assert found is None if words is None else words in str(found)


def test_descriptors_are_returned() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    require_descriptors(8)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    with pytest.raises(OSError, match="Too many open files"):
        require_descriptors(10**6)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
