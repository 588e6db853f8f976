"""Forks processes from one that has loaded extlint, which takes longer than most commands of tests.

`processes.Popen` starts it, with the number of a socket and the names of modules to load, and sends requests.
Each child has the parent of this process, so tests wait for it and send it signals as if they had started it.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import io
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
from contextlib import suppress
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, ModuleType
from typing import Any

PACKAGES = ("extlint", "extlint_rules")
"""The packages whose modules are loaded."""

LEFT_OUT = (
    "extlint.__main__",
    "extlint.services.lsp",
    "extlint.services.scan",
    "extlint.services.serve",
)
"""The modules that load large libraries, and the program. They are loaded if they are named."""

MAX_REQUEST = 1 << 20
"""The size in bytes of a request, and of its answer."""

READY = b"ready"
"""The message of a process that has loaded everything."""

_SYS_CLONE3 = 435
_CLONE_PARENT = 0x00008000
_CLONE_CHILD_CLEARTID = 0x00200000
_CLONE_CHILD_SETTID = 0x01000000
_PR_GET_TID_ADDRESS = 40

_FIRST_FREE = 100
"""The lowest number of a descriptor in transit: lower ones are those that a child may have."""


def load(names: list[str]) -> None:
    """Loads modules, and all in packages of extlint, and exempts them from the collection of garbage."""
    gc.disable()
    left_out = tuple(each for each in LEFT_OUT if each not in names)
    for name in names:
        module = import_module(name)
        if name.startswith("extlint"):
            for each in walk_packages(module.__path__, f"{name}."):
                if not each.name.startswith(left_out):
                    import_module(each.name)
    gc.freeze()
    gc.enable()


def serve(requests: socket.socket) -> dict[str, Any] | None:
    """Forks a child for each request. Returns the request in the child, and None after the last one."""
    while True:
        data, passed, _, _ = socket.recv_fds(requests, MAX_REQUEST, 50)
        if not data:
            return None
        held = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE) for each in passed]
        for each in passed:
            os.close(each)
        request: dict[str, Any] = json.loads(data)
        child = fork()
        if child == 0:
            requests.close()
            folder, *streams = held
            os.fchdir(folder)
            for number, each in zip(request["descriptors"], streams, strict=True):
                os.dup2(each, number)
            for each in held:
                os.close(each)
            return request
        for each in held:
            os.close(each)
        requests.sendall(b"%d" % child)


def fork() -> int:
    """Returns 0 in a child whose parent is that of this process, and otherwise its number, or -1."""
    python = ctypes.PyDLL(None)
    thread_id = ctypes.c_ulong()
    python.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(thread_id))
    flags = _CLONE_PARENT
    if thread_id.value:
        flags |= _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID
    arguments = struct.pack("8Q", flags, 0, thread_id.value, 0, 0, 0, 0, 0)
    python.PyOS_BeforeFork()
    child: int = python.syscall(_SYS_CLONE3, arguments, ctypes.c_size_t(len(arguments)))
    if child == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    return child


def become(request: dict[str, Any]) -> tuple[CodeType, dict[str, Any]]:
    """Makes this process what a new Python would be. Returns its program, and the namespace."""
    if request["new_session"]:
        os.setsid()
    if request["group"] >= 0:
        os.setpgid(0, request["group"])
    os.umask(request["umask"])
    for kind, limit in request["limits"]:
        resource.setrlimit(kind, tuple(limit))
    os.environ.clear()
    os.environ.update(request["environment"])
    signal.signal(
        signal.SIGINT, signal.SIG_IGN if request["ignores_interrupt"] else signal.default_int_handler
    )
    gc.set_threshold(700, 10, 10)
    _open_streams()
    program, *arguments = request["arguments"]
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.orig_argv = [sys.executable, program, *arguments]
    if program == "-c":
        folder, code = "", compile(arguments.pop(0), "<string>", "exec")
    elif program == "-m":
        spec = find_spec(f"{arguments.pop(0)}.__main__")
        assert spec is not None
        assert isinstance(spec.loader, SourceFileLoader)
        folder, code = str(Path.cwd()), compile(*_source(spec.loader.path), "exec")
        main.__spec__, main.__package__ = spec, spec.parent
        main.__file__ = program = spec.loader.path
    else:
        main.__file__ = str(Path(program).absolute())
        folder, code = str(Path(program).resolve().parent), compile(*_source(program), "exec")
    sys.argv = [program, *arguments]
    more = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = dict.fromkeys([folder, *more, *sys.path[1:]])
    return code, main.__dict__


def _source(path: str) -> tuple[bytes, str]:
    return Path(path).read_bytes(), path


def _open_streams() -> None:
    """Opens the standard streams as Python does at its start."""
    for number, (name, mode) in enumerate((("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))):
        old = getattr(sys, name)
        at_once = old.write_through and number > 0
        buffer: Any = open(number, mode, 0 if at_once else -1, closefd=False)  # noqa: SIM115
        (buffer if at_once else buffer.raw).name = f"<{name}>"
        stream: Any = io.TextIOWrapper(
            buffer,
            old.encoding,
            old.errors,
            newline="\n",
            line_buffering=not at_once and (number == 2 or buffer.isatty()),
            write_through=old.write_through,
        )
        stream.mode = mode[0]
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def end(status: int) -> None:
    """Ends the process as Python does, without freeing its objects: that takes longer than most programs."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)
    sys.exit(status)  # Python reports that it cannot write


def main(number: str, *packages: str) -> None:
    """Serves requests, or runs the program of one."""
    os.closerange(int(number) + 1, 1 << 16)
    with socket.socket(fileno=int(number)) as requests:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        load([*packages])
        requests.sendall(READY)
        request = serve(requests)
    if request is not None:
        code, namespace = become(request)
        try:
            exec(code, namespace)
        except SystemExit as ended:
            if not isinstance(ended.code, int | None):
                raise
            status = ended.code
        else:
            status = None
        end(status or 0)


if __name__ == "__main__":
    sys.modules["nursery"] = sys.modules["__main__"]
    main(*sys.argv[1:])
