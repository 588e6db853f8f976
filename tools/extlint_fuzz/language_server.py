"""Runs `extlint lsp` on this machine for one session, and checks its answers to whatever is sent to it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

from extlint_fuzz.case import Case, write_files
from extlint_fuzz.generators.editor_sessions import ROOT
from extlint_fuzz.http_service import limit_address_space
from extlint_fuzz.trial import Failed, innermost_function

MAX_SECONDS = 60.0
"""The limit in seconds of wall-clock time for an answer, on a busy machine."""

ERRORS = {-32700, -32600, -32601, -32602, -32002, -32800, -32801, -32803}
"""The codes of errors in answers, except for that of an internal error."""

PROBE = {
    "probe/manifest.json": b'{"manifest_version": 3, "name": "a", "version": "1"}',
    "probe/a.js": b"chrome.tabs.querry({});\n",
}
"""An extension with one mistake, about which the server is asked at the end of each session."""

ENDING = re.compile(rb'"(?:shutdown|exit)"|\\u00')
"""A message that may end the session."""


class LanguageServer:
    """Runs sessions, each with a server of its own, forked from a process that has loaded extlint."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nursery: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def check(self, case: Case) -> None:
        """Sends what a case contains. Raises Failed if the server does not answer as it must."""
        self._folder.mkdir(parents=True, exist_ok=True)
        root = self._folder / "root"
        write_files({**case.files, **PROBE}, root)
        log = self._folder / "log"
        control = self._start()
        (their_input, writing), (reading, their_output) = os.pipe(), os.pipe()
        with log.open("wb") as stream:
            socket.send_fds(control, [b"."], [their_input, their_output, stream.fileno()])
        os.close(their_input)
        os.close(their_output)
        try:
            with os.fdopen(reading, "rb") as answers, os.fdopen(writing, "wb") as requests:
                session = Session(requests, answers, case, root.as_uri())
                session.run()
                control.settimeout(MAX_SECONDS)
                status = int(control.recv(100))
                session.end()
            check_end(status, case)
            check_server_log(log.read_text("utf-8", "replace"))
        except (Failed, OSError, ValueError) as error:
            self.close()
            failed = (
                error if isinstance(error, Failed) else Failed("time", f"the server does not end: {error}")
            )
            story = f"{failed.failure.story}\n{log.read_text('utf-8', 'replace')[-20_000:]}"
            raise Failed(failed.failure.oracle, failed.failure.key, story) from None

    def _start(self) -> socket.socket:
        """Returns the socket of the process from which servers are forked."""
        if self._nursery is not None and self._control is not None and self._nursery.poll() is None:
            return self._control
        self.close()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._nursery = subprocess.Popen(
                [sys.executable, "-m", "extlint_fuzz.language_nursery"],
                stdin=theirs.fileno(),
                cwd=self._folder,
                env={
                    **os.environ,
                    "EXTLINT_CACHE_DIR": str(self._folder / "cache"),
                    "PYTHONPATH": os.pathsep.join(sys.path),
                },
                start_new_session=True,
                preexec_fn=limit_address_space,
            )
        return self._control

    def close(self) -> None:
        """Ends all processes."""
        nursery, self._nursery = self._nursery, None
        if self._control is not None:
            self._control.close()
        if nursery is not None:
            with suppress(ProcessLookupError):
                os.killpg(nursery.pid, signal.SIGKILL)
            nursery.wait()


class Session:
    """The connection to a server: sends messages, answers its requests, and keeps its answers by their id."""

    def __init__(self, writing: IO[bytes], reading: IO[bytes], case: Case, root: str) -> None:
        self._writing = writing
        self._reading = reading
        self._root = root
        self._case = case
        self._received: SimpleQueue[Any] = SimpleQueue()
        self._answers: dict[str, list[Any]] = {}
        self._asked = Counter[str]()
        self._failed: Failed | None = None
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def run(self) -> None:
        """Sends the messages of the case, asks about the probe, and requests the end."""
        asked = self._asked
        for name, data in self._case.messages.items():
            body = data.replace(ROOT.encode(), self._root.encode())
            if name.endswith(".raw"):
                self._write(body)
            else:
                asked.update(_identifier(body))
                self._write_body(body)
        may_end = any(
            name.endswith(".raw") or ENDING.search(data) for name, data in self._case.messages.items()
        )
        if not may_end:
            self._ask_about_probe()
            for number in asked:
                self._answer(number)
        else:
            with suppress(Failed):
                self._send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, "start")
        self._send("shutdown", None, "end")
        self._send("exit", None)
        with suppress(OSError):
            self._writing.close()

    def end(self) -> None:
        """Reads what the server sent until its end. Raises Failed for wrong answers."""
        self._reader.join(MAX_SECONDS)
        if self._failed is not None:
            raise self._failed
        for number, found in self._answers.items():
            if len(found) > max(self._asked[number], 1) and number != "null":
                raise Failed("answers", "several answers to one request", repr(found)[:2000])

    def _ask_about_probe(self) -> None:
        """Raises Failed unless the server suggests the right fix for the mistake of the probe."""
        uri = f"{self._root}/probe/a.js"
        folder = {"uri": f"{self._root}/probe", "name": "probe"}
        self._send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, "start")
        self._send("initialized", {})
        self._send("workspace/didChangeConfiguration", {"settings": {"extlint": {"targets": ["chrome"]}}})
        self._send("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        item = {"uri": uri, "languageId": "javascript", "version": 1, "text": PROBE["probe/a.js"].decode()}
        self._send("textDocument/didOpen", {"textDocument": item})
        place = {"line": 0, "character": 14}
        params = {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []},
        }
        until = time.monotonic() + MAX_SECONDS
        for number in range(10**6):
            self._send("textDocument/codeAction", params, f"probe {number}")
            answer = self._answer(json.dumps(f"probe {number}"))
            if '"newText": "query"' in json.dumps(answer.get("result")):
                return
            if time.monotonic() > until:
                raise Failed("service", "a wrong answer to a good request", repr(answer)[:2000])
            time.sleep(0.05)  # the server asks for the settings of the folder before it checks it

    def _answer(self, number: str) -> Any:
        """Returns the answer to a request. Raises Failed if it does not come in time."""
        until = time.monotonic() + MAX_SECONDS
        while number not in self._answers:
            with suppress(Empty):
                self._received.get(timeout=max(min(until - time.monotonic(), 1), 0.01))
            if self._failed is not None:
                raise self._failed
            if number not in self._answers and (not self._reader.is_alive() or time.monotonic() > until):
                what = "time" if self._reader.is_alive() else "service"
                raise Failed(what, "a request has no answer", f"the request {number}")
        return self._answers[number][0]

    def _send(self, method: str, params: Any, number: object = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}
        self._write_body(json.dumps(message if number is None else {**message, "id": number}).encode())

    def _write_body(self, body: bytes) -> None:
        self._write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _write(self, data: bytes) -> None:
        with self._lock, suppress(OSError, ValueError):
            self._writing.write(data)
            self._writing.flush()

    def _read(self) -> None:
        try:
            for message in self._messages():
                self._take(message)
        except (ValueError, TypeError, AttributeError) as error:
            self._failed = Failed("answers", f"no message: {type(error).__name__}", str(error)[:2000])
        except Failed as failed:
            self._failed = failed
        self._received.put(None)

    def _messages(self) -> Iterator[Any]:
        while line := self._reading.readline():
            size = 0
            while line.strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                line = self._reading.readline()
            yield json.loads(self._reading.read(size))

    def _take(self, message: Any) -> None:
        if message["jsonrpc"] != "2.0":
            raise Failed("answers", "another version of the protocol", repr(message)[:2000])
        method = message.get("method")
        if method is not None:
            if "id" in message:
                self._reply(message["id"], method, message.get("params"))
            return
        error = message.get("error")
        if error is not None and error["code"] not in ERRORS:
            raise Failed("answers", f"error {error['code']}: {error['message']}"[:80], repr(message)[:6000])
        self._answers.setdefault(json.dumps(message.get("id")), []).append(message)
        self._received.put(message)

    def _reply(self, number: object, method: str, params: Any) -> None:
        """Answers a request of the server."""
        result: Any = None
        if method == "workspace/configuration":
            result = [{"targets": ["chrome"]} for _ in params["items"]]
        elif method == "workspace/applyEdit":
            result = {"applied": True}
        elif method == "window/showDocument":
            result = {"success": True}
        self._write_body(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())


def _identifier(body: bytes) -> list[str]:
    """Returns the id of a request, or nothing for any other message."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("method"), str)
        or value.get("jsonrpc") != "2.0"
    ):
        return []
    number = value.get("id")
    return [json.dumps(number)] if isinstance(number, int | str) and not isinstance(number, bool) else []


def check_end(status: int, case: Case) -> None:
    """Raises Failed for an exit status that is not documented.

    A server whose client has requested the end returns 0, and one whose client just ends returns 1.
    """
    may_just_end = any(name.endswith(".raw") or ENDING.search(data) for name, data in case.messages.items())
    if status not in ((0, 1) if may_just_end else (0,)):
        raise Failed("status", f"status {status}")


def check_server_log(log: str) -> None:
    """Raises Failed for a traceback or an internal error in the log."""
    if "Traceback" in log or "internal error" in log:
        _, _, after = log.partition("Traceback")
        last = next((line for line in after.splitlines()[1:] if line and not line.startswith(" ")), "")
        raise Failed("log", f"{re.sub(r'[0-9]+', '0', last)[:60]} in {innermost_function(after, last=True)}")
