"""Has the process of `server_nursery` run a command in place of this process, and exits with its status.

The command has the streams, the current folder and the environment of this process, which loads almost
nothing, as it is started for each language server.
"""

from __future__ import annotations

import _socket
import json
import os
import struct
import sys

FAILED = 70
"""The status if the nursery ends before the command does."""


def launch(address: str, arguments: list[str]) -> int:
    """Returns the status of the command."""
    nursery = _socket.socket(_socket.AF_UNIX)
    nursery.connect(address)
    request = json.dumps({"arguments": arguments, "environment": dict(os.environ)})
    folder = os.open(".", os.O_RDONLY)
    shared = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("4i", folder, 0, 1, 2))
    data = request.encode() + b"\n"
    sent = nursery.sendmsg([data], [shared])
    nursery.sendall(data[sent:])
    for each in range(3):
        os.close(each)
    status = b""
    while not status.endswith(b"\n") and (part := nursery.recv(100)):
        status += part
    return int(status) if status else FAILED


if __name__ == "__main__":
    os._exit(launch(sys.argv[1], sys.argv[2:]))
