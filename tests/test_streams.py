"""Closed or full standard streams: no internal error, and the right exit status."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from harness import manifest
from packed_program import COMMAND
from processes import MAX_SECONDS, environment

from extlint.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the cases are written for a POSIX shell")

CLOSED = "extlint: cannot write: bad file descriptor\n"
FULL = "extlint: cannot write: no space left on device\n"

CASES = {
    "no output": ("check ext >&-", 2, CLOSED),
    "no output, and nothing to write": ("check clean --quiet >&-", 0, ""),
    "no errors": ("check ext 2>&-", 1, ""),
    "a bad option without streams": ("check --nope <&- >&- 2>&-", 2, ""),
    "a bad option, and a full device for errors": ("check --nope 2>/dev/full", 2, ""),
    "workers without streams": ("check ext clean --jobs 2 --output-file out <&- >&- 2>&-", 1, ""),
    "workers without output": ("check ext clean --jobs 2 >&-", 2, CLOSED),
    "a rule": ("rule >&-", 2, CLOSED),
    "a schema on a full device": ("schema management.getAll >/dev/full", 2, FULL),
    "help on a full device": ("--help >/dev/full", 2, FULL),
    "the version": ("--version >&-", 2, CLOSED),
    "no standard input": ("check - <&-", 2, "extlint: cannot read standard input: bad file descriptor\n"),
    "a full device as output file": (
        "check ext --output-file /dev/full",
        2,
        "extlint: cannot write /dev/full: no space left on device\n",
    ),
    "a reader that goes away": ("check ext | true", 1, ""),
    "one that goes away from a clean run": ("check clean | true", 0, ""),
    "one that goes away from the version": ("--version | true", 0, ""),
}


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command line of extlint in a shell. For a pipe, the exit status is that of extlint."""
    command, pipe, reader = command.partition(" | ")
    extlint = f"{shlex.quote(sys.executable)} -m extlint {command}"
    line = f"{{ {extlint}; echo $? >status; }} | {reader}; exit $(cat status)" if pipe else extlint
    return subprocess.run(
        ["/bin/sh", "-c", line],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
        timeout=MAX_SECONDS,
    )


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, text in {"ext": manifest(version=1), "clean": manifest()}.items():
        Path(folder).mkdir()
        Path(folder, "manifest.json").write_text(text)
        Path(folder, "large.js").write_text(" " * 500_000)


@pytest.mark.parametrize(("command", "status", "expected"), CASES.values(), ids=CASES)
def test_closed_or_full_stream_is_an_error(command: str, status: int, expected: str) -> None:
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("the system has no full device")
    found = shell(command)
    assert (found.returncode, found.stderr) == (status, expected)


def test_closed_streams_do_not_affect_the_output_file() -> None:
    expected = shell("check ext --output-format json").stdout
    shell("check ext clean/../ext --jobs 2 --output-format json --output-file out <&- >&- 2>&-")
    assert Path("out").read_text() == expected


def test_output_file_keeps_its_permissions() -> None:
    Path("out").write_text("before")
    Path("out").chmod(0o640)
    assert main(["check", "ext", "--output-file", "out"]) == 1
    assert Path("out").stat().st_mode & 0o777 == 0o640
    assert "invalid-value" in Path("out").read_text()


@pytest.mark.parametrize("how", ["a link", "another name", "a pipe"])
def test_output_to_a_link_or_pipe_is_written_in_place(how: str) -> None:
    if how == "a pipe":
        os.mkfifo("out")
        found = shell("check clean --output-file out & cat out; wait $!; true").stdout
    else:
        Path("real").write_text("before")
        (os.symlink if how == "a link" else os.link)("real", "out")
        main(["check", "clean", "--output-file", "out"])
        found = Path("real").read_text()
    assert found.startswith("No findings in 1 extension")


def test_output_file_may_be_standard_output() -> None:
    assert shell("check clean -q --statistics --output-file /dev/stdout").returncode == 0
    with Path("log").open("w") as log:
        subprocess.run(
            [*COMMAND, "check", "clean", "--output-file", "/dev/stdout"],
            stdout=log,
            env=environment(),
            check=True,
            timeout=MAX_SECONDS,
        )
        assert os.path.samestat(os.fstat(log.fileno()), Path("log").stat())
    assert Path("log").read_text().startswith("No findings")
