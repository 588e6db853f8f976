"""A process that is killed at any time, or meets a full disk, leaves each file old or new, never half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FrameType

import pytest
from harness import manifest
from processes import environment

if sys.platform == "win32":
    pytest.skip("processes are not forked", allow_module_level=True)

import resource

from extlint.analysis.cache.disk import DiskStore
from extlint.checking.fixes.files import NotWrittenError, write_changes
from extlint.package.files import Package
from extlint.report.report import Change

BEFORE = {"a.js": b"old a" * 50, "b.js": b"old b" * 50}
AFTER = {"a.js": b"new a" * 90, "b.js": b"new b" * 90}
KEY = b"key"


def killed_at(moment: int, work: Callable[[], None]) -> bool:
    """Runs a function in a child that is killed at the given call or return of a built-in function.

    Returns whether it was killed, so whether the function makes so many calls.
    """
    process = os.fork()
    if process == 0:
        seen = 0

        def look(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal seen
            seen += event.startswith("c_")
            if seen > moment:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.setprofile(look)
            work()
        finally:
            sys.setprofile(None)
            os._exit(0)
    _, status = os.waitpid(process, 0)
    return os.WIFSIGNALED(status)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in BEFORE}


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """An extension with two files to change."""
    folder = tmp_path / "extension"
    folder.mkdir()
    (folder / "manifest.json").write_text(manifest())
    for name, data in BEFORE.items():
        (folder / name).write_bytes(data)
    return folder


def write_fixes(folder: Path) -> None:
    package = Package(str(folder), {})
    write_changes(package, [Change(name, BEFORE[name], data) for name, data in AFTER.items()])


def test_killed_fix_leaves_no_half_written_file(extension: Path) -> None:
    states = []
    for moment in count():
        for name, data in BEFORE.items():
            (extension / name).write_bytes(data)
        was_killed = killed_at(moment, lambda: write_fixes(extension))
        found = contents(extension)
        assert all(data in (BEFORE[name], AFTER[name]) for name, data in found.items()), moment
        states.append(sum(data == AFTER[name] for name, data in found.items()))
        for left in extension.glob(".extlint-*.tmp"):
            left.unlink()
        if not was_killed:
            break
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
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) for _ in range(2)]
    errors = [each.communicate()[1].decode() for each in runs]
    assert all(not text or "was changed while it was checked" in text for text in errors)
    assert (tmp_path / "a.js").read_text() == "chrome.tabs.query({});\n" * 200
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.js", "manifest.json"]


def test_killed_write_of_the_cache_leaves_the_last_entry(tmp_path: Path) -> None:
    store = DiskStore(tmp_path / "kept", b"version")
    store.put(KEY, b"old" * 100)
    states = []
    for moment in count():
        was_killed = killed_at(moment, lambda: store.put(KEY, b"new" * 100))
        found = DiskStore(tmp_path / "kept", b"version").get(KEY)
        assert found in (b"old" * 100, b"new" * 100), moment
        states.append(found)
        if not was_killed:
            break
    assert states == sorted(states, reverse=True)
    assert len(set(states)) == 2


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
