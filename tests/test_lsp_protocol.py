"""The language server under clients that misbehave, that are old, or that end without a word."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from language_client import PULLING, TIMEOUT, language_server, run
from lsprotocol import types
from packed_program import COMMAND
from processes import Popen
from thorough import some

MANIFEST = """{"manifest_version": 3, "name": "Example", "version": "1.0",
  "background": {"service_worker": "worker.js"}}
"""


def extension(folder: Path, worker: str = "chrome.storage.local.get('a');\n") -> Path:
    folder.mkdir()
    (folder / "manifest.json").write_text(MANIFEST)
    (folder / "worker.js").write_text(worker)
    return folder


class RawClient:
    """A client that may write anything."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._writing: IO[bytes] = process.stdin
        self._reading: IO[bytes] = process.stdout

    def send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, body: bytes) -> None:
        self._writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._writing.flush()

    def write_raw(self, data: bytes) -> None:
        self._writing.write(data)
        self._writing.flush()

    def receive(self) -> dict[str, Any]:
        size = 0
        while line := self._reading.readline().strip():
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                size = int(value)
        found: dict[str, Any] = json.loads(self._reading.read(size))
        return found

    def answer(self, number: object) -> dict[str, Any]:
        """Returns the answer to a request, and skips other messages."""
        while (found := self.receive()).get("id") != number or "method" in found:
            pass
        return found

    def initialize(self, root: Path | None = None, **capabilities: Any) -> dict[str, Any]:
        uri = None if root is None else root.as_uri()
        params = {"processId": None, "rootUri": uri, "capabilities": capabilities}
        self.send(id=0, method="initialize", params=params)
        found: dict[str, Any] = self.answer(0)["result"]
        self.send(method="initialized", params={})
        return found


@contextmanager
def raw_server(*options: str) -> Iterator[RawClient]:
    command = [*COMMAND, "lsp", *options]
    pipe = subprocess.PIPE
    with Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        try:
            yield RawClient(process)
        finally:
            process.kill()


def test_malformed_messages_do_not_end_the_server() -> None:
    with raw_server() as client:
        client.send(id=1, method="workspace/symbol", params={"query": ""})
        assert client.answer(1)["error"]["code"] == -32002
        client.initialize()
        client.write(b"{not JSON")
        assert client.receive()["error"]["code"] == -32700
        client.write(b"\xff\xfe")
        client.write(b"[]")
        client.write(b'"text"')
        client.write(b"{}")
        client.write_raw(b"Nonsense: header\r\n\r\n")
        client.send(id=2, method="textDocument/codeAction", params={"textDocument": 3})
        assert client.answer(2)["error"]["code"] == -32602
        client.send(id=3, method="no/suchMethod", params={})
        assert client.answer(3)["error"]["code"] == -32601
        client.send(
            method="textDocument/didChange", params={"textDocument": {"uri": "file:///a", "version": 1}}
        )
        client.send(
            method="textDocument/didChange",
            params={"textDocument": {"uri": "file:///not/open.js", "version": 1}, "contentChanges": []},
        )
        document = {"uri": "untitled:Untitled-1", "languageId": "javascript", "version": 1, "text": ""}
        client.send(method="textDocument/didOpen", params={"textDocument": document})
        client.send(
            id=4, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None}
        )
        assert client.answer(4)["error"]["code"] == -32600
        client.send(id=5, method="shutdown")
        assert client.answer(5)["result"] is None
        client.send(id=6, method="workspace/symbol", params={"query": ""})
        assert client.answer(6)["error"]["code"] == -32600
        client.send(method="exit")
        assert client.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"id": 1, "method": True}, -32600),
        ({"id": 1, "method": "shutdown", "jsonrpc": "1.0"}, -32600),
        ({"id": None, "method": ["a"]}, -32600),
        ({"id": 1, "method": "textDocument/hover", "params": {"textDocument": [[]]}}, -32602),
        ({"id": 1, "method": "workspace/executeCommand", "params": {"command": "no such command"}}, -32602),
        ({"id": 1, "method": "workspace/executeCommand", "params": {"command": "extlint.showUses"}}, -32602),
        (
            {
                "id": 1,
                "method": "workspace/executeCommand",
                "params": {"command": "extlint.showUses", "arguments": ["file:///a", {}, 3]},
            },
            -32602,
        ),
    ],
)
def test_malformed_request_is_answered(message: dict[str, Any], code: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with raw_server("--log-file", str(log)) as client:
        client.initialize()
        client.write(json.dumps({"jsonrpc": "2.0", **message}).encode())
        assert client.answer(message["id"])["error"]["code"] == code
    assert "Traceback" not in log.read_text()


def test_shutdown_cancels_requests(tmp_path: Path) -> None:
    """One of a client that waits for new diagnostics, and one of the server, which is never answered."""
    root = extension(tmp_path / "a")
    log = tmp_path / "log"
    with raw_server("--log-file", str(log)) as client:
        client.initialize(root, workspace={"configuration": True}, textDocument={"diagnostic": {}})
        while client.receive().get("method") != "workspace/configuration":
            pass
        command = {"command": "extlint.fixAll", "arguments": [(root / "worker.js").as_uri()]}
        client.send(id=1, method="workspace/executeCommand", params=command)
        client.send(id=2, method="workspace/diagnostic", params={"previousResultIds": []})
        client.send(id=3, method="shutdown")
        found = {each["id"]: each for each in (client.receive() for _ in range(3))}
        assert found[3]["result"] is None
        client.send(method="exit")
        assert client.process.wait(TIMEOUT) == 0
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("size", [1 << 30, 10**30])
def test_message_that_is_too_long_ends_the_server(size: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with raw_server("--log-file", str(log)) as client:
        client.initialize()
        client.write_raw(b"Content-Length: %d\r\n\r\n" % size)
        assert client.process.wait(TIMEOUT) == 1
    assert f"a message of {size} bytes is too long" in log.read_text()


def test_positions_beyond_the_text(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    uri = (root / "worker.js").as_uri()
    with raw_server() as client:
        client.initialize(root)
        document = {"uri": uri, "languageId": "javascript", "version": 1, "text": "0"}
        client.send(method="textDocument/didOpen", params={"textDocument": document})
        place = {"start": {"line": 0, "character": 90}, "end": {"line": 70, "character": 5}}
        client.send(
            method="textDocument/didChange",
            params={
                "textDocument": {"uri": uri, "version": 2},
                "contentChanges": [{"range": place, "text": ";\nchrome.storage.locl"}],
            },
        )
        while not ((found := client.receive()).get("params", {}).get("diagnostics") and uri in str(found)):
            pass
        while found["params"].get("version") != 2:
            found = client.receive()
        (diagnostic,) = found["params"]["diagnostics"]
        assert diagnostic["range"]["start"] == {"line": 1, "character": 0}


def test_client_with_few_capabilities(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    with raw_server() as client:
        capabilities: dict[str, Any] = {"textDocument": {"publishDiagnostics": {}, "synchronization": {}}}
        answer = client.initialize(root, **capabilities)
        assert "diagnosticProvider" not in answer["capabilities"]
        while (found := client.receive()).get("method") != "textDocument/publishDiagnostics":
            assert found.get("method") not in ("client/registerCapability", "workspace/configuration")
        (diagnostic,) = found["params"]["diagnostics"]
        assert set(diagnostic) == {"range", "message", "severity", "code", "source"}


@pytest.mark.parametrize("encodings", some([["utf-8", "utf-16"], ["utf-16"], ["utf-32"], ["other"]], 3))
def test_position_encodings(tmp_path: Path, encodings: list[str]) -> None:
    root = extension(tmp_path / "a", "/* é😀 */ chrome.storage.locl.get();\n")
    expected = {"utf-8": 13, "utf-32": 9, "utf-16": 10}
    with raw_server() as client:
        answer = client.initialize(root, general={"positionEncodings": encodings})
        encoding = answer["capabilities"]["positionEncoding"]
        assert encoding == (encodings[0] if encodings[0] in expected else "utf-16")
        while (found := client.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        assert found["params"]["diagnostics"][0]["range"]["start"]["character"] == expected[encoding]


def test_server_ends_with_its_client(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    with raw_server() as client:
        client.initialize(root)
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(TIMEOUT) == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such look at another process")
def test_server_ends_with_the_process_of_its_client(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor,
        raw_server() as client,
    ):
        params = {"processId": editor.pid, "rootUri": root.as_uri(), "capabilities": {}}
        client.send(id=0, method="initialize", params=params)
        client.answer(0)
        client.send(method="initialized", params={})
        editor.kill()
        editor.wait()
        assert client.process.wait(TIMEOUT) == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_terminated_server(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    with raw_server() as client:
        client.initialize(root)
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(TIMEOUT) == 128 + signal.SIGTERM


def test_two_servers_for_one_folder(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root) as one, language_server(root) as other:
            one.open(worker, "", 1)
            await other.until(lambda: other.rules(worker))
            await one.until(lambda: one.versions.get(str(worker)) == 1 or not one.rules(worker))

    run(test())


def test_cancelled_request(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root, capabilities=PULLING) as client:
            client.open(worker)
            first = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
            (item,) = first.items
            assert item.result_id is not None
            known = [types.PreviousResultId(item.uri, item.result_id)]
            waiting = asyncio.ensure_future(
                asyncio.wrap_future(
                    client.protocol.send_request(
                        types.WORKSPACE_DIAGNOSTIC, types.WorkspaceDiagnosticParams(known), msg_id="w"
                    )
                )
            )
            client.cancel_request(types.CancelParams("w"))
            with pytest.raises(Exception, match="cancel"):
                await waiting
            assert len(await client.pull(worker)) == 1

    run(test())


def test_failure_in_one_file_leaves_the_others(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "importScripts('b.js');\n")
    (root / "b.js").write_bytes(b"chrome.tabs.create({url: 3}); // \xff\n")
    (root / "worker.js").write_text("importScripts('b.js');\nvar = 3;\n")

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: client.rules(root / "worker.js") and client.rules(root / "b.js"))
            assert client.rules(root / "worker.js") == ["invalid-syntax"]
            assert "invalid-argument" in client.rules(root / "b.js")

    run(test())
