"""A client of Marionette, by which Firefox is driven: JSON with its length in front, over a socket."""

from __future__ import annotations

import json
import socket
import time
from subprocess import Popen
from typing import Any

from browsers import BrowserError

PRIVILEGED = "chrome"
"""The name of the context in which scripts may do what Firefox itself may."""


class Marionette:
    """A session; `timeout` is in seconds, for the start and for each command."""

    def __init__(self, process: Popen[bytes], port: int, timeout: float = 60) -> None:
        self._timeout = timeout
        self._socket = _connected(process, port, timeout)
        self._read = self._socket.makefile("rb")
        self._number = 0
        self._message()
        self.command("WebDriver:NewSession", {})
        self.command("Marionette:SetContext", {"value": PRIVILEGED})

    def close(self) -> None:
        """Ends the connection; the browser goes on."""
        self._read.close()
        self._socket.close()

    def command(self, name: str, parameters: dict[str, Any]) -> Any:
        """The answer to a command. Raises BrowserError if it fails or does not come."""
        self._number += 1
        data = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, number, error, result = self._message()
        if error is not None or number != self._number:
            raise BrowserError(f"{name}: {error and error.get('message')}")
        return result

    def script(self, source: str, *arguments: object) -> Any:
        """What a privileged script returns. It is the body of an async function with `args`."""
        wrapped = (
            "const [args, done] = arguments;"
            f"(async () => {{ {source} }})()"
            ".then(value => done({value}), error => done({error: `${error}`}))"
        )
        parameters = {
            "script": wrapped,
            "args": [list(arguments)],
            "sandbox": "system",
            "scriptTimeout": self._timeout * 1000,
        }
        result = self.command("WebDriver:ExecuteAsyncScript", parameters)["value"]
        if "error" in result:
            raise BrowserError(result["error"])
        return result.get("value")

    def _message(self) -> Any:
        try:
            length = b""
            while (byte := self._read.read(1)) != b":":
                if not byte:
                    raise BrowserError("Firefox closed the connection")
                length += byte
            return json.loads(self._read.read(int(length)))
        except TimeoutError:
            raise BrowserError("Firefox does not answer") from None


def _connected(process: Popen[bytes], port: int, timeout: float) -> socket.socket:
    end = time.monotonic() + timeout
    while time.monotonic() < end and process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout)
        except OSError:
            time.sleep(0.1)
    raise BrowserError("Firefox did not start")
