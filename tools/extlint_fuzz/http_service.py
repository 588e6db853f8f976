"""Runs `extlint serve` on this machine, and checks its answers to whatever is sent to it."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import h11
from msgspec import Struct

from extlint.services.serve.answers import MEDIA_TYPE, TITLES
from extlint_fuzz.bounds import MAX_ADDRESS_SPACE
from extlint_fuzz.case import Case
from extlint_fuzz.trial import Failed

OPTIONS = ("--port", "0", "--jobs", "2", "--max-upload", "1", "--max-seconds", "5", "--max-memory", "256")

MAX_SECONDS = 30.0
"""The limit in seconds of wall-clock time for an answer, on a busy machine."""

FAILURES = ("internal-error", "worker-died", "overload", "no-space", "starting", "queue-full")
"""The kinds of problems that no client causes."""

WARNINGS = (
    b"Invalid HTTP request received.",
    b"Unsupported upgrade request.",
    b"No supported WebSocket library detected.",
)
"""The starts of the lines that uvicorn logs about requests that the service cannot answer."""

STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) [ -~]*\r\n")
NO_BODY = (204, 304)


class Answer(Struct, frozen=True):
    """A response of the service."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def closes(self) -> bool:
        """Whether it is the last one of its connection."""
        return self.headers.get("connection", "").lower() == "close"


class HttpService:
    """A running service. A new one is started if the last one died."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "log"
        self._process: subprocess.Popen[str] | None = None
        self._port = 0
        self._nursery: list[int] = []
        self._expected = b""

    def check(self, case: Case) -> None:
        """Sends what a case contains. Raises Failed if an answer is wrong, or if the service is disturbed."""
        process = self._start()
        before = self._log.stat().st_size
        try:
            for name, data in case.messages.items():
                self._check_connection(data, is_cut=name.endswith(".cut"))
            self._check_undisturbed(process)
            check_log(self._log.read_bytes()[before:])
        except (Failed, OSError) as error:
            story = self._log.read_bytes()[before:].decode("utf-8", "replace")[-4000:]
            if process.poll() is not None:
                raise Failed("service", f"it ended with {process.returncode}", story) from None
            self.close()
            if isinstance(error, Failed):
                raise
            raise Failed("service", f"{type(error).__name__}: {error}"[:60], story) from None

    def close(self) -> None:
        """Ends the service."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def _start(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "extlint", "serve", *OPTIONS],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self._folder,
                env={
                    **os.environ,
                    "EXTLINT_CACHE_DIR": str(self._folder / "cache"),
                    "TMPDIR": str(self._folder),
                },
                start_new_session=True,
                preexec_fn=limit_address_space,
            )
        assert self._process.stdout is not None
        self._port = int(self._process.stdout.readline().rpartition(":")[2])
        until = time.monotonic() + MAX_SECONDS
        while (
            self._send(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")[0].status
            != 200
        ):
            if time.monotonic() > until:
                raise OSError("the service does not become ready")
            time.sleep(0.05)
        self._nursery = children(self._process.pid)
        self._expected = self._good_answer()
        return self._process

    def _check_connection(self, data: bytes, *, is_cut: bool) -> None:
        if is_cut:
            with socket.create_connection(("127.0.0.1", self._port)) as stream, suppress(OSError):
                stream.sendall(data)
            return
        answers = self._send(data)
        methods, is_complete = requests_in(data)
        for answer in answers:
            check_answer(answer)
        if is_complete and len(answers) < len(methods) and not (answers and answers[-1].closes):
            story = f"{len(answers)} answers to {len(methods)} requests\n{data[:2000]!r}"
            raise Failed("answers", "a request has no answer", story)

    def _send(self, data: bytes) -> Sequence[Answer]:
        """Sends bytes, and returns the answers; closes its side when all complete requests are answered."""
        methods, _ = requests_in(data)
        received = b""
        until = time.monotonic() + MAX_SECONDS
        with socket.create_connection(("127.0.0.1", self._port)) as stream:
            stream.settimeout(MAX_SECONDS)
            with suppress(ConnectionError):
                stream.sendall(data)
            is_open = True
            try:
                while time.monotonic() < until:
                    if is_open and len(answers_in(received, methods)[0]) >= len(methods):
                        is_open = False
                        with suppress(OSError):
                            stream.shutdown(socket.SHUT_WR)
                    part = stream.recv(1 << 16)
                    if not part:
                        break
                    received += part
                else:
                    raise Failed("time", "a connection that does not end", repr(received[-2000:]))
            except ConnectionError:
                pass
            except TimeoutError:
                raise Failed("time", "no answer", repr(received[-2000:])) from None
        answers, rest = answers_in(received, methods)
        if rest and not is_truncated(rest, answers):
            raise Failed("answers", "bytes that are no answer", repr(rest[:2000]))
        return answers

    def _check_undisturbed(self, process: subprocess.Popen[str]) -> None:
        """Raises Failed unless the next request gets the same answer as before, and no worker is left."""
        if self._good_answer() != self._expected:
            raise Failed("service", "another answer to the same request")
        if children(process.pid) != self._nursery:
            raise Failed("service", "the process that starts workers is another one")
        until = time.monotonic() + MAX_SECONDS
        while any(children(each) for each in self._nursery):
            if time.monotonic() > until:
                raise Failed("service", "a worker that does not end")
            time.sleep(0.01)

    def _good_answer(self) -> bytes:
        """Returns the report about a package with one mistake. Raises Failed if it is wrong."""
        found = self._send(good_request())
        if len(found) != 1 or found[0].status != 200:
            raise Failed("service", "no answer to a good request", repr(found)[:2000])
        findings = json.loads(found[0].body)["findings"]
        if [each["api"] for each in findings if each["rule"] == "unknown-api"] != ["tabs.querry"]:
            raise Failed("service", "a wrong answer to a good request", repr(found)[:2000])
        return found[0].body


def good_request() -> bytes:
    """Returns the request to check a package with one mistake."""
    keys = {"manifest_version": 3, "name": "a", "version": "1", "background": {"service_worker": "a.js"}}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo("manifest.json"), json.dumps(keys))
        archive.writestr(zipfile.ZipInfo("a.js"), "chrome.tabs.querry({});\n")
    body = stream.getvalue()
    lines = ["POST /v1/lint?target=chrome HTTP/1.1", "Host: localhost", "Connection: close"]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def requests_in(data: bytes) -> tuple[Sequence[str], bool]:
    """Returns the methods of the complete requests in some bytes, and whether nothing else is in them."""
    methods: list[str] = []
    if not data:
        return methods, True
    server = h11.Connection(h11.SERVER, max_incomplete_event_size=65_536)
    try:
        server.receive_data(data)
        method = ""
        while (event := server.next_event()) is not h11.NEED_DATA:
            if isinstance(event, h11.Request):
                method = event.method.decode()
            elif isinstance(event, h11.EndOfMessage):
                methods.append(method)
                server.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                server.send(h11.EndOfMessage())
                if server.our_state is not h11.DONE or method == "CONNECT":
                    return methods, True
                server.start_next_cycle()
            elif event is h11.PAUSED:
                return methods, False
    except h11.ProtocolError:
        return methods, False
    return methods, not server.trailing_data[0]


def answers_in(data: bytes, methods: Sequence[str]) -> tuple[Sequence[Answer], bytes]:
    """Returns the complete responses in some bytes, and the rest."""
    found: list[Answer] = []
    while match := STATUS_LINE.match(data):
        head, separator, rest = data[match.end() - 2 :].partition(b"\r\n\r\n")
        if not separator:
            break
        lines = [line.partition(":") for line in head.decode("latin-1").splitlines()]
        headers = {name.lower(): value.strip() for name, _, value in lines}
        status = int(match[1])
        if status == 100:
            data = rest
            continue
        method = methods[len(found)] if len(found) < len(methods) else ""
        size = int(headers.get("content-length", len(rest)))
        if method == "HEAD" or status in NO_BODY:
            size = 0
        if len(rest) < size:
            break
        found.append(Answer(status, headers, rest[:size]))
        data = rest[size:]
    return found, data


def is_truncated(rest: bytes, answers: Sequence[Answer]) -> bool:
    """Whether bytes are the start of a response, which the client did not wait for."""
    return rest.startswith(b"HTTP/1.1 ") and not (answers and answers[-1].closes)


def check_answer(answer: Answer) -> None:
    """Raises Failed for an answer that is neither a result nor a documented problem."""
    status, kind = answer.status, answer.headers.get("content-type", "")
    if status in NO_BODY or (status == 200 and kind != MEDIA_TYPE):
        if kind.partition(";")[0].endswith("json") and answer.body:
            _json(answer)
        return
    if answer.body:
        value = _json(answer)
        problem = str(value.get("type")).removeprefix("urn:extlint:problem:")
        known = TITLES.get(problem)
        if kind != MEDIA_TYPE or known is None or known[0] != status or value.get("status") != status:
            raise Failed("answers", f"status {status} without a problem document", repr(answer)[:2000])
        if problem in FAILURES:
            raise Failed("answers", problem, repr(answer)[:2000])
    elif status not in {each for each, _ in TITLES.values()}:
        raise Failed("answers", f"status {status}", repr(answer)[:2000])


def _json(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        raise Failed("answers", f"status {answer.status} without JSON", repr(answer)[:2000]) from None


def check_log(log: bytes) -> None:
    """Raises Failed if the service has logged anything but its requests."""
    for line in log.splitlines():
        try:
            is_request = "status" in json.loads(line)
        except ValueError:
            is_request = line.startswith(WARNINGS)
        if not is_request:
            text = log.decode("utf-8", "replace")
            raise Failed("log", re.sub(r"\d+", "0", line.decode("utf-8", "replace"))[:60], text[-6000:])


def children(process: int) -> list[int]:
    """Returns the numbers of the children of a process."""
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(each) for each in text.split()]


def limit_address_space() -> None:
    """Limits the memory of this process, so that no case exhausts the machine's memory."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    size = MAX_ADDRESS_SPACE if hard == resource.RLIM_INFINITY else min(MAX_ADDRESS_SPACE, hard)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))
