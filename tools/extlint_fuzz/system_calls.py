"""The system calls of a run, as seen by strace: programs, connections, processes, and files to write."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

TRACED = (
    "execve,execveat,socket,connect,bind,listen,accept,accept4,clone,clone3,fork,vfork,"
    "open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,"
    "symlink,symlinkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat,utimensat,setxattr"
)
PROGRAMS = frozenset({"execve", "execveat"})
NETWORK = frozenset({"socket", "connect", "bind", "listen", "accept", "accept4"})
PROCESSES = frozenset({"clone", "clone3", "fork", "vfork"})
OPENING = frozenset({"open", "openat", "openat2"})
WRITING_FLAGS = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")
CALL = re.compile(r"\d+ +(\w+)\((.*)")
STRING = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
RESULT = re.compile(r"\) += (-?\d+)")
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|(.))")


class SystemCall(Struct, frozen=True):
    """One call: its name, the paths among its arguments, and the line of strace."""

    name: str
    paths: tuple[str, ...]
    line: str

    @property
    def is_failed(self) -> bool:
        """Whether the system rejected the call."""
        found = RESULT.search(self.line)
        return found is not None and int(found.group(1)) < 0

    @property
    def is_write(self) -> bool:
        """Whether the call changes files, or opens one for writing."""
        if self.name in OPENING:
            return WRITING_FLAGS.search(self.line) is not None
        return self.name not in PROGRAMS | NETWORK | PROCESSES


def strace() -> str | None:
    """Returns the path of the command strace, or None if it is not installed."""
    return shutil.which("strace")


def run_traced(
    arguments: Sequence[str], folder: Path, log: Path, **environment: str
) -> tuple[int, list[SystemCall]]:
    """Runs `extlint` with these arguments in a folder under strace. Returns the exit status and the calls.

    Raises FileNotFoundError if strace is not installed. Python writes no compiled modules in such a run.
    """
    options = ["-f", "--seccomp-bpf", "-qq", "-y", "-xx", "-s", "4096", "-e", f"trace={TRACED}"]
    run = subprocess.run(
        ["strace", *options, "-o", str(log), sys.executable, "-P", "-m", "extlint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return run.returncode, list(parse_calls(log.read_text("utf-8", "replace").splitlines(), folder))


def parse_calls(lines: Iterable[str], folder: Path) -> Iterable[SystemCall]:
    """Yields the calls in the output of strace, with absolute paths."""
    for line in lines:
        found = CALL.match(line)
        if found is None:
            continue
        name, rest = found.groups()
        if name in PROGRAMS:
            rest = rest.partition("[")[0]
        paths = (
            os.path.normpath(os.path.join(_text(base or "") or folder, _text(path)))  # noqa: PTH118
            for base, path in STRING.findall(rest)
        )
        yield SystemCall(name, tuple(paths) if name not in NETWORK else (), line)


def _text(escaped: str) -> str:
    """Returns the text of a string that strace escaped."""
    raw = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], escaped)
    return os.fsdecode(raw.encode("latin-1", "replace"))


def programs(calls: Iterable[SystemCall]) -> list[SystemCall]:
    """Returns the programs that were started after the first one, which is Python itself."""
    return [call for call in calls if call.name in PROGRAMS and not call.is_failed][1:]


def connections(calls: Iterable[SystemCall]) -> list[SystemCall]:
    """Returns each use of the network, or of another program's socket."""
    return [call for call in calls if call.name in NETWORK]


def processes(calls: Iterable[SystemCall]) -> list[SystemCall]:
    """Returns the processes that were started, excluding threads."""
    return [call for call in calls if call.name in PROCESSES and "CLONE_THREAD" not in call.line]


def file_changes(calls: Iterable[SystemCall], allowed: Sequence[Path] = ()) -> list[SystemCall]:
    """Returns each attempt to change a file or folder, except at or below the allowed paths."""
    own = (Path(os.devnull), *allowed)
    return [call for call in calls if call.is_write and not all(_is_below(path, own) for path in call.paths)]


def opened_files(calls: Iterable[SystemCall], folder: Path) -> list[SystemCall]:
    """Returns the calls that opened files at or below a path."""
    return [
        call
        for call in calls
        if call.name in OPENING
        and not call.is_failed
        and any(_is_below(path, [folder]) for path in call.paths)
    ]


def _is_below(path: str, allowed: Iterable[Path]) -> bool:
    return any(Path(path).is_relative_to(each) for each in allowed)
