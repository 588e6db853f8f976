"""`extlint check --watch` with the real library, in a separate process that a signal ends."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest
from packed_program import COMMAND
from processes import Popen

from extlint.cli.main import main

MANIFEST = {"manifest_version": 3, "name": "x", "version": "1"}
WAITING = "extlint: waiting for changes; Ctrl-C ends this\n"
MAX_SECONDS = 60
"""The number of seconds after which a run that does not end is killed."""


@contextmanager
def watching(folder: Path, *options: str) -> Iterator[Popen]:
    command = [
        *COMMAND,
        "check",
        "--watch",
        "--target",
        "chrome",
        *options,
        str(folder),
    ]
    process = Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    timer = Timer(MAX_SECONDS, process.kill)
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_watch_checks_a_change(tmp_path: Path) -> None:
    folder, out, written = tmp_path / "a", tmp_path / "out.txt", tmp_path / "written.json"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    written.write_text(json.dumps({**MANIFEST, "permissions": ["alarms", "managment"]}))
    with watching(folder, "--output-format", "concise", "--output-file", str(out)) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == WAITING
        assert "No findings" in out.read_text()
        written.replace(folder / "manifest.json")  # at once: a check may see a file that is half written
        assert process.stderr.readline() == WAITING
        assert "did you mean `management`?" in out.read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == "extlint: interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_watch_continues_when_files_become_folders(tmp_path: Path) -> None:
    manifest, script = tmp_path / "manifest.json", tmp_path / "a.js"
    text = json.dumps({**MANIFEST, "background": {"service_worker": "a.js"}})
    manifest.write_text(text)
    script.write_text("chrome.tabs.querry();")
    with watching(tmp_path, "--output-file", str(tmp_path / "out.txt")) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == WAITING
        for path in (script, manifest):
            path.unlink()
            path.mkdir()
            (path / "b.js").write_text("chrome.tabs.querry();")
            while (line := process.stderr.readline()) != WAITING:
                assert line.startswith("extlint: ")
        shutil.rmtree(manifest)
        manifest.write_text(text.replace("a.js", "z.js"))
        while "`z.js`" not in (tmp_path / "out.txt").read_text():
            assert process.stderr.readline().startswith("extlint: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-"], "--watch cannot be combined with standard input (-)"),
        (["nowhere"], "no such file or folder: nowhere"),
        (["--write-baseline"], "--watch cannot be combined with --write-baseline"),
    ],
)
def test_invalid_watch_arguments_are_rejected(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--watch", *arguments]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")


def test_watch_without_the_library_explains_the_installation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert main(["check", "--watch"]) == 2
    assert 'pip install "extlint[watch]"' in capsys.readouterr().err
