"""A process that is killed at any time, or meets a full disk, leaves each file old or new, never half."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import manifest
from processes import Popen, environment, run

if sys.platform == "win32":
    pytest.skip("processes are not forked", allow_module_level=True)

import resource

import killed_writes
from killed_writes import BEFORE, contents, write_fixes

from extlint.analysis.cache.disk import DiskStore
from extlint.checking.fix_rounds import NotWrittenError

KEY = b"key"


def in_small_process(what: str, folder: Path) -> list[int]:
    """Returns what is left in a folder after a write is killed at each moment."""
    command = [sys.executable, str(Path(killed_writes.__file__)), what, str(folder)]
    done = run(command, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    found: list[int] = json.loads(done.stdout)
    return found


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """An extension with two files to change."""
    folder = tmp_path / "extension"
    folder.mkdir()
    (folder / "manifest.json").write_text(manifest())
    for name, data in BEFORE.items():
        (folder / name).write_bytes(data)
    return folder


def test_killed_fix_leaves_no_half_written_file(extension: Path) -> None:
    states = in_small_process("fixes", extension)
    assert states == sorted(states)
    assert set(states) == {0, 1, 2}


@pytest.mark.parametrize("most", [0, 100, 449])
def test_full_disk_changes_no_file(most: int, extension: Path) -> None:
    """A limit on the size of files has the same effect as a full disk, except for the error's number."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            write_fixes(extension)
        except NotWrittenError as error:
            status = 0 if str(error).startswith("cannot write ") else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert contents(extension) == BEFORE
    assert list(extension.glob(".extlint-*")) == []


def test_concurrent_fixes_agree(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(background={"scripts": ["a.js"]}))
    (tmp_path / "a.js").write_text("chrome.tabs.querry({});\n" * 200)
    command = [sys.executable, "-m", "extlint", "check", str(tmp_path), "--fix", "--target", "chrome"]
    runs = [Popen(command, stderr=subprocess.PIPE, env=environment()) for _ in range(2)]
    errors = [each.communicate()[1].decode() for each in runs]
    assert all(not text or "was changed while it was checked" in text for text in errors)
    assert (tmp_path / "a.js").read_text() == "chrome.tabs.query({});\n" * 200
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.js", "manifest.json"]


def test_killed_write_of_the_cache_leaves_the_last_entry(tmp_path: Path) -> None:
    states = in_small_process("cache", tmp_path / "kept")
    assert states == sorted(states)
    assert set(states) == {0, 1}


def test_every_bit_of_a_cache_entry_matters(tmp_path: Path) -> None:
    store = DiskStore(tmp_path / "kept", b"version")
    store.put(KEY, b"value")
    (file,) = (each for each in (tmp_path / "kept").rglob("*.answer"))
    data = file.read_bytes()
    damaged = [data[:end] for end in range(len(data))]
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        damaged.append(bytes(flipped))
    for each in damaged:
        file.write_bytes(each)
        assert store.get(KEY) is None
    file.write_bytes(data)
    assert store.get(KEY) == b"value"
