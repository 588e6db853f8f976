"""Runs `extlint serve` for tests, and sends it packages and bytes."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from forked_modules import FORK_MODULES
from processes import Popen, environment, extlint_command

MANIFEST = json.dumps({"manifest_version": 3, "name": "Example", "version": "1"})


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """The kind of a problem document."""
        assert self.headers["content-type"] == "application/problem+json"
        problem = self.json
        assert problem["status"] == self.status
        return str(problem["type"]).removeprefix("urn:extlint:problem:")


class Server:
    def __init__(self, process: Popen, port: int, folder: Path) -> None:
        self.process = process
        self.port = port
        self.folder = folder

    def request(
        self, path: str, body: bytes | None = None, *, method: str | None = None, **headers: str
    ) -> Response:
        """Sends a request. In the names of headers, `_` stands for `-`."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method or ("GET" if body is None else "POST"), path, body, fields)
            response = connection.getresponse()
            return Response(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                response.read(),
            )
        finally:
            connection.close()

    def lint(self, body: bytes, query: str = "", **headers: str) -> Response:
        return self.request(f"/v1/lint{query}", body, **headers)

    def raw(self, data: bytes, *, seconds: float = 15, ends: bool = False) -> bytes:
        """Sends bytes, and returns what the server answers until it closes the connection."""
        with self.connect() as stream:
            stream.settimeout(seconds)
            found = b""
            try:
                stream.sendall(data)
                if ends:
                    stream.shutdown(socket.SHUT_WR)
                while part := stream.recv(65_536):
                    found += part
            except (ConnectionError, TimeoutError):
                pass
            return found

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=15)

    def nursery(self) -> int:
        (found,) = children(self.process.pid)
        return found

    def workers(self) -> list[int]:
        return children(self.nursery())

    def wait_for_worker(self) -> int:
        found: int = wait_until(lambda: next(iter(self.workers()), None))
        return found

    def wait_until_ready(self) -> None:
        wait_until(lambda: self.request("/readyz").status == 200 or None)


def wait_until(get: Any, seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while (found := get()) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(each) for each in text.split()]


@contextmanager
def server(folder: Path, *arguments: str, wrapper: Sequence[str] = (), **variables: str) -> Iterator[Server]:
    """Runs a server whose temporary files are in a folder. A wrapper is a command that runs the server.

    Its processes are new ones if there is a wrapper or a path of modules.
    """
    spool = folder / "spool"
    spool.mkdir(exist_ok=True)
    log = folder / "log.txt"
    if wrapper or "PYTHONPATH" in variables or sys.platform != "linux":
        command = [*wrapper, sys.executable, "-m", "extlint"]
    else:
        command = extlint_command(FORK_MODULES, folder)
    with log.open("w") as stderr:
        process = Popen(
            [*command, "serve", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=folder,
            env=environment(**{"TMPDIR": str(spool), **variables}),
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("extlint serves http://"), log.read_text()
        found = Server(process, int(line.rpartition(":")[2]), folder)
        found.wait_until_ready()
        try:
            yield found
        finally:
            process.terminate()
            process.communicate(timeout=60)


def archive(files: Mapping[str, str | bytes] | None = None, *, level: int = 6) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as packed:
        for name, content in ({"manifest.json": MANIFEST} if files is None else files).items():
            packed.writestr(name, content)
    return buffer.getvalue()


@cache
def slow_archive() -> bytes:
    """A package whose check takes many seconds."""
    names = [f"s{number}.js" for number in range(40)]
    code = "".join(
        f"function f{number}(a) {{ chrome.tabs.query({{}}, (b) => f{number + 1}(b)); return g(a); }}\n"
        for number in range(4000)
    )
    manifest = json.dumps(
        {
            "manifest_version": 3,
            "name": "Example",
            "version": "1",
            "content_scripts": [{"matches": ["https://*/*"], "js": names}],
        }
    )
    return archive({"manifest.json": manifest, **dict.fromkeys(names, code)})


def form(**files: bytes) -> tuple[bytes, str]:
    """Returns a form and its content type."""
    parts = b"".join(
        b'--edge\r\nContent-Disposition: form-data; name="%b"; filename="%b.zip"\r\n\r\n%b\r\n'
        % (name.encode(), name.encode(), content)
        for name, content in files.items()
    )
    return parts + b"--edge--\r\n", "multipart/form-data; boundary=edge"


def at_once(count: int, do: Any) -> list[Any]:
    """Runs a function with each number in a thread of its own, and returns the results."""
    found: list[Any] = [None] * count

    def run(number: int) -> None:
        found[number] = do(number)

    threads = [threading.Thread(target=run, args=(each,)) for each in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found
