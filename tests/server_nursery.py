"""Forks language servers from a process that has loaded their modules, which takes longer than most tests."""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory

from packed_program import COMMAND

_LAUNCHER = Path(__file__).with_name("server_launcher.py")


@cache
def command() -> Sequence[str]:
    """Returns a command that runs extlint as `COMMAND` does, and starts sooner if possible.

    The process that it forks from ends with this one.
    """
    if len(COMMAND) == 1 or sys.platform != "linux":
        return COMMAND
    folder = TemporaryDirectory(prefix="extlint-")
    address = str(Path(folder.name, "socket"))
    process = subprocess.Popen(
        [sys.executable, __file__, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()

    def end() -> None:
        process.communicate()
        folder.cleanup()

    atexit.register(end)
    return [sys.executable, "-S", "-E", str(_LAUNCHER), address]


def main(address: str) -> None:
    """Runs commands until standard input is closed."""
    from extlint.services.lsp import main as _lsp  # noqa: F401

    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that no process has to wait for its children
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    os.write(1, b"ready\n")
    while listener.fileno() in select([listener.fileno(), 0], [], [])[0]:
        client = listener.accept()[0]
        if os.fork() == 0:
            listener.close()
            _run(client)
        client.close()


def _run(client: socket.socket) -> None:
    """Runs a command in a child process, sends its status to the client, and ends this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    data, (folder, *streams), _, _ = socket.recv_fds(client, 1 << 16, 4)
    while not data.endswith(b"\n"):
        data += client.recv(1 << 16)
    request = json.loads(data)
    child = os.fork()
    if child == 0:
        client.close()
        for number, each in enumerate(streams):
            os.dup2(each, number)
            os.close(each)
        os.fchdir(folder)
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = ["extlint", *request["arguments"]]
        from extlint.cli.main import main as extlint

        os._exit(extlint())
    for each in (0, 1, 2, folder, *streams):
        os.close(each)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    client.sendall(b"%d\n" % (status & 0xFF))
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
