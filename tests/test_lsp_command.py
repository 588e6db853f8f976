"""The command `extlint lsp`: its options, its log, and its message without the extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import processes
import pytest
from language_client import language_server, run
from lsprotocol import types

from extlint.cli.main import main
from extlint.services.lsp import publishing
from extlint.services.lsp.publishing import ProgressDisplay


def test_log_file(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    (tmp_path / "manifest.json").write_text('{"manifest_version": 3, "name": "Example", "version": "1"}')

    async def test() -> None:
        arguments = ["--stdio", "--log-level", "info", "--log-file", str(log)]
        trace = types.TraceValue.Messages
        async with language_server(tmp_path, arguments=arguments, trace=trace) as client:
            await client.until(lambda: any("checked" in each for each in client.traced))

    run(test())
    assert f"INFO extlint.services.lsp.server: checked {tmp_path}: " in log.read_text()


def test_log_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "missing" / "log.txt"
    assert main(["lsp", "--log-file", str(log)]) == 2
    assert capsys.readouterr().err == f"extlint: cannot write {log}: no such file or directory\n"


def test_malformed_message_is_one_line_of_the_log() -> None:
    messages = (
        '{"jsonrpc": "2.0", "id": 1, "method": "workspace/symbol", "params": 3}',
        '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 3}}',
    )
    done = processes.run(
        [sys.executable, "-m", "extlint", "lsp"],
        input="".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in messages),
        capture_output=True,
        text=True,
    )
    lines = done.stderr.splitlines()
    assert len(lines) == len(messages)
    assert all("JsonRpcException: Invalid Params" in each for each in lines)


def test_missing_extra() -> None:
    code = """if True:
        import sys
        sys.modules["pygls"] = None
        from extlint.cli.main import main
        sys.exit(main(["lsp"]))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        'extlint: lsp requires pygls, which the extra `lsp` installs: pip install "extlint[lsp]"\n'
    )


def test_progress_of_a_long_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A delay of zero makes any check a long one."""
    steps: list[object] = []

    class Progress:
        tokens: dict[str, object] = {}  # noqa: RUF012

        async def create_async(self, _token: str) -> None:
            steps.append("create")

        def begin(self, _token: str, value: types.WorkDoneProgressBegin) -> None:
            steps.append(value.title)

        def report(self, _token: str, value: types.WorkDoneProgressReport) -> None:
            steps.append(value.message)

        def end(self, _token: str, _value: types.WorkDoneProgressEnd) -> None:
            steps.append("end")

    class Server:
        client_capabilities = types.ClientCapabilities(
            window=types.WindowClientCapabilities(work_done_progress=True)
        )
        work_done_progress = Progress()

    class Folder:
        path = str(tmp_path / "example")

    async def test() -> None:
        import asyncio

        display = ProgressDisplay(Server())  # type: ignore[arg-type]
        display.start(Folder())  # type: ignore[arg-type]
        while len(steps) < 2:
            await asyncio.sleep(0)
        display.report("analyzing scripts")
        display.report("analyzing scripts")
        display.end()
        display.start(Folder())  # type: ignore[arg-type]
        display.end()
        await asyncio.sleep(0)

    monkeypatch.setattr(publishing, "DELAY", 0)
    run(test())
    assert steps == ["create", "extlint: checking example", "analyzing scripts", "end"]
