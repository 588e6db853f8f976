"""Kills writes at each moment, and writes what is left: `killed_writes.py fixes|cache FOLDER`.

Each moment takes a new process, so this program is small: a copy of a process that runs tests takes longer.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import FrameType, ModuleType

from extlint.analysis.cache.disk import DiskStore
from extlint.checking.fix_rounds import write_changes
from extlint.package.files import Package
from extlint.report.report import Change

BEFORE = {"a.js": b"old a" * 50, "b.js": b"old b" * 50}
AFTER = {"a.js": b"new a" * 90, "b.js": b"new b" * 90}
KEY = b"key"
OLD, NEW = b"old" * 100, b"new" * 100


def killed_at(moment: int, work: Callable[[], None]) -> bool:
    """Runs a function in a child that is killed at the given start or end of a system call.

    Returns whether it was killed, so whether the function makes so many calls. Between two of them, nothing
    happens to files.
    """
    process = os.fork()
    if process == 0:
        seen = 0

        def look(_frame: FrameType, event: str, function: object) -> None:
            nonlocal seen
            seen += event.startswith("c_") and is_system_call(function)
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


def is_system_call(function: object) -> bool:
    """Whether a built-in function may be one that reads or writes files."""
    owner = getattr(function, "__self__", None)
    module = owner.__name__ if isinstance(owner, ModuleType) else type(owner).__module__
    return module in {"_io", "nt", "posix"} and function is not os.fspath


def write_fixes(folder: Path) -> None:
    """Writes the changes of both files."""
    package = Package(str(folder), {})
    write_changes(package, [Change(name, BEFORE[name], data) for name, data in AFTER.items()])


def contents(folder: Path) -> dict[str, bytes]:
    """Returns the bytes of both files."""
    return {name: (folder / name).read_bytes() for name in BEFORE}


def after_killed_fixes(folder: Path) -> Iterator[int]:
    """Yields the number of new files after each moment. All others are old."""
    for moment in count():
        for name, data in BEFORE.items():
            (folder / name).write_bytes(data)
        was_killed = killed_at(moment, lambda: write_fixes(folder))
        found = contents(folder)
        assert all(data in (BEFORE[name], AFTER[name]) for name, data in found.items()), moment
        yield sum(data == AFTER[name] for name, data in found.items())
        for left in folder.glob(".extlint-*.tmp"):
            left.unlink()
        if not was_killed:
            return


def after_killed_puts(folder: Path) -> Iterator[int]:
    """Yields whether the entry of a cache is new after each moment. If not, it is the old one."""
    store = DiskStore(folder, b"version")
    store.put(KEY, OLD)
    for moment in count():
        was_killed = killed_at(moment, lambda: store.put(KEY, NEW))
        found = DiskStore(folder, b"version").get(KEY)
        assert found in (OLD, NEW), moment
        yield int(found == NEW)
        if not was_killed:
            return


if __name__ == "__main__":
    work = {"fixes": after_killed_fixes, "cache": after_killed_puts}[sys.argv[1]]
    sys.stdout.write(json.dumps([*work(Path(sys.argv[2]))]))
