"""The process from which language servers are forked: it has loaded what a session requires.

Its standard input is a socket. Each message is a byte with the descriptors of the standard streams of a
server, and each answer is a line with the exit status of that server, or the negative number of a signal.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
import traceback


def main() -> None:
    """Starts one server after another, until the socket is closed."""
    from extlint.services.lsp import main as _lsp  # noqa: F401 (all servers have it)
    from extlint.services.serve.work import warm_up

    control = socket.socket(fileno=os.dup(0))
    for _ in warm_up(None):
        pass
    gc.freeze()
    while True:
        _, streams, _, _ = socket.recv_fds(control, 1, 3)
        if not streams:
            return
        process = os.fork()
        if process == 0:
            control.close()
            _serve(streams)
        for each in streams:
            os.close(each)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        control.sendall(f"{status}\n".encode())


def _serve(streams: list[int]) -> None:
    """Runs a server with these standard streams, and ends the process."""
    from extlint.cli.main import main as extlint

    status = 70
    try:
        for number, each in enumerate(streams):
            os.dup2(each, number)
            os.close(each)
        status = extlint(["lsp"])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
