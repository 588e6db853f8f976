"""A client of Firefox's Marionette protocol: JSON with a length prefix, over a socket."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

from extlint_judge.browsers.processes import BrowserError

PRIVILEGED = "chrome"
"""The name of the context in which scripts have Firefox's own privileges."""


PORT_FILE = "MarionetteActivePort"
"""The file in the profile with the port, once Firefox listens (`Marionette.sys.mjs` of 153.7.0esr)."""


class Marionette:
    """A session with a Firefox whose `marionette.port` is 0, so that it uses a free port.

    `timeout` is in seconds, for the start and for each command.
    """

    def __init__(self, process: Popen[bytes], profile: Path, timeout: float = 60) -> None:
        self._timeout = timeout
        self._socket = socket.create_connection(("127.0.0.1", _port(process, profile, timeout)), timeout)
        self._read = self._socket.makefile("rb")
        self._number = 0
        self._message()
        self.command("WebDriver:NewSession", {})
        self.command("Marionette:SetContext", {"value": PRIVILEGED})

    def close(self) -> None:
        """Closes the connection; the browser keeps running."""
        self._read.close()
        self._socket.close()

    def command(self, name: str, parameters: dict[str, Any]) -> Any:
        """Sends a command and returns the result. Raises BrowserError if it fails or times out."""
        self._number += 1
        data = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, number, error, result = self._message()
        if error is not None or number != self._number:
            raise BrowserError(f"{name}: {error and error.get('message')}")
        return result

    def script(self, source: str, *arguments: object) -> Any:
        """Runs a privileged script, the body of an async function with `args`, and returns its result."""
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


def _port(process: Popen[bytes], profile: Path, timeout: float) -> int:
    end = time.monotonic() + timeout
    while time.monotonic() < end and process.poll() is None:
        with suppress(FileNotFoundError, ValueError):
            return int((profile / PORT_FILE).read_bytes())
        time.sleep(0.1)
    raise BrowserError("Firefox did not start")
